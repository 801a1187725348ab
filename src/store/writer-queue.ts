import { FairPlaces } from '../admission/fair-places.ts';
import { serviceTicket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { Writer } from './writer-turns.ts';

/** The writers of this process: one after another for each organisation, in fair turns of those who send records. */
export class WriterQueue {
  readonly #organisations = new Map<string, FairPlaces>();

  take<T>(organisationId: string, { ticket = serviceTicket(), isFirst }: Writer, work: () => Promise<T>): Promise<T> {
    const known = this.#organisations.get(organisationId);
    const turns = known ?? new FairPlaces({ places, waiting: { organisation: 32, key: 16 }, crowded });
    if (!known) this.#organisations.set(organisationId, turns);
    // The service takes turns with those who send records, as one of them.
    const asked = ticket.keyId === '' ? { ...ticket, organisationId: '' } : ticket;
    return turns.take({ ticket: asked, isFirst }, work);
  }
}

const places = { all: 1, organisation: 1, key: 1 };

const crowded = (): Refusal =>
  new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
    retryAfterSeconds: 10,
  });
