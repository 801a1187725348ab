import { Refusal } from '../refusal.ts';
import { type Actor, audit } from '../store/audit.ts';
import { insertRows } from '../store/rows.ts';
import { signIns } from '../store/sign-in-tables.ts';
import type { OrganisationWriting, Reading, Store } from '../store/store.ts';
import { stranger, turnOf } from '../turns/turn.ts';
import type { ApiKeys, MadeKey } from './api-keys.ts';
import { LookUps, type SecretSender } from './look-ups.ts';
import { hashOf, isWellFormed, makeSecret, signInKind } from './secret-token.ts';

export const signInHours = 24;
const gone = 'This sign-in link does not work: it was used already, has expired, or never existed.';

export interface Invitation {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly personId: string;
  readonly personName: string;
}

/** Links that let one person in once. The store keeps only a hash; looking at a link does not use it up. */
export class SignIns {
  readonly #store: Store;
  readonly #keys: ApiKeys;
  readonly #now: () => Date;
  readonly #lookUps = new LookUps();

  constructor(store: Store, keys: ApiKeys, now: () => Date) {
    this.#store = store;
    this.#keys = keys;
    this.#now = now;
  }

  /** Makes a link's token, valid once and for a day. */
  create(organisationId: string, actor: Actor, personId: string): Promise<string> {
    return this.#store.change(organisationId, async (session) => {
      const at = this.#now();
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

  /** Whom a link would let in. */
  async peek(token: string, sender?: SecretSender): Promise<Invitation> {
    if (!isWellFormed(signInKind, token)) throw new Refusal('not-found', gone);
    const hash = hashOf(token);
    sender?.mayLookUp(hash);
    return this.#lookUps.take(sender, hash, () =>
      this.#store.read((session) => this.#find(session, token), { turn: turnOf(stranger(sender?.address ?? '')) }),
    );
  }

  /** Uses a link up and makes a key for the person it was made for. */
  async redeem(token: string, keyName: string, sender?: SecretSender): Promise<MadeKey & Invitation> {
    const { organisationId } = await this.peek(token, sender);
    return this.#store.change(organisationId, async (session) => {
      const invitation = await this.#find(session, token);
      await this.#useUp(session, token);
      const actor: Actor = { via: 'sign-in', personId: invitation.personId };
      const made = await this.#keys.createIn(session, actor, { creatorId: invitation.personId, name: keyName });
      return { ...made, ...invitation };
    });
  }

  async #useUp(session: OrganisationWriting, token: string): Promise<void> {
    await session.run('UPDATE sign_ins SET used_at = $2::timestamptz WHERE hash = $1', [hashOf(token), this.#now()]);
  }

  async #find(session: Reading, token: string): Promise<Invitation> {
    const [found] = await session.rows<Invitation>(
      `SELECT o.id AS "organisationId", o.name AS "organisationName", e.id AS "personId", e.name AS "personName"
       FROM sign_ins s
       JOIN organisations o ON o.id = s.organisation_id
       JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE s.hash = $1 AND s.used_at IS NULL AND s.expires_at > $2::timestamptz`,
      [hashOf(token), this.#now()],
    );
    if (!found) throw new Refusal('not-found', gone);
    return found;
  }
}
