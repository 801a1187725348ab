import { recentlyUsed } from '../recently-used.ts';
import { Refusal } from '../refusal.ts';

const windowMs = 15 * 60_000;
/** Of one account from one address. */
const ofBothMost = 10;
const ofAddressMost = 50;
/** Of one account from anywhere: wide enough that nobody locks somebody else out with a few wrong passwords. */
const ofAccountMost = 100;
const countedMost = 50_000;

interface FailureWindow {
  count: number;
  readonly endsAt: number;
}

/**
 * How often signing in may fail: for an account from one address, from an address, and for an account from anywhere.
 * Every attempt counts as failed until it has succeeded, so that many at once are no way around the limit.
 */
export class FailedSignIns {
  readonly #windows = recentlyUsed<FailureWindow>(countedMost);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Counts an attempt, or refuses it. Call what it returns when the attempt has succeeded. */
  begin(account: string, address: string): () => void {
    const counted = [
      { window: this.#windowOf(`both ${address} ${account}`), most: ofBothMost },
      { window: this.#windowOf(`account ${account}`), most: ofAccountMost },
      { window: this.#windowOf(`address ${address}`), most: ofAddressMost },
    ];
    const full = counted.find(({ window, most }) => window.count >= most);
    if (full) {
      const seconds = Math.max(1, Math.ceil((full.window.endsAt - this.#now().getTime()) / 1_000));
      const minutes = Math.ceil(seconds / 60);
      throw new Refusal(
        'too-many-requests',
        `Signing in has failed too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or ask an owner for a sign-in link.`,
        { retryAfterSeconds: seconds },
      );
    }
    for (const { window } of counted) window.count += 1;
    return () => {
      for (const { window } of counted) window.count -= 1;
    };
  }

  #windowOf(who: string): FailureWindow {
    const at = this.#now().getTime();
    const known = this.#windows.get(who);
    // A window that ends further away than it is long was begun before the clock was set back.
    if (known && at < known.endsAt && known.endsAt - at <= windowMs) return known;
    const begun = { count: 0, endsAt: at + windowMs };
    this.#windows.set(who, begun);
    return begun;
  }
}
