import { randomBytes } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import { insertRows } from '../store/put-rows.ts';
import { signIns } from '../store/source-tables.ts';
import type { Reading, Store, Writing } from '../store/store.ts';
import type { SignInMethod } from './principal.ts';
import { hashOf } from './secret-token.ts';
import type { BegunSession, Sessions } from './sign-in-sessions.ts';

/** A person who has shown who they are, in one of the organisations that know them. */
export interface ProvenMember {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly personId: string;
}

/** Signed in, or asked for which of several organisations. */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly session: BegunSession }
  | { readonly kind: 'several'; readonly choice: string; readonly organisations: readonly ProvenMember[] };

/** The token that a form sends back. It proves who somebody is, and in which organisations. */
interface Choice {
  readonly method: SignInMethod;
  readonly organisationIds: readonly string[];
}

const minutes = 5;

/**
 * Begins a session in the one organisation that knows a person, or asks them which of several they mean. The answer may come
 * to another server than the question: what proves who they are is in the store, as a hash for each organisation.
 */
export class OrganisationChoices {
  readonly #store: Store;
  readonly #sessions: Sessions;
  readonly #now: () => Date;

  constructor(store: Store, sessions: Sessions, now: () => Date) {
    this.#store = store;
    this.#sessions = sessions;
    this.#now = now;
  }

  async enter(memberships: readonly ProvenMember[], method: SignInMethod): Promise<SignInOutcome> {
    const [only, ...others] = memberships;
    if (!only) throw new Error('a person without an organisation was let in');
    if (others.length === 0) {
      return { kind: 'signed-in', session: await this.#sessions.begin(only.organisationId, only.personId, method) };
    }
    const choice = made({ method, organisationIds: memberships.map(({ organisationId }) => organisationId) });
    await this.#store.note((session) => this.#keep(session, choice, memberships));
    return { kind: 'several', choice, organisations: memberships };
  }

  /** Answers the question, once. */
  async choose(choice: string, organisationId: string): Promise<BegunSession> {
    const { method, organisationIds } = read(choice);
    const isOpen =
      organisationIds.includes(organisationId) &&
      (await this.#store.read((session) => this.#personIn(session, choice, organisationId))) !== undefined;
    if (!isOpen) throw tooLate();
    return this.#store.change(organisationId, async (session) => {
      const personId = await this.#personIn(session, choice, organisationId);
      const used = await session.rows('DELETE FROM sign_ins WHERE hash IN (SELECT unnest($1::text[])) RETURNING hash', [
        organisationIds.map((id) => hashIn(choice, id)),
      ]);
      // Of two answers at once, the other has taken it.
      if (personId === undefined || used.length === 0) throw tooLate();
      return this.#sessions.beginIn(session, personId, method);
    });
  }

  async #keep(session: Writing, choice: string, memberships: readonly ProvenMember[]): Promise<void> {
    const at = this.#now();
    for (const { organisationId, personId } of memberships) {
      // Choices that nobody answered, and links that nobody used.
      await session.run(
        `DELETE FROM sign_ins WHERE organisation_id = $1 AND person_id = $2 AND used_at IS NULL
         AND expires_at <= $3::timestamptz`,
        [organisationId, personId, at],
      );
    }
    await insertRows(
      session,
      signIns,
      memberships.map(({ organisationId, personId }) => ({
        hash: hashIn(choice, organisationId),
        organisation_id: organisationId,
        person_id: personId,
        created_at: at,
        expires_at: new Date(at.getTime() + minutes * 60_000),
        used_at: null,
      })),
    );
  }

  /** The person whom a valid choice lets into an organisation. */
  async #personIn(session: Reading, choice: string, organisationId: string): Promise<string | undefined> {
    const [row] = await session.rows<{ readonly person_id: string }>(
      'SELECT person_id FROM sign_ins WHERE hash = $1 AND used_at IS NULL AND expires_at > $2::timestamptz',
      [hashIn(choice, organisationId), this.#now()],
    );
    return row?.person_id;
  }
}

const tooLate = (): Refusal => new Refusal('bad-input', `That took longer than ${minutes} minutes. Sign in again.`);

/** Hashed in another way than links, so that no link passes for a choice. */
const hashIn = (choice: string, organisationId: string): string => hashOf(`${choice} ${organisationId}`);

const made = ({ method, organisationIds }: Choice): string =>
  Buffer.from(JSON.stringify([randomBytes(24).toString('base64url'), method, ...organisationIds])).toString(
    'base64url',
  );

/** Whatever was changed in it is found by none of its hashes. */
function read(choice: string): Choice {
  try {
    const [, method, ...organisationIds] = JSON.parse(Buffer.from(choice, 'base64url').toString()) as string[];
    return { method: method as SignInMethod, organisationIds };
  } catch {
    throw tooLate();
  }
}
