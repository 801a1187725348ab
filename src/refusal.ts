/** Why a caller is refused. Closed on purpose: statuses and exit codes are chosen in one exhaustive switch each. */
export type Reason =
  | 'bad-input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'too-large'
  | 'too-late'
  | 'too-long-address'
  | 'not-json'
  | 'too-many-requests'
  | 'conflict'
  | 'changed-meanwhile'
  | 'condition-missing'
  | 'unavailable'
  | 'too-slow';

interface RefusalHints {
  /** For `unavailable` and `too-many-requests`: when to ask again. */
  readonly retryAfterSeconds?: number;
  /** For `method-not-allowed`: the methods that the path takes. */
  readonly allow?: readonly string[];
  /** The underlying error, for the log and never for the caller. */
  readonly cause?: unknown;
  /** The cause lies with the caller or with a service that they chose: worth a warning, and no fault of this server. */
  readonly isCausedElsewhere?: true;
}

/**
 * Something the caller can put right. The message is written for them: what was wrong, and what would be right.
 * Every other error is a bug of ours and never reaches a caller in its own words.
 */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly hints: RefusalHints;

  constructor(reason: Reason, message: string, hints: RefusalHints = {}) {
    super(message, hints.cause === undefined ? undefined : { cause: hints.cause });
    this.name = 'Refusal';
    this.reason = reason;
    this.hints = hints;
  }
}
