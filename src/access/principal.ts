import { LRUCache } from 'lru-cache';
import type { AccessRole, Permission } from '../catalogue/directory-records.ts';
import { Refusal } from '../refusal.ts';
import type { Reading, Store } from '../store/store.ts';
import { type Caller, stranger, turnOf } from '../turns/turn.ts';
import { LookUps, type SecretSender } from './look-ups.ts';
import { apiKeyKind, hashOf, isWellFormed } from './secret-token.ts';
import { type Visibility, visibilityOf } from './visibility.ts';

/** Who asks: a key of one organisation, acting with what its creator is now. */
export interface Principal {
  readonly organisationId: string;
  readonly keyId: string;
  readonly personId: string;
  /** Who really asks, where somebody at the command line does so in this person's name. */
  readonly user?: string;
  readonly role: AccessRole;
  readonly permissions: readonly Permission[];
  /** Whose rows they see. */
  readonly visibility: Visibility;
  /** In which days begin and end. */
  readonly timeZone: string;
  /** Whether the organisation shows salaries at all. */
  readonly salaryVisibility: boolean;
  /** Where answers to surveys are anonymous: the fewest respondents of a survey whose answers are shown. */
  readonly respondentsLeast?: number | undefined;
}

interface KnownPrincipal {
  readonly principal: Principal;
  readonly version: number;
  readonly expiresAt: Date | null;
}

interface KeyRow {
  readonly key_id: string;
  readonly organisation_id: string;
  readonly version: number;
  readonly expires_at: Date | null;
  readonly person_id: string;
  readonly access_role: AccessRole;
  readonly permissions: string;
  readonly time_zone: string;
  readonly team_restrictions: boolean;
  readonly salary_visibility: boolean;
  readonly survey_privacy: string | null;
  readonly survey_minimum_group: number;
}

const columns = `o.id AS organisation_id, o.version, o.time_zone, o.team_restrictions, o.salary_visibility, o.survey_privacy,
  o.survey_minimum_group,  e.id AS person_id, e.access_role, e.permissions`;

async function principalFrom(session: Reading, row: Omit<KeyRow, 'expires_at'>): Promise<Principal> {
  const { organisation_id: organisationId, person_id: personId, access_role: role } = row;
  return {
    organisationId,
    keyId: row.key_id,
    personId,
    role,
    permissions: JSON.parse(row.permissions) as Permission[],
    visibility: await visibilityOf(session, {
      organisationId,
      personId,
      role,
      isTeamRestricted: row.team_restrictions,
    }),
    timeZone: row.time_zone,
    salaryVisibility: row.salary_visibility,
    respondentsLeast: row.survey_privacy === 'anonymous' ? row.survey_minimum_group : undefined,
  };
}

/** Someone as they are now, for whoever may act for them on this machine. */
export async function actAs(store: Store, organisationId: string, personId: string, user: string): Promise<Principal> {
  return store.read(async (session) => {
    const [row] = await session.rows<Omit<KeyRow, 'expires_at'>>(
      `SELECT '' AS key_id, ${columns} FROM people p
       JOIN organisations o ON o.id = p.organisation_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE p.organisation_id = $1 AND p.id = $2`,
      [organisationId, personId],
    );
    if (!row) throw new Refusal('not-found', `There is no person ${personId} in this organisation.`);
    return { ...(await principalFrom(session, row)), user };
  });
}

const keysMost = 10_000;
const notValid = 'Invalid or missing API key.';

/**
 * Turns the Authorization header into a principal. What is known about a key is kept only as long as its organisation
 * does not change, so a revocation, a demotion or a removal takes effect with the very next request. Only keys that were
 * found are kept: whoever guesses takes no memory.
 */
export class Authentication {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #lookUps = new LookUps();
  readonly #known = new LRUCache<string, KnownPrincipal>({ max: keysMost });
  /** Keys that are being read: many requests with one key are one piece of work. */
  readonly #reading = new Map<string, Promise<KnownPrincipal | undefined>>();

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Whose key this was when it was last used here. Looks nothing up, and lets nobody in. */
  known(header: string | undefined): Principal | undefined {
    return this.#known.get(hashOf(header?.trim() ?? ''))?.principal;
  }

  /** Whatever is wrong with a key, the caller learns the same: nothing about other keys. */
  async authenticate(header: string | undefined, sender?: SecretSender): Promise<Principal> {
    const key = header?.trim() ?? '';
    if (/^bearer(\s|$)/i.test(key)) {
      throw new Refusal(
        'unauthenticated',
        `${notValid} Send the key alone in the Authorization header, without 'Bearer'.`,
      );
    }
    const hash = hashOf(key);
    const kept = this.#known.get(hash);
    const isGood = kept !== undefined && this.#isCurrent(kept);
    // A mistyped key is known to be wrong before anything is looked up; one that is known need not be checked again.
    if (!isGood && !isWellFormed(apiKeyKind, key)) throw new Refusal('unauthenticated', notValid);
    const known = isGood ? kept : kept ? await this.#readAgain(hash, kept) : await this.#lookUp(hash, sender);
    if (!known || (known.expiresAt && known.expiresAt <= this.#now())) throw new Refusal('unauthenticated', notValid);
    return known.principal;
  }

  #isCurrent({ principal, version }: KnownPrincipal): boolean {
    const current = this.#store.versionOf(principal.organisationId);
    return current !== undefined && version >= current;
  }

  /** A key that was good, in an organisation that has changed since. It is read in the organisation's own turn. */
  #readAgain(hash: string, { principal }: KnownPrincipal): Promise<KnownPrincipal | undefined> {
    return this.#once(hash, () => this.#find(hash, principal));
  }

  /** A key that nobody has used here. Addresses take turns, so that many guesses keep nobody else waiting. */
  async #lookUp(hash: string, sender: SecretSender | undefined): Promise<KnownPrincipal | undefined> {
    sender?.mayLookUp(hash);
    const from = sender?.address ?? '';
    return this.#once(`${from} ${hash}`, () =>
      this.#lookUps.take(sender, hash, () => this.#find(hash, stranger(from))),
    );
  }

  /** Joins what is being read already. What that finds is good for those who came later only if nothing has changed. */
  async #once(name: string, read: () => Promise<KnownPrincipal | undefined>): Promise<KnownPrincipal | undefined> {
    const joined = this.#reading.get(name);
    if (joined) {
      const known = await joined;
      if (!known || this.#isCurrent(known)) return known;
    }
    const reading = read();
    this.#reading.set(name, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(name) === reading) this.#reading.delete(name);
    }
  }

  async #find(hash: string, caller: Caller): Promise<KnownPrincipal | undefined> {
    const find = async (session: Reading): Promise<KnownPrincipal | undefined> => {
      const [row] = await session.rows<KeyRow>(
        `SELECT k.id AS key_id, k.expires_at, ${columns}
         FROM api_keys k
         JOIN organisations o ON o.id = k.organisation_id
         JOIN people p ON p.organisation_id = k.organisation_id AND p.id = k.creator_id
         JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
         WHERE k.hash = $1 AND k.revoked_at IS NULL`,
        [hash],
      );
      return row && { principal: await principalFrom(session, row), version: row.version, expiresAt: row.expires_at };
    };
    const known = await this.#store.read(find, { turn: turnOf(caller) });
    if (!known) {
      this.#known.delete(hash);
      return undefined;
    }
    this.#known.set(hash, known);
    return known;
  }
}
