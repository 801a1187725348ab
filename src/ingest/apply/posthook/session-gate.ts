import { disputedSessions } from '../../../catalogue/derivation-state/posthook-state.ts';
import { type PostedTableName, postedTableNames } from '../../../catalogue/posthook-payload.ts';
import { posthookSessionMessages } from '../../../catalogue/tables/posthook-session-messages.ts';
import { posthookSessions } from '../../../catalogue/tables/posthook-sessions.ts';
import type { PostedRejection, PostedRow, PostedRows } from '../../read/posthook-payload.ts';
import { anyCodeHost, type Resolver } from '../../resolve/resolver.ts';
import type { Batch } from '../batch.ts';

/** Whose key sends rows. An Owner's may send anybody's. */
export interface HookSender {
  readonly personId: string;
  readonly isOwner: boolean;
}

const notYours = "belongs to somebody else: only the key of its engineer or an Owner's may add to it";
const notYourAddress =
  "engineer_email must be one of the addresses of the person whose key this is, or person_login one of their logins; only an Owner's key may send other people's sessions";

type Whose = 'sender' | 'somebody else' | 'nobody yet';

/** What becomes of rows. */
interface Sorted {
  readonly passed: PostedRows;
  /** Parts that have come before their session: they wait for it, and say nothing about whose it is. */
  readonly held: PostedRows;
  readonly rejected: readonly PostedRejection[];
}

/** Sessions that are remembered because a second person called them theirs. */
const claimsMost = 1_000;

/**
 * Lets through what a sender may say: sessions under one of their own addresses or logins, and parts of their own
 * sessions. A session belongs to the engineer whose row of it comes first. Hooks may deliver parts before that.
 * One gate for all pieces of a payload: the parts of a session that was refused are refused with it.
 */
export class SessionGate {
  readonly #sender: HookSender;
  readonly #refused = new Set<string>();

  constructor(sender: HookSender) {
    this.#sender = sender;
  }

  get sender(): HookSender {
    return this.#sender;
  }

  async pass(batch: Batch, rows: PostedRows): Promise<Sorted> {
    if (this.#sender.isOwner) return { passed: rows, held: {}, rejected: [] };
    const earlier = await this.#earlierSessions(batch, rows.session_prompts ?? []);
    const ids = new Set(earlier.values());
    for (const table of postedTableNames) for (const row of rows[table] ?? []) ids.add(row.session);
    const whose = await this.#whose(batch, [...ids]);

    const rejected: PostedRejection[] = [];
    const claimed = new Set<string>();
    const passed: { [N in PostedTableName]?: PostedRow[] } = {};
    const held: { [N in PostedTableName]?: PostedRow[] } = {};
    for (const table of postedTableNames) {
      const [through, waiting]: [PostedRow[], PostedRow[]] = [[], []];
      for (const row of rows[table] ?? []) {
        const isSession = table === 'sessions';
        const isTaken = whose.get(row.session) === 'somebody else' && !this.#refused.has(row.session);
        if (isSession && isTaken) claimed.add(row.session);
        const detail = isSession
          ? this.#aboutSession(row, whose, batch.resolver)
          : aboutPart(row, whose, earlier.get(String(row.record.message_id)));
        if (detail !== undefined) rejected.push({ table, line: row.line, detail });
        else (whose.get(row.session) === 'nobody yet' ? waiting : through).push(row);
      }
      passed[table] = through;
      held[table] = waiting;
    }
    await this.#noteClaims(batch, [...claimed]);
    return { passed, held, rejected };
  }

  /** Remembered for `plumb doctor`: the identifiers of two sessions have met, or an engineer calls another's theirs. */
  async #noteClaims({ session }: Batch, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const room = claimsMost - ((await session.tally(disputedSessions, []))[0]?.rows ?? 0);
    const rows = ids.map((session_id) => ({ session_id, merged_user_id: this.#sender.personId }));
    if (room > 0) await session.put(disputedSessions, rows.slice(0, room));
  }

  #aboutSession(row: PostedRow, whose: Map<string, Whose>, resolver: Resolver): string | undefined {
    const owner = whose.get(row.session);
    if (owner === 'somebody else') return `session '${row.session}' ${notYours}`;
    const named = namedIn(row);
    const isKept = named === undefined && owner === 'sender';
    if (isKept || (named && personOf(resolver, named) === this.#sender.personId)) {
      whose.set(row.session, 'sender');
      return undefined;
    }
    if (owner !== 'sender') {
      this.#refused.add(row.session);
      whose.set(row.session, 'somebody else');
    }
    return notYourAddress;
  }

  async #whose({ session }: Batch, ids: readonly string[]): Promise<Map<string, Whose>> {
    const whose = new Map<string, Whose>(ids.map((id) => [id, this.#refused.has(id) ? 'somebody else' : 'nobody yet']));
    const where = { column: 'session_id', in: ids };
    for (const known of await session.select(posthookSessions, ['session_id', 'merged_user_id'], where)) {
      const isMine = known.merged_user_id === this.#sender.personId;
      whose.set(known.session_id ?? '', isMine ? 'sender' : 'somebody else');
    }
    return whose;
  }

  /** The sessions that messages with these identifiers are in already: they must not be taken away from their engineer. */
  async #earlierSessions({ session }: Batch, prompts: readonly PostedRow[]): Promise<Map<string, string>> {
    if (prompts.length === 0) return new Map();
    const ids = prompts.map(({ record }) => String(record.message_id));
    const rows = await session.select(posthookSessionMessages, ['message_id', 'session_id'], {
      column: 'message_id',
      in: ids,
    });
    return new Map(rows.map((row) => [row.message_id ?? '', row.session_id ?? '']));
  }
}

function aboutPart(row: PostedRow, whose: ReadonlyMap<string, Whose>, earlier: string | undefined): string | undefined {
  if (whose.get(row.session) === 'somebody else') return `session '${row.session}' ${notYours}`;
  if (earlier !== undefined && earlier !== row.session && whose.get(earlier) !== 'sender') {
    return `prompt '${row.record.message_id}' is part of another session, which ${notYours}`;
  }
  return undefined;
}

interface NamedEngineer {
  readonly linked?: string | null;
  readonly email?: string | null;
  readonly login?: string | null;
}

/** Whom a session says it is of; undefined where it does not say. A record that clears its engineer says: of no one. */
function namedIn({ record }: PostedRow): NamedEngineer | undefined {
  const { engineer_email, person_email, person_login } = record;
  const email = engineer_email ?? person_email;
  // An address decides: one that no person has yet would be some person's later, whatever login stands beside it.
  if (typeof email === 'string') return { email };
  if (typeof person_login === 'string') return { login: person_login };
  return engineer_email === null || person_email === null ? { email: null } : undefined;
}

/** Who a person is after all merges. A login is one on any code host. */
export function personOf(
  resolver: Resolver,
  { linked = null, email = null, login = null }: NamedEngineer,
): string | null {
  return resolver.resolve({ linked, email, source: anyCodeHost, login, saysBot: null }).merged_user_id;
}
