import { Refusal } from '../refusal.ts';
import { type Shares, Turns } from '../turns/turns.ts';
import type { StoreTurn } from './store.ts';

const waiting = { organisation: 1_000, key: 500 };

/** A few readers or writers of a store at once: organisations and their keys take turns. */
export class StoreTurns {
  readonly #turns: Turns;

  constructor(places: Shares) {
    this.#turns = new Turns({ places, waiting, crowded });
  }

  take<T>({ turn, signal, organisationId = '' }: StoreTurn, work: () => Promise<T>): Promise<T> {
    const caller = turn ?? { organisationId, keyId: '' };
    return this.#turns.take({ caller, signal, waiting: turn?.waiting }, work);
  }
}

const crowded = (): Refusal =>
  new Refusal('unavailable', 'Too many requests are waiting for the store. Send this one again in a moment.', {
    retryAfterSeconds: 2,
  });
