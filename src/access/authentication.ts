import { type Caller, stranger, ticketOf } from '../admission/ticket.ts';
import { recentlyUsed } from '../recently-used.ts';
import { Refusal } from '../refusal.ts';
import type { Reading, Store } from '../store/store.ts';
import { LookUps, type SecretSender } from './look-ups.ts';
import { type Principal, type PrincipalRow, principalColumns, principalFrom, type SignInMethod } from './principal.ts';
import { apiKeyKind, hashOf, isWellFormed, type SecretKind, sessionKind } from './secret-token.ts';
import { idleMs, lifeMs } from './sign-in-sessions.ts';

const maxKnown = 10_000;

/**
 * Turns a key or a session into a principal. What is known about one is kept only as long as its organisation does not
 * change, so a revocation, a demotion or a removal takes effect with the very next request. Only keys that were found
 * are kept, so guesses take no memory.
 */
export class Authentication {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #lookUps = new LookUps();
  readonly #known = recentlyUsed<KnownPrincipal>(maxKnown);
  /** Reads under way: many requests with one key or session share one piece of work. */
  readonly #reading = new Map<string, Promise<KnownPrincipal | undefined>>();

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * The principal of this key or session when it was last used here. The function looks nothing up, and lets nobody in.
   */
  known(secret: string | undefined): KnownPrincipal | undefined {
    return this.#known.get(hashOf(secret?.trim() ?? ''));
  }

  /** The sender of a key that was used here before. Answers without waiting where nothing has to be looked up. */
  recognise(known: KnownPrincipal): Principal | undefined {
    const isGood = !known.principal.session && this.#isCurrent(known) && this.#use(known);
    return isGood ? known.principal : undefined;
  }

  /** The sender of this Authorization header. */
  async authenticate(header: string | undefined, sender?: SecretSender): Promise<Principal> {
    const key = header?.trim() ?? '';
    if (/^bearer(\s|$)/i.test(key)) {
      throw new Refusal(
        'unauthenticated',
        "Invalid or missing API key. Send the key alone in the Authorization header, without 'Bearer'.",
      );
    }
    return this.#principalOf(keyCredential, key, sender);
  }

  /** The sender of this session cookie. Counts as a use of the session. */
  authenticateSession(token: string | undefined, sender?: SecretSender): Promise<Principal> {
    return this.#principalOf(sessionCredential, token ?? '', sender);
  }

  async #principalOf(credential: Credential, secret: string, sender: SecretSender | undefined): Promise<Principal> {
    const known = this.#current(credential, secret) ?? (await this.#read(credential, secret, sender));
    if (!known || !this.#use(known)) throw new Refusal('unauthenticated', credential.invalid);
    return known.principal;
  }

  /**
   * A session that was found before, whose organisation has not changed since. A session that was not used here for
   * long may have been used at another server: only the store knows.
   */
  #current({ kind }: Credential, secret: string): KnownPrincipal | undefined {
    if (!secret.startsWith(kind.prefix)) return undefined;
    const kept = this.#known.get(hashOf(secret));
    return kept && this.#isCurrent(kept) && !isIdle(kept, this.#now()) ? kept : undefined;
  }

  async #read(
    credential: Credential,
    secret: string,
    sender: SecretSender | undefined,
  ): Promise<KnownPrincipal | undefined> {
    // A mistyped one is known to be wrong before anything is looked up.
    if (!isWellFormed(credential.kind, secret)) return undefined;
    const hash = hashOf(secret);
    const kept = this.#known.get(hash);
    return kept ? this.#readAgain(credential, hash, kept) : this.#lookUp(credential, hash, sender);
  }

  /** Says whether one has not ended. Using a session makes it last. */
  #use(known: KnownPrincipal): boolean {
    const now = this.#now();
    if (hasEnded(known, now)) return false;
    if (known.usedAt) known.usedAt = now;
    return true;
  }

  #isCurrent({ principal, version }: KnownPrincipal): boolean {
    const current = this.#store.versionOf(principal.organisationId);
    return current !== undefined && version >= current;
  }

  /** A known key or session in an organisation that has changed since. It is read in the organisation's own turn. */
  async #readAgain(credential: Credential, hash: string, kept: KnownPrincipal): Promise<KnownPrincipal | undefined> {
    const known = await this.#once(hash, () => this.#find(credential, hash, kept.principal));
    // The store hears of uses some seconds later.
    if (known?.usedAt && kept.usedAt && known.usedAt < kept.usedAt) known.usedAt = kept.usedAt;
    return known;
  }

  /** A secret that nobody has used here. Addresses take turns, so that many guesses delay nobody else. */
  async #lookUp(
    credential: Credential,
    hash: string,
    sender: SecretSender | undefined,
  ): Promise<KnownPrincipal | undefined> {
    sender?.mayLookUp(hash);
    const from = sender?.address ?? '';
    return this.#once(`${from} ${hash}`, () =>
      this.#lookUps.take(sender, hash, () => this.#find(credential, hash, stranger(from))),
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

  async #find({ find }: Credential, hash: string, caller: Caller): Promise<KnownPrincipal | undefined> {
    const known = await this.#store.read((session) => find(session, hash), { ticket: ticketOf(caller) });
    if (!known) {
      this.#known.delete(hash);
      return undefined;
    }
    this.#known.set(hash, known);
    return known;
  }
}

const isIdle = ({ usedAt }: KnownPrincipal, now: Date): boolean =>
  usedAt !== undefined && now.getTime() - usedAt.getTime() >= idleMs;

const hasEnded = (known: KnownPrincipal, now: Date): boolean =>
  (known.expiresAt !== null && known.expiresAt <= now) || isIdle(known, now);

/** A caller by a key or a session, as they were at a version of their organisation. */
export interface KnownPrincipal {
  readonly principal: Principal;
  readonly version: number;
  readonly expiresAt: Date | null;
  /** Notes when a session was last used. */
  usedAt?: Date;
}

interface KeyRow extends PrincipalRow {
  readonly expires_at: Date | null;
}

interface SignInSessionRow extends PrincipalRow {
  readonly session_id: string;
  readonly method: SignInMethod;
  readonly created_at: Date;
  readonly last_used_at: Date;
}

const invalidKey =
  'Invalid or missing API key. Send a valid key alone in the header Authorization. `plumb key create` makes one.';

/** A kind of secret that says who the caller is. */
interface Credential {
  readonly kind: SecretKind;
  readonly find: (session: Reading, hash: string) => Promise<KnownPrincipal | undefined>;
  /** Whatever is wrong with one, the caller learns the same: nothing about others. */
  readonly invalid: string;
}

const keyCredential: Credential = {
  kind: apiKeyKind,
  invalid: invalidKey,
  find: async (session, hash) => {
    const [row] = await session.rows<KeyRow>(
      `SELECT k.id AS key_id, k.expires_at, ${principalColumns}
       FROM api_keys k
       JOIN organisations o ON o.id = k.organisation_id
       JOIN people p ON p.organisation_id = k.organisation_id AND p.id = k.creator_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE k.hash = $1 AND k.revoked_at IS NULL`,
      [hash],
    );
    return row && { principal: await principalFrom(session, row), version: row.version, expiresAt: row.expires_at };
  },
};

const sessionCredential: Credential = {
  kind: sessionKind,
  invalid: 'You are not signed in, or your session has ended. Sign in again.',
  find: async (session, hash) => {
    const [row] = await session.rows<SignInSessionRow>(
      `SELECT s.id AS session_id, s.method, s.created_at, s.last_used_at,
              'person ' || o.id || ' ' || e.id AS key_id, ${principalColumns}
       FROM sessions s
       JOIN organisations o ON o.id = s.organisation_id
       JOIN people p ON p.organisation_id = s.organisation_id AND p.id = s.person_id
       JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
       WHERE s.hash = $1`,
      [hash],
    );
    if (!row) return undefined;
    return {
      principal: { ...(await principalFrom(session, row)), session: { id: row.session_id, method: row.method } },
      version: row.version,
      expiresAt: new Date(row.created_at.getTime() + lifeMs),
      usedAt: row.last_used_at,
    };
  },
};
