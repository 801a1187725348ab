import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../refusal.ts';
import { listOrganisations } from '../../store/organisations.ts';
import type { Store } from '../../store/store.ts';
import { type Patience, waitFor } from '../../turns/turn.ts';
import { WaitingTime } from '../../turns/waiting-time.ts';
import { notPublished, type Progress, Publication } from './publication.ts';

/** The tables, as far as publishing a directory needs them. */
export interface DirectoryTables {
  /** Brings the tables of an organisation to its directory. Changes nothing needlessly; creates tables that are missing. */
  publish(organisationId: string, progress: Progress): Promise<void>;
  /** Whether the tables show the newest directory. Reads only. */
  isPublished(organisationId: string): Promise<boolean>;
  hasTables(organisationId: string): boolean;
}

/** How often a question looks whether a publication has begun. */
const lookMs = 20;
const retryMs = { first: 500, most: 30_000 };

/**
 * Publishes directories to the tables: after every change, made here or heard from another process, and after a start
 * where a change was committed that no process published. Questions only wait for it.
 */
export class DirectoryPublisher {
  readonly #store: Pick<Store, 'read' | 'versionOf'>;
  readonly #tables: DirectoryTables;
  readonly #troubled: (error: unknown) => void;
  readonly #running = new Map<string, Publication>();
  readonly #retries = new Map<string, { readonly timer: NodeJS.Timeout; readonly afterMs: number }>();
  /** Organisations that are to be published after a start, and those of them that a question waits for. */
  readonly #pending = new Set<string>();
  readonly #awaited = new Set<string>();
  /** The last trouble with each organisation, which is told once for as long as it is the same. */
  readonly #troubles = new Map<string, string>();
  #isClosed = false;

  constructor(store: Pick<Store, 'read' | 'versionOf'>, tables: DirectoryTables, troubled: (error: unknown) => void) {
    this.#store = store;
    this.#tables = tables;
    this.#troubled = troubled;
  }

  /** To be called after every change of a directory. Done once the tables show it; tried again later where that fails. */
  publish(organisationId: string): Promise<void> {
    const since = this.#store.versionOf(organisationId);
    const known = this.#running.get(organisationId);
    // A publication that began before the change may not contain it.
    const isCurrent = known !== undefined && since !== undefined && known.since === since;
    return (isCurrent ? known : this.#begin(organisationId, since)).done;
  }

  /**
   * After a start: publishes every directory that the tables do not show, one organisation after another. Organisations
   * that questions wait for come first.
   */
  async publishAll(): Promise<void> {
    for (const { id } of await this.#store.read(listOrganisations)) this.#pending.add(id);
    for (let id = this.#next(); id !== undefined && !this.#isClosed; id = this.#next()) {
      await this.#publishUnasked(id);
    }
  }

  /** Resolves once the tables show the newest directory. Publishes nothing. */
  async whenPublished(organisationId: string, { signal, waiting = new WaitingTime() }: Patience = {}): Promise<void> {
    while (!(await this.#tables.isPublished(organisationId))) {
      if (this.#pending.has(organisationId)) this.#awaited.add(organisationId);
      const running = this.#running.get(organisationId);
      if (running) await running.wait({ signal, waiting });
      else await waitFor(sleep(lookMs, undefined, { ref: false }), { signal, waiting }, notPublished);
    }
  }

  hasTables(organisationId: string): boolean {
    return this.#tables.hasTables(organisationId);
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#retries.values()) clearTimeout(timer);
    this.#retries.clear();
  }

  #begin(organisationId: string, since: number | undefined): Publication {
    const publication = new Publication(since, (progress) => this.#tables.publish(organisationId, progress));
    this.#running.set(organisationId, publication);
    const ended = (): void => {
      if (this.#running.get(organisationId) === publication) this.#running.delete(organisationId);
    };
    publication.done.then(
      () => {
        ended();
        this.#forgetRetry(organisationId);
        this.#troubles.delete(organisationId);
      },
      (error: unknown) => {
        ended();
        if (!(error instanceof Refusal && error.reason === 'not-found')) this.#retry(organisationId);
      },
    );
    return publication;
  }

  #retry(organisationId: string): void {
    const before = this.#retries.get(organisationId)?.afterMs;
    this.#forgetRetry(organisationId);
    if (this.#isClosed) return;
    const afterMs = before === undefined ? retryMs.first : Math.min(2 * before, retryMs.most);
    const timer = setTimeout(() => this.#publishUnasked(organisationId), afterMs).unref();
    this.#retries.set(organisationId, { timer, afterMs });
  }

  #forgetRetry(organisationId: string): void {
    clearTimeout(this.#retries.get(organisationId)?.timer);
    this.#retries.delete(organisationId);
  }

  #next(): string | undefined {
    const [id] = this.#awaited.size > 0 ? this.#awaited : this.#pending;
    if (id === undefined) return undefined;
    this.#awaited.delete(id);
    this.#pending.delete(id);
    return id;
  }

  /** For nobody who would get the error. */
  async #publishUnasked(organisationId: string): Promise<void> {
    try {
      await this.publish(organisationId);
    } catch (error) {
      if (this.#isClosed || this.#troubles.get(organisationId) === String(error)) return;
      this.#troubles.set(organisationId, String(error));
      this.#troubled(error);
    }
  }
}
