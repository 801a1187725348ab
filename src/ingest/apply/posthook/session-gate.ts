import { disputedSessions } from '../../../catalogue/derivation-state.ts';
import { posthookSessionMessages, posthookSessions } from '../../../catalogue/tables/posthook-sessions.ts';
import type { PostedRow } from '../../read/posted-rows.ts';
import type { PostedRejection } from '../../read/posthook-payload.ts';
import { anyCodeHost, identify, type Resolver } from '../../resolve/resolver.ts';
import type { Batch } from '../batch.ts';

/** The person whose key sends rows. An Owner may send anybody's. */
export interface HookSender {
  readonly personId: string;
  readonly isOwner: boolean;
}

const notYours = 'belongs to someone else: only the key of its engineer or an Owner’s may add to it';
const notYourAddress =
  'engineer_email must be one of the addresses of the person whose key this is, or person_login one of their logins. Only an Owner’s key may send other people’s sessions';

/** Sessions that are remembered because a second person called them theirs. */
const maxClaims = 1_000;

interface SortedRows {
  readonly passed: readonly PostedRow[];
  readonly rejected: readonly PostedRejection[];
}

interface SortedParts extends SortedRows {
  /** Parts that have come before their session: they wait for it, and say nothing about whose it is. */
  readonly early: readonly PostedRow[];
}

const rejection = ({ table, line }: PostedRow, detail: string): PostedRejection => ({ table, line, detail });

/**
 * Lets through what a sender may say: sessions under one of their own addresses or logins, and parts of their own
 * sessions. A session belongs to the engineer whose row of it comes first. Hooks may deliver parts before that.
 * One gate for all pieces of a payload: the parts of a session that was refused are refused with it.
 */
export class SessionGate {
  readonly sender: HookSender;
  readonly #refused = new Set<string>();

  constructor(sender: HookSender) {
    this.sender = sender;
  }

  async sessions(batch: Batch, rows: readonly PostedRow[]): Promise<SortedRows> {
    if (this.sender.isOwner || rows.length === 0) return { passed: rows, rejected: [] };
    const { personId } = this.sender;
    const engineers = await engineersOf(batch, new Set(rows.map(({ session }) => session)));
    const [passed, rejected]: [PostedRow[], PostedRejection[]] = [[], []];
    const claimed = new Set<string>();
    for (const row of rows) {
      const id = row.session;
      const isMine = engineers.get(id) === personId;
      const isTaken = engineers.has(id) && !isMine;
      const named = namedIn(row);
      if (isTaken) claimed.add(id);
      if (isTaken || this.#refused.has(id)) rejected.push(rejection(row, `session '${id}' ${notYours}`));
      else if (named ? personOf(batch.resolver, named) === personId : isMine) {
        engineers.set(id, personId);
        passed.push(row);
      } else {
        if (!isMine) this.#refused.add(id);
        rejected.push(rejection(row, notYourAddress));
      }
    }
    await this.#noteClaims(batch, [...claimed]);
    return { passed, rejected };
  }

  /** Asked after the sessions of the batch have been applied. */
  async parts(batch: Batch, rows: readonly PostedRow[]): Promise<SortedParts> {
    if (this.sender.isOwner || rows.length === 0) return { passed: rows, early: [], rejected: [] };
    const earlier = await sessionsOfMessages(batch, rows);
    const engineers = await engineersOf(batch, new Set([...rows.map(({ session }) => session), ...earlier.values()]));
    const isMine = (id: string): boolean => engineers.get(id) === this.sender.personId;
    const [passed, early, rejected]: [PostedRow[], PostedRow[], PostedRejection[]] = [[], [], []];
    for (const row of rows) {
      const id = row.session;
      const isKnown = engineers.has(id);
      const moved = row.table === 'session_prompts' ? (earlier.get(String(row.record.message_id)) ?? id) : id;
      if (this.#refused.has(id) || (isKnown && !isMine(id))) {
        rejected.push(rejection(row, `session '${id}' ${notYours}`));
      } else if (moved !== id && !isMine(moved)) {
        const detail = `prompt '${row.record.message_id}' is part of another session, which ${notYours}`;
        rejected.push(rejection(row, detail));
      } else (isKnown ? passed : early).push(row);
    }
    return { passed, early, rejected };
  }

  /** Remembered for `plumb doctor`: the identifiers of two sessions have met, or an engineer calls another's theirs. */
  async #noteClaims({ session }: Batch, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const room = maxClaims - ((await session.tally(disputedSessions, []))[0]?.rows ?? 0);
    const rows = ids.map((session_id) => ({ session_id, merged_user_id: this.sender.personId }));
    if (room > 0) await session.put(disputedSessions, rows.slice(0, room));
  }
}

/**
 * The engineers of those sessions that are known, stored or in the batch; null where the directory does not know the
 * engineer.
 */
async function engineersOf(batch: Batch, ids: ReadonlySet<string>): Promise<Map<string, string | null>> {
  const where = { column: 'session_id', in: [...ids] };
  const stored = await batch.session.select(posthookSessions, ['session_id', 'merged_user_id'], where);
  const engineers = new Map(stored.map(({ session_id, merged_user_id }) => [session_id ?? '', merged_user_id]));
  for (const { key, after, part } of batch.tables.posthook_sessions.entries.values()) {
    if (!after || part || !ids.has(key)) continue;
    identify(posthookSessions, after, batch);
    engineers.set(key, after.merged_user_id);
  }
  return engineers;
}

/** The sessions that the messages among some rows are in already: they must not be taken away from their engineer. */
async function sessionsOfMessages({ session }: Batch, rows: readonly PostedRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ table, record }) => (table === 'session_prompts' ? [String(record.message_id)] : []));
  if (ids.length === 0) return new Map();
  const where = { column: 'message_id', in: ids };
  const known = await session.select(posthookSessionMessages, ['message_id', 'session_id'], where);
  return new Map(known.map(({ message_id, session_id }) => [message_id ?? '', session_id ?? '']));
}

interface NamedEngineer {
  readonly linked?: string | null;
  readonly email?: string | null;
  readonly login?: string | null;
}

/** The engineer that a session names; undefined where it names none. A record that clears its engineer names no one. */
function namedIn({ record }: PostedRow): NamedEngineer | undefined {
  const { engineer_email, person_email, person_login } = record;
  const email = engineer_email ?? person_email;
  // An address decides: one that no person has yet would be some person's later, whatever login stands beside it.
  if (typeof email === 'string') return { email };
  if (typeof person_login === 'string') return { login: person_login };
  return engineer_email === null || person_email === null ? { email: null } : undefined;
}

/** The person after all merges. A login may be of any code host. */
export function personOf(
  resolver: Resolver,
  { linked = null, email = null, login = null }: NamedEngineer,
): string | null {
  return resolver.resolve({ linked, email, source: anyCodeHost, loginSource: null, login, saysBot: null })
    .merged_user_id;
}
