import { Budget, type Shares } from '../admission/budget.ts';
import { serviceTicket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { StoreCaller } from './store.ts';
import type { Writer } from './writer-turns.ts';

/** A few readers or writers of a store at once: organisations and their keys take turns. */
export class StoreTurns {
  readonly #turns: Budget;

  constructor(shares: Shares) {
    const waiting = { organisation: 1_000, key: 500 };
    this.#turns = new Budget({ shares, waiting, crowded: tooManyRequests });
  }

  take<T>({ organisationId, ticket = serviceTicket(organisationId) }: StoreCaller, work: () => Promise<T>): Promise<T> {
    return this.#turns.take({ ticket }, work);
  }
}

/** The writers of tables in this process: one after another for each organisation, those who send records in turns. */
export class WriterQueue {
  readonly #organisations = new Map<string, Budget>();

  take<T>(organisationId: string, { ticket = serviceTicket(), isFirst }: Writer, work: () => Promise<T>): Promise<T> {
    const known = this.#organisations.get(organisationId);
    const waiting = { organisation: 32, key: 16 };
    const turns = known ?? new Budget({ shares: { all: 1 }, waiting, crowded: tooManyRecords });
    if (!known) this.#organisations.set(organisationId, turns);
    // The service takes turns with those who send records, as one of them.
    const asked = ticket.keyId === '' ? { ...ticket, organisationId: '' } : ticket;
    return turns.take({ ticket: asked, isFirst }, work);
  }
}

const tooManyRequests = (): Refusal =>
  new Refusal('unavailable', 'Too many requests are waiting for the store. Send this one again in a moment.', {
    retryAfterSeconds: 2,
  });

const tooManyRecords = (): Refusal =>
  new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
    retryAfterSeconds: 10,
  });
