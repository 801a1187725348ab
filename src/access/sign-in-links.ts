import { stranger, ticketOf } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import { type Actor, audit } from '../store/audit.ts';
import { insertRows } from '../store/put-rows.ts';
import { signIns } from '../store/source-tables.ts';
import type { Reading, Store } from '../store/store.ts';
import { LookUps, type SecretSender } from './look-ups.ts';
import { type Passwords, passwordProblem, setPasswordIn } from './passwords.ts';
import { hashOf, isWellFormed, makeSecret, signInKind } from './secret-token.ts';
import type { BegunSession, Sessions } from './sign-in-sessions.ts';

export const signInHours = 24;
const gone = 'This sign-in link does not work: it has expired, another one was used instead, or it never existed.';
const notForOwners =
  'An Owner who can sign in already gets a link only from the operator of the server, who makes it with plumb person sign-in: the holder of a link takes the account over.';
const used = 'This sign-in link was used already: it works once.';

export interface Invitation {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly personId: string;
  readonly personName: string;
  readonly personEmail: string | null;
}

interface SignInsParts {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly now: () => Date;
}

/**
 * Links that let one person in once, to choose a password: the first one, or another in place of one they forgot. The
 * store keeps only a hash; looking at a link does not use it up.
 */
export class SignIns {
  readonly #parts: SignInsParts;
  readonly #lookUps = new LookUps();

  constructor(parts: SignInsParts) {
    this.#parts = parts;
  }

  /** Makes a link's token, valid once and for a day. */
  create(organisationId: string, actor: Actor, personId: string): Promise<string> {
    return this.#make(organisationId, actor, personId);
  }

  /**
   * A link for a person, made by an Owner on a page. Not for an Owner who can sign in already: the holder of the link
   * sets another password, and with it would act in the name of an equal.
   */
  invite(organisationId: string, actor: Actor, personId: string): Promise<string> {
    return this.#make(organisationId, actor, personId, async (session) => {
      if (await isOwnerWhoCanSignIn(session, organisationId, personId)) throw new Refusal('forbidden', notForOwners);
    });
  }

  #make(
    organisationId: string,
    actor: Actor,
    personId: string,
    mayBeMade: (session: Reading) => Promise<void> = async () => {},
  ): Promise<string> {
    const { store, now } = this.#parts;
    return store.change(organisationId, async (session) => {
      await mayBeMade(session);
      const at = now();
      const token = makeSecret(signInKind);
      await insertRows(session, signIns, [
        {
          hash: hashOf(token),
          organisation_id: organisationId,
          person_id: personId,
          created_at: at,
          expires_at: new Date(at.getTime() + signInHours * 3_600_000),
          used_at: null,
        },
      ]);
      await audit(session, actor, at, [{ action: 'sign-in.create', subject: personId }]);
      return token;
    });
  }

  /** The person whom a link would let in. */
  async peek(token: string, sender?: SecretSender): Promise<Invitation> {
    if (!isWellFormed(signInKind, token)) throw new Refusal('not-found', gone);
    const hash = hashOf(token);
    sender?.mayLookUp(hash);
    return this.#lookUps.take(sender, hash, () =>
      this.#parts.store.read((session) => this.#find(session, token), {
        ticket: ticketOf(stranger(sender?.address ?? '')),
      }),
    );
  }

  /** Uses a link up: the person it was made for has this password from now on, and is signed in here only. */
  async redeem(token: string, password: string, sender?: SecretSender): Promise<BegunSession & Invitation> {
    const { store, passwords, sessions, now } = this.#parts;
    const { organisationId, personEmail } = await this.peek(token, sender);
    const problem = passwordProblem(password, personEmail);
    if (problem !== undefined) throw new Refusal('bad-input', problem);
    const hashed = await passwords.hash(password, sender?.address);
    return store.change(organisationId, async (session) => {
      const invitation = await this.#find(session, token);
      const { personId } = invitation;
      const at = now();
      await session.run('UPDATE sign_ins SET used_at = $2::timestamptz WHERE hash = $1', [hashOf(token), at]);
      // Other open links of the person end with this one: a person who finds one later could otherwise set another
      // password.
      await session.run(
        `UPDATE sign_ins SET expires_at = $3::timestamptz
         WHERE organisation_id = $1 AND used_at IS NULL AND expires_at > $3::timestamptz
           AND person_id IN (SELECT id FROM people WHERE organisation_id = $1 AND effective_id = $2)`,
        [organisationId, personId, at],
      );
      const actor: Actor = { via: 'sign-in', personId };
      await setPasswordIn(session, actor, personId, { hashed, at });
      await sessions.endAllIn(session, actor, personId);
      return { ...(await sessions.beginIn(session, personId, 'link')), ...invitation };
    });
  }

  /** A link of a person who was since merged into another does not count: it was not made for the other. */
  async #find(session: Reading, token: string): Promise<Invitation> {
    const [found] = await session.rows<Invitation & { readonly usedAt: Date | null }>(
      `SELECT o.id AS "organisationId", o.name AS "organisationName", e.id AS "personId", e.name AS "personName",
              e.main_email AS "personEmail", s.used_at AS "usedAt"
       FROM sign_ins s
       JOIN organisations o ON o.id = s.organisation_id
       JOIN people e ON e.organisation_id = s.organisation_id AND e.id = s.person_id AND e.effective_id = e.id
       WHERE s.hash = $1 AND (s.used_at IS NOT NULL OR s.expires_at > $2::timestamptz)`,
      [hashOf(token), this.#parts.now()],
    );
    if (!found) throw new Refusal('not-found', gone);
    const { usedAt, ...invitation } = found;
    if (usedAt !== null) throw new Refusal('not-found', used);
    return invitation;
  }
}

/** Whether it is an Owner with a password, or known to an OpenID provider. */
async function isOwnerWhoCanSignIn(session: Reading, organisationId: string, personId: string): Promise<boolean> {
  const found = await session.rows(
    `SELECT 1 FROM people p
     WHERE p.organisation_id = $1 AND p.id = $2 AND p.access_role = 'Owner'
       AND (EXISTS (SELECT 1 FROM passwords w WHERE w.organisation_id = $1 AND w.person_id = $2)
         OR EXISTS (SELECT 1 FROM openid_subjects o WHERE o.organisation_id = $1 AND o.person_id = $2))`,
    [organisationId, personId],
  );
  return found.length > 0;
}
