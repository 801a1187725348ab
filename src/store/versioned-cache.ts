import { LRUCache } from 'lru-cache';
import { versionIn } from './organisation-rows.ts';
import type { Reading, Store } from './store.ts';

interface VersionedValue<T> {
  readonly version: number;
  readonly value: T;
}
interface Flight<T> {
  readonly since: number | undefined;
  readonly entry: Promise<VersionedValue<T>>;
}

/**
 * Something worked out from an organisation's state, kept for as long as the organisation does not change.
 * A burst of the same question is one piece of work; a question asked after a change never joins work begun before it.
 */
export class VersionedCache<T extends object> {
  readonly #store: Store;
  readonly #load: (session: Reading, organisationId: string) => Promise<T>;
  readonly #entries: LRUCache<string, VersionedValue<T>>;
  readonly #flights = new Map<string, Flight<T>>();

  constructor(store: Store, max: number, load: (session: Reading, organisationId: string) => Promise<T>) {
    this.#store = store;
    this.#load = load;
    this.#entries = new LRUCache({ max: max });
  }

  async get(organisationId: string): Promise<T> {
    const known = this.#store.versionOf(organisationId);
    const kept = this.#entries.get(organisationId);
    if (kept && known !== undefined && kept.version >= known) return kept.value;
    const flight = this.#flights.get(organisationId);
    if (flight && known !== undefined && flight.since === known) return (await flight.entry).value;
    const load = async (session: Reading) => ({
      version: await versionIn(session, organisationId),
      value: await this.#load(session, organisationId),
    });
    const entry = this.#store.read(load, { organisationId });
    const mine = { since: known, entry };
    this.#flights.set(organisationId, mine);
    try {
      const loaded = await entry;
      const newest = this.#entries.peek(organisationId);
      if (!newest || newest.version <= loaded.version) this.#entries.set(organisationId, loaded);
      return loaded.value;
    } finally {
      if (this.#flights.get(organisationId) === mine) this.#flights.delete(organisationId);
    }
  }
}
