import { FairPlaces, type Shares } from '../admission/fair-places.ts';
import { serviceTicket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { StoreCaller } from './store.ts';

const waiting = { organisation: 1_000, key: 500 };

/** A few readers or writers of a store at once: organisations and their keys take turns. */
export class StoreTurns {
  readonly #turns: FairPlaces;

  constructor(places: Shares) {
    this.#turns = new FairPlaces({ places, waiting, crowded });
  }

  take<T>({ organisationId, ticket = serviceTicket(organisationId) }: StoreCaller, work: () => Promise<T>): Promise<T> {
    return this.#turns.take({ ticket }, work);
  }
}

const crowded = (): Refusal =>
  new Refusal('unavailable', 'Too many requests are waiting for the store. Send this one again in a moment.', {
    retryAfterSeconds: 2,
  });
