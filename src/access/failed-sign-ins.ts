import { recentlyUsed } from '../recently-used.ts';
import { Refusal } from '../refusal.ts';
import { type AuditEvent, hourOf, writeEvents } from '../store/audit.ts';
import type { Store } from '../store/store.ts';

const windowMs = 15 * 60_000;
/** Failures of one account from one address. */
const maxForBoth = 10;
const maxForAddress = 50;
/**
 * Failures of one account from any address: so many that nobody locks another person out with a few wrong passwords.
 */
const maxForAccount = 100;
const maxCounted = 50_000;

interface FailureWindow {
  count: number;
  readonly endsAt: number;
}

/**
 * How often signing in may fail: for an account from one address, from an address, and for an account from anywhere.
 * Every attempt counts as failed until it has succeeded, so that many at once are no way around the limit.
 */
export class FailedSignIns {
  readonly #windows = recentlyUsed<FailureWindow>(maxCounted);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Counts an attempt, or refuses it. Call what it returns when the attempt has succeeded. */
  begin(account: string, address: string): () => void {
    const limits = [
      { who: `both ${address} ${account}`, max: maxForBoth },
      { who: `account ${account}`, max: maxForAccount },
      { who: `address ${address}`, max: maxForAddress },
    ];
    const full = limits.map(({ who, max }) => this.#fullWindow(who, max)).find((window) => window !== undefined);
    if (full) {
      const seconds = Math.max(1, Math.ceil((full.endsAt - this.#now().getTime()) / 1_000));
      const minutes = Math.ceil(seconds / 60);
      throw new Refusal(
        'too-many-requests',
        `Signing in has failed too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or ask an owner for a sign-in link.`,
        { retryAfterSeconds: seconds },
      );
    }
    // Only now: attempts that are refused, of which there can be any number, must not push out those of others.
    const counted = limits.map(({ who }) => this.#windowOf(who));
    for (const window of counted) window.count += 1;
    return () => {
      for (const window of counted) window.count -= 1;
    };
  }

  #fullWindow(who: string, max: number): FailureWindow | undefined {
    const window = this.#openWindow(who);
    return window && window.count >= max ? window : undefined;
  }

  #openWindow(who: string): FailureWindow | undefined {
    const at = this.#now().getTime();
    const known = this.#windows.get(who);
    // A window that ends further away than it is long was begun before the clock was set back.
    return known && at < known.endsAt && known.endsAt - at <= windowMs ? known : undefined;
  }

  #windowOf(who: string): FailureWindow {
    const known = this.#openWindow(who);
    if (known) return known;
    const begun = { count: 0, endsAt: this.#now().getTime() + windowMs };
    this.#windows.set(who, begun);
    return begun;
  }
}

/** The account whose password was wrong. */
interface FailedMember {
  readonly organisationId: string;
  readonly personId: string;
}

/** An entry that is forgotten here is offered to the store again, which keeps one entry all the same. */
const maxNoted = 10_000;

/**
 * Writes failed sign-ins into the audit log: one entry for each person and clock hour, with the address that
 * came first, so that nobody can fill the log by guessing. Nobody waits for it: how long an answer takes must not tell
 * who has an account.
 */
export class FailedSignInLog {
  readonly #store: Pick<Store, 'note'>;
  readonly #now: () => Date;
  readonly #onError: (error: unknown) => void;
  readonly #noted = recentlyUsed<true>(maxNoted);
  #writing: Promise<unknown> = Promise.resolve();

  constructor(store: Pick<Store, 'note'>, now: () => Date, onError: (error: unknown) => void) {
    this.#store = store;
    this.#now = now;
    this.#onError = onError;
  }

  note(members: readonly FailedMember[], address: string): void {
    const at = this.#now();
    const events = members.flatMap(({ organisationId, personId }): AuditEvent[] => {
      const id = `sign-in.fail ${hourOf(at)} ${personId}`;
      const key = `${organisationId} ${id}`;
      if (this.#noted.has(key)) return [];
      this.#noted.set(key, true);
      const actor = { via: 'sign-in' } as const;
      return [{ organisationId, id, actor, at, action: 'sign-in.fail', subject: personId, details: { address } }];
    });
    if (events.length === 0) return;
    const writing = this.#store.note((session) => writeEvents(session, events)).catch(this.#onError);
    this.#writing = Promise.all([this.#writing, writing]);
  }

  /** Settles when everything noted so far is written. */
  async written(): Promise<void> {
    await this.#writing;
  }
}
