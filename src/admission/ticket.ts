import type { Refusal } from '../refusal.ts';
import { WaitingTime } from './waiting-time.ts';

/** In whose name something waits: a key of an organisation. Work of the service itself has no key. */
export interface Caller {
  readonly organisationId: string;
  readonly keyId: string;
}

const strangers = 'strangers';

/** A caller whose organisation is not known. All of them share one part of everything, and take turns by address. */
export const stranger = (address: string): Caller => ({ organisationId: strangers, keyId: address });
export const isStranger = ({ organisationId }: Caller): boolean => organisationId === strangers;

/** What a request has that may have to wait, in several places one after another: in whose name, and how long in all. */
export interface Ticket extends Caller {
  readonly waiting: WaitingTime;
}

export const ticketOf = ({ organisationId, keyId }: Caller, mostMs?: number): Ticket => ({
  organisationId,
  keyId,
  waiting: new WaitingTime(mostMs),
});

export interface Patience {
  readonly signal?: AbortSignal | undefined;
  readonly waiting?: WaitingTime | undefined;
}

/** Waits for something that goes on by itself, until the caller gives up or has no waiting time left. */
export function waitFor<T>(awaited: Promise<T>, { signal, waiting }: Patience, late: () => Refusal): Promise<T> {
  if (!signal && !waiting) return awaited;
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = waiting?.begin(() => settle(() => reject(late())));
    const aborted = () => settle(() => reject(signal?.reason));
    const settle = (tell: () => void) => {
      end?.();
      signal?.removeEventListener('abort', aborted);
      tell();
    };
    signal?.addEventListener('abort', aborted);
    awaited.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}
