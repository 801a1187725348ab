import { type Caller, stranger, ticketOf } from '../admission/ticket.ts';
import { recentlyUsed } from '../recently-used.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { type Credential, type KnownPrincipal, keyCredential, sessionCredential } from './credentials.ts';
import { LookUps, type SecretSender } from './look-ups.ts';
import type { Principal } from './principal.ts';
import { hashOf, isWellFormed } from './secret-token.ts';
import { idleMs } from './session.ts';

const knownMost = 10_000;

/**
 * Turns a key or a session into a principal. What is known about one is kept only as long as its organisation does not
 * change, so a revocation, a demotion or a removal takes effect with the very next request. Only keys that were found
 * are kept, so guesses take no memory.
 */
export class Authentication {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #lookUps = new LookUps();
  readonly #known = recentlyUsed<KnownPrincipal>(knownMost);
  /** What is being read: many requests with one key or session are one piece of work. */
  readonly #reading = new Map<string, Promise<KnownPrincipal | undefined>>();

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Whose key or session this was when it was last used here. Looks nothing up, and lets nobody in. */
  known(secret: string | undefined): KnownPrincipal | undefined {
    return this.#known.get(hashOf(secret?.trim() ?? ''));
  }

  /** Who sends a key that was used here before, where nothing has to be looked up to say so. Without waiting. */
  recognise(known: KnownPrincipal): Principal | undefined {
    const isGood = !known.principal.session && this.#isCurrent(known) && this.#use(known);
    return isGood ? known.principal : undefined;
  }

  /** Who sends this as the header Authorization. */
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

  /** Who sends this as the cookie of a session. Counts as a use of it. */
  authenticateSession(token: string | undefined, sender?: SecretSender): Promise<Principal> {
    return this.#principalOf(sessionCredential, token ?? '', sender);
  }

  async #principalOf(credential: Credential, secret: string, sender: SecretSender | undefined): Promise<Principal> {
    const known = this.#current(credential, secret) ?? (await this.#read(credential, secret, sender));
    if (!known || !this.#use(known)) throw new Refusal('unauthenticated', credential.invalid);
    return known.principal;
  }

  /**
   * One that was found before, whose organisation has not changed since. A session that was not used here for long may have
   * been used at another server: only the store knows.
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

  /** One that was good, in an organisation that has changed since. It is read in the organisation's own turn. */
  async #readAgain(credential: Credential, hash: string, kept: KnownPrincipal): Promise<KnownPrincipal | undefined> {
    const known = await this.#once(hash, () => this.#find(credential, hash, kept.principal));
    // The store hears of uses some seconds later.
    if (known?.usedAt && kept.usedAt && known.usedAt < kept.usedAt) known.usedAt = kept.usedAt;
    return known;
  }

  /** One that nobody has used here. Addresses take turns, so that many guesses keep nobody else waiting. */
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
