import { v4 } from 'uuid';
import { msPerDay } from '../calendar.ts';
import { type Actor, audit } from '../store/audit.ts';
import { insertRows } from '../store/put-rows.ts';
import { sessions } from '../store/source-tables.ts';
import type { OrganisationWriting, Store } from '../store/store.ts';
import type { Principal, SignInMethod } from './principal.ts';
import { hashOf, makeSecret, sessionKind } from './secret-token.ts';

/** A session ends when it was not used for so long, */
export const idleMs = 12 * 3_600_000;
/** and this long after it began in any case. */
export const lifeMs = 30 * msPerDay;

/** A session that has just begun: its token is for the cookie of the person, and shown to no one else. */
export interface BegunSession {
  readonly id: string;
  readonly token: string;
}

/** A session as its person sees it. */
interface ListedSession {
  readonly id: string;
  readonly method: SignInMethod;
  readonly created_at: Date;
  readonly last_used_at: Date;
  readonly is_this: boolean;
}

/** Sessions that one person may have. One more sign-in ends the session that was used least recently. */
const maxSessions = 50;

/** People who are signed in: begun, listed, ended. The store keeps a hash of what the cookie holds. */
export class Sessions {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  begin(organisationId: string, personId: string, method: SignInMethod): Promise<BegunSession> {
    return this.#store.change(organisationId, (session) => this.beginIn(session, personId, method));
  }

  /** Begins a session inside a transaction that has more to do. */
  async beginIn(session: OrganisationWriting, personId: string, method: SignInMethod): Promise<BegunSession> {
    const at = this.#now();
    const token = makeSecret(sessionKind);
    const id = v4();
    await this.#clearAway(session, personId, at);
    await insertRows(session, sessions, [
      {
        id,
        organisation_id: session.organisationId,
        person_id: personId,
        hash: hashOf(token),
        method,
        created_at: at,
        last_used_at: at,
      },
    ]);
    await audit(session, { via: 'sign-in', personId }, at, [
      { action: 'session.begin', subject: personId, details: { method } },
    ]);
    return { id, token };
  }

  /** The caller’s own sessions, the newest first. */
  async list({ organisationId, personId, session: own }: Principal): Promise<ListedSession[]> {
    const at = this.#now();
    const rows = await this.#store.read((session) =>
      session.rows<Omit<ListedSession, 'is_this'>>(
        `SELECT s.id, s.method, s.created_at, s.last_used_at FROM sessions s
         JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
         WHERE s.organisation_id = $1 AND p.effective_id = $2
           AND s.created_at > $3::timestamptz AND s.last_used_at > $4::timestamptz
         ORDER BY s.created_at DESC, s.id`,
        [organisationId, personId, new Date(at.getTime() - lifeMs), new Date(at.getTime() - idleMs)],
      ),
    );
    return rows.map((row) => ({ ...row, is_this: row.id === own?.id }));
  }

  /** Whether the caller is still signed in, as the same person with the same role. Does not count as a use of the session. */
  async isAlive({ organisationId, personId, role, session: own }: Principal): Promise<boolean> {
    const at = this.#now();
    const rows = await this.#store.read((session) =>
      session.rows(
        `SELECT 1 AS alive FROM sessions s
         JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
         JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
         WHERE s.organisation_id = $1 AND s.id = $2 AND e.id = $3 AND e.access_role = $4
           AND s.created_at > $5::timestamptz AND s.last_used_at > $6::timestamptz`,
        [
          organisationId,
          own?.id ?? '',
          personId,
          role,
          new Date(at.getTime() - lifeMs),
          new Date(at.getTime() - idleMs),
        ],
      ),
    );
    return rows.length > 0;
  }

  /** Signs the caller out: of the session by which they ask, or of all that they have. */
  end({ organisationId, personId, session: own }: Principal, where: 'here' | 'everywhere'): Promise<void> {
    return this.#store.change(organisationId, async (session) => {
      const actor: Actor = { via: 'session', personId };
      if (where === 'everywhere') await this.endAllIn(session, actor, personId);
      else if (own) await this.#endOne(session, actor, own.id);
    });
  }

  /** Ends every session of a person, but for one where that is said. */
  async endAllIn(session: OrganisationWriting, actor: Actor, personId: string, except = ''): Promise<void> {
    const ended = await session.rows<{ id: string }>(
      `SELECT s.id FROM sessions s
       JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
       WHERE s.organisation_id = $1 AND p.effective_id = $2 AND s.id <> $3`,
      [session.organisationId, personId, except],
    );
    if (ended.length === 0) return;
    await remove(
      session,
      ended.map(({ id }) => id),
    );
    await audit(session, actor, this.#now(), [
      { action: 'session.end', subject: personId, details: { sessions: ended.length } },
    ]);
  }

  async #endOne(session: OrganisationWriting, actor: Actor & { readonly personId: string }, id: string): Promise<void> {
    await remove(session, [id]);
    await audit(session, actor, this.#now(), [
      { action: 'session.end', subject: actor.personId, details: { sessions: 1 } },
    ]);
  }

  /** Sessions of the organisation that have ended by themselves, and those that are one too many. */
  async #clearAway(session: OrganisationWriting, personId: string, at: Date): Promise<void> {
    await session.run(
      `DELETE FROM sessions WHERE organisation_id = $1
       AND (created_at <= $2::timestamptz OR last_used_at <= $3::timestamptz)`,
      [session.organisationId, new Date(at.getTime() - lifeMs), new Date(at.getTime() - idleMs)],
    );
    const tooMany = await session.rows<{ id: string }>(
      `SELECT id FROM sessions WHERE organisation_id = $1 AND person_id = $2
       ORDER BY last_used_at DESC, id OFFSET ${maxSessions - 1}`,
      [session.organisationId, personId],
    );
    await remove(
      session,
      tooMany.map(({ id }) => id),
    );
  }
}

async function remove(session: OrganisationWriting, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await session.run('DELETE FROM sessions WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[]))', [
    session.organisationId,
    ids,
  ]);
}
