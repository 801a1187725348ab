import type { Gate } from '../catalogue/metric.ts';
import { recentlyUsed } from '../recently-used.ts';
import { Refusal } from '../refusal.ts';
import { type AuditEvent, hourOf, writeEvents } from '../store/audit.ts';
import type { Store } from '../store/store.ts';
import { actorOf, type Principal } from './principal.ts';

/** A metric that not everybody may ask. */
export interface GatedMetric {
  readonly name: string;
  readonly gate?: Gate | undefined;
}

/** When an entry is dropped here, the store is asked again. */
const maxNoted = 10_000;

/**
 * Writes down who looked at salaries and survey answers: one entry for each person, metric and clock hour. The store
 * keeps one however many requests, processes and restarts an hour has; what is known to be there is not written again.
 */
export class SensitiveReads {
  readonly #store: Pick<Store, 'note'>;
  readonly #now: () => Date;
  readonly #noted = recentlyUsed<true>(maxNoted);
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(store: Pick<Store, 'note'>, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Callers wait for this before they answer. Undefined where every entry is stored already. */
  note(principal: Principal, metrics: readonly GatedMetric[]): Promise<void> | undefined {
    const at = this.#now();
    const waiting = metrics.flatMap((metric) => this.#written(entryOf(principal, metric, at)) ?? []);
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => {});
  }

  #written(event: (AuditEvent & { readonly id: string }) | undefined): Promise<void> | undefined {
    if (!event) return undefined;
    const key = `${event.organisationId} ${event.id}`;
    if (this.#noted.has(key)) return undefined;
    const known = this.#underWay.get(key);
    if (known) return known;
    const writing = this.#store
      .note((session) => writeEvents(session, [event]))
      .then(
        () => void this.#noted.set(key, true),
        (cause: unknown) => {
          throw new Refusal(
            'unavailable',
            'The audit log cannot be written to at the moment, so this cannot be answered. Send the request again.',
            { retryAfterSeconds: 2, cause },
          );
        },
      )
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, writing);
    return writing;
  }
}

function entryOf(
  principal: Principal,
  { name, gate }: GatedMetric,
  at: Date,
): (AuditEvent & { readonly id: string }) | undefined {
  if (gate === undefined) return undefined;
  const { organisationId, personId, user } = principal;
  // A command asks in a person's name, although another person may have typed it.
  const who = user === undefined ? personId : `${personId} by ${user}`;
  return {
    organisationId,
    id: `read ${hourOf(at)} ${name} ${who}`,
    actor: actorOf(principal),
    at,
    action: `${gate}.read`,
    subject: name,
    details: user === undefined ? {} : { as: personId },
  };
}
