import { Budget } from '../admission/budget.ts';
import { ticketOf } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';

/** The sender of an unknown secret. */
export interface SecretSender {
  readonly address: string;
  /** Throws where the address was wrong too often for this secret to be looked up. */
  mayLookUp(hash: string): void;
}

/**
 * Secrets that nobody knows are looked up one after another for each address, and few at once for all addresses
 * together. So an address that guesses is stopped at its limit to the guess, however many guesses it sends at once, and
 * the store has time for those who are known.
 */
export class LookUps {
  readonly #turns = new Budget({
    shares: { all: 2, organisation: 1, key: 1 },
    waiting: { organisation: 200, key: 200 },
    crowded: tooMany,
  });

  async take<T>(sender: SecretSender | undefined, hash: string, work: () => Promise<T>): Promise<T> {
    const ticket = ticketOf({ organisationId: sender?.address ?? '', keyId: '' });
    return this.#turns.take({ ticket }, async () => {
      // The guesses before this one may all have been wrong.
      sender?.mayLookUp(hash);
      return work();
    });
  }
}

const tooMany = (): Refusal =>
  new Refusal('unavailable', 'Too many keys are being looked up at once. Send the request again in a moment.', {
    retryAfterSeconds: 2,
  });
