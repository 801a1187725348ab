import { claimedSessions } from '../../catalogue/ledgers/posthook-ledgers.ts';
import { type PostedTableName, postedTableNames } from '../../catalogue/posthook-payload.ts';
import { posthookSessionMessages } from '../../catalogue/tables/posthook-session-messages.ts';
import { posthookSessions } from '../../catalogue/tables/posthook-sessions.ts';
import type { Resolver } from '../people/resolver.ts';
import type { Workspace } from '../workspace.ts';
import type { PostedRejection, PostedRow, PostedRows } from './payload.ts';

/** Whose key sends rows. An Owner's may send anybody's. */
export interface Sender {
  readonly personId: string;
  readonly isOwner: boolean;
}

const notYours = "belongs to somebody else: only the key of its engineer or an Owner's may add to it";
const notYourAddress =
  "engineer_email must be one of the addresses of the person whose key this is; only an Owner's key may send other people's sessions";

/** `claimed`: only parts of it are known so far, and they came from the sender. */
type Whose = 'sender' | 'claimed' | 'somebody else' | 'nobody yet';

/**
 * Lets through what a sender may say: sessions under one of their own addresses, and parts of their own sessions. Hooks
 * may deliver parts before the session itself; such a session is then claimed by whoever sent them first.
 * One gate for all pieces of a payload: the parts of a session that was refused are refused with it.
 */
export class SessionGate {
  readonly #sender: Sender;
  readonly #refused = new Set<string>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The rows that may pass, those that may not, and the claims that come of it. */
  async pass(
    workspace: Workspace,
    rows: PostedRows,
  ): Promise<{ readonly passed: PostedRows; readonly rejected: readonly PostedRejection[] }> {
    if (this.#sender.isOwner) return { passed: rows, rejected: [] };
    const { session, resolver } = workspace;
    const earlier = await this.#earlierSessions(workspace, rows.session_prompts ?? []);
    const ids = new Set(earlier.values());
    for (const table of postedTableNames) for (const row of rows[table] ?? []) ids.add(row.session);
    const whose = await this.#whose(workspace, [...ids]);

    const rejected: PostedRejection[] = [];
    const claimed = new Set<string>();
    const passed: { [N in PostedTableName]?: PostedRow[] } = {};
    for (const table of postedTableNames) {
      passed[table] = (rows[table] ?? []).filter((row) => {
        const detail =
          table === 'sessions'
            ? this.#aboutSession(row, whose, resolver)
            : aboutPart(row, whose, earlier.get(String(row.record.message_id)));
        if (detail !== undefined) rejected.push({ table, line: row.line, detail });
        else if (whose.get(row.session) === 'nobody yet') claimed.add(row.session);
        return detail === undefined;
      });
    }
    const sessionIds = [...claimed];
    await session.put(
      claimedSessions,
      sessionIds.map((session_id) => ({ session_id, merged_user_id: this.#sender.personId })),
    );
    return { passed, rejected };
  }

  #aboutSession(row: PostedRow, whose: Map<string, Whose>, resolver: Resolver): string | undefined {
    const owner = whose.get(row.session);
    if (owner === 'somebody else') return `session '${row.session}' ${notYours}`;
    const email = row.record.engineer_email;
    const isKept = email === undefined && owner === 'sender';
    if (isKept || (typeof email === 'string' && personOf(resolver, { email }) === this.#sender.personId)) {
      whose.set(row.session, 'sender');
      return undefined;
    }
    if (owner !== 'sender') {
      this.#refused.add(row.session);
      whose.set(row.session, 'somebody else');
    }
    return notYourAddress;
  }

  async #whose({ session, resolver }: Workspace, ids: readonly string[]): Promise<Map<string, Whose>> {
    const isMine = (id: string | null) => id === this.#sender.personId;
    const whose = new Map<string, Whose>(ids.map((id) => [id, this.#refused.has(id) ? 'somebody else' : 'nobody yet']));
    const where = { column: 'session_id', in: ids };
    for (const claim of await session.select(claimedSessions, ['session_id', 'merged_user_id'], where)) {
      whose.set(
        claim.session_id ?? '',
        isMine(personOf(resolver, { linked: claim.merged_user_id })) ? 'claimed' : 'somebody else',
      );
    }
    for (const known of await session.select(posthookSessions, ['session_id', 'merged_user_id'], where)) {
      whose.set(known.session_id ?? '', isMine(known.merged_user_id) ? 'sender' : 'somebody else');
    }
    return whose;
  }

  /** The sessions that messages with these identifiers are in already: they must not be taken away from somebody. */
  async #earlierSessions({ session }: Workspace, prompts: readonly PostedRow[]): Promise<Map<string, string>> {
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
  const isTheirs = (id: string) => whose.get(id) === 'sender' || whose.get(id) === 'claimed';
  if (earlier !== undefined && earlier !== row.session && !isTheirs(earlier)) {
    return `prompt '${row.record.message_id}' is part of another session, which ${notYours}`;
  }
  return undefined;
}

/** Who somebody is after all merges. */
function personOf(
  resolver: Resolver,
  named: { readonly linked?: string | null; readonly email?: string },
): string | null {
  const { linked = null, email = null } = named;
  return resolver.resolve({ linked, email, source: null, login: null, saysBot: null }).merged_user_id;
}
