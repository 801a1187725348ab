import { ClickHouseError } from '@clickhouse/client';
import { Refusal } from '../../refusal.ts';

const timedOut: ReadonlySet<string> = new Set(['159', '160']);
/** `throwIf` of a writer whose turn is over, by the clock of the server. */
const pastTurn: ReadonlySet<string> = new Set(['395']);
/** A question has reached its limit of rows or bytes. */
const tooManyRows: ReadonlySet<string> = new Set(['396']);
const outOfMemory: ReadonlySet<string> = new Set(['241']);
/** Too many statements at once, no connection to a shard or to a replica, a replica that only reads, no quorum. */
const busyOrAway: ReadonlySet<string> = new Set(['202', '210', '209', '242', '252', '279', '285', '286', '289', '999']);

/** The refusal for an engine's error that the caller can put right, if any. */
export function understood(error: unknown, seconds: number): unknown {
  if (error instanceof Refusal) return error;
  if (!(error instanceof ClickHouseError)) return isNetwork(error) || isOfProxy(error) ? away(error) : error;
  if (timedOut.has(error.code)) return tooSlow(seconds, error);
  if (outOfMemory.has(error.code)) {
    return new Refusal(
      'unavailable',
      'This needs more memory than there is just now. Ask again, or for less at once.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
  if (tooManyRows.has(error.code)) {
    return new Refusal('bad-input', 'This answer has more rows than this service allows. Ask for less at once.', {
      cause: error,
    });
  }
  if (pastTurn.has(error.code)) return turnIsOver(error);
  return busyOrAway.has(error.code) ? away(error) : error;
}

/** Whether an answer was longer than it might be: by the limits of the address, or by those of the statement. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof Refusal && error.cause instanceof ClickHouseError && tooManyRows.has(error.cause.code);

export const tooSlow = (seconds: number, cause: unknown): Refusal =>
  new Refusal('too-slow', `This took more than ${seconds} seconds and was stopped. Ask for less at once.`, { cause });

export const turnIsOver = (cause?: unknown): Refusal =>
  new Refusal('unavailable', 'Writing took longer than its turn. Send it again.', { retryAfterSeconds: 2, cause });

export const unanswered = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'ClickHouse stopped answering in the middle of this. Send it again.', {
    retryAfterSeconds: 5,
    cause,
  });

export const removalTakesLong = (seconds: number, cause: unknown): Refusal =>
  new Refusal(
    'unavailable',
    `Removing the rows takes ClickHouse more than ${seconds / 60} minutes. It goes on with those that it has begun with.`,
    { retryAfterSeconds: seconds, cause },
  );

export const stillWritten = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'The tables are still being written, and ClickHouse may need minutes for that.', {
    retryAfterSeconds: 60,
    cause,
  });

export const away = (cause?: unknown): Refusal =>
  new Refusal('unavailable', 'The tables cannot be reached at the moment. Send the request again.', {
    retryAfterSeconds: 2,
    cause,
  });

const isNetwork = (error: unknown): boolean =>
  error instanceof Error &&
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|socket hang up|Timeout error/i.test(
    `${(error as { readonly code?: string }).code ?? ''} ${error.message}`,
  );

/** The client gives the text of a failed answer, not its status. Such a text is from a proxy before ClickHouse. */
const isOfProxy = (error: unknown): boolean =>
  error instanceof Error &&
  error.constructor === Error &&
  (error.message.trim() === '' ||
    /\b50[234]\b|bad gateway|unavailable|gateway time-?out|upstream/i.test(error.message));

export const crowded = (): Refusal =>
  new Refusal('unavailable', 'Too many questions are waiting for the tables. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });

export const tooOld = (): Refusal =>
  new Refusal('too-slow', 'This took so long that the rows it began with may be gone. Ask for less at once.');
