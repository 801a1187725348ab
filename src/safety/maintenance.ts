import type { ServedWarehouse } from '../warehouse/warehouse.ts';

/** Derives what an organisation's records gave by today's rules, where that is not how it was derived. */
interface Renewing {
  /** Whether there was anything to do. */
  renew(organisationId: string, signal: AbortSignal): Promise<boolean>;
}

export interface MaintenanceParts {
  readonly warehouse: Pick<ServedWarehouse, 'organisations' | 'versionOf' | 'recluster'>;
  readonly ingest: Renewing;
  /** Called for an organisation that was recomputed. */
  readonly recomputed: (organisationId: string) => void;
  /** Called with the error of an organisation, once while it stays the same. Maintenance of the others goes on. */
  readonly onError: (error: unknown) => void;
  /** How long after one round the next begins. */
  readonly everyMs?: number;
}

const everyFiveMinutes = 5 * 60_000;

/**
 * Looks after everything that is kept, one organisation after another, while questions are answered: what an older Plumb
 * derived by other rules is recomputed, and rows that are out of the order that makes windows of time cheap are
 * brought back into it. Whatever has not changed since the last round is left alone, unless something had to wait then.
 */
export class Maintenance {
  readonly #parts: MaintenanceParts;
  readonly #stopping = new AbortController();
  /** The state in which each organisation was last left in order. */
  readonly #reclustered = new Map<string, number | undefined>();
  readonly #troubles = new Map<string, string>();
  #next: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#stopping.signal.aborted) return;
    this.#round = this.#lookAfterAll().then(() => {
      if (this.#stopping.signal.aborted) return;
      this.#next = setTimeout(() => this.start(), this.#parts.everyMs ?? everyFiveMinutes).unref();
    });
  }

  /** Gives up what is under way, which changes nothing then, and waits until that has happened. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#next);
    await this.#round;
  }

  async #lookAfterAll(): Promise<void> {
    const { warehouse, onError } = this.#parts;
    try {
      for (const organisationId of await warehouse.organisations()) {
        if (this.#stopping.signal.aborted) return;
        await this.#lookAfter(organisationId).then(
          () => this.#troubles.delete(organisationId),
          (error: unknown) => this.#report(organisationId, error),
        );
      }
    } catch (error) {
      onError(error);
    }
  }

  async #lookAfter(organisationId: string): Promise<void> {
    const { warehouse, ingest, recomputed } = this.#parts;
    const { signal } = this.#stopping;
    const before = warehouse.versionOf(organisationId);
    if (this.#reclustered.has(organisationId) && before === this.#reclustered.get(organisationId)) return;
    const isRenewed = await ingest.renew(organisationId, signal);
    if (isRenewed) recomputed(organisationId);
    const version = warehouse.versionOf(organisationId);
    // Looking for disorder reads everything: that is not for a server that was only just started.
    const isLooked = (before ?? 0) > 0 || isRenewed;
    const hasToWait = isLooked && (await warehouse.recluster(organisationId, { signal }));
    if (hasToWait) this.#reclustered.delete(organisationId);
    else this.#reclustered.set(organisationId, version);
  }

  #report(organisationId: string, error: unknown): void {
    if (this.#stopping.signal.aborted || this.#troubles.get(organisationId) === String(error)) return;
    this.#troubles.set(organisationId, String(error));
    this.#parts.onError(error);
  }
}
