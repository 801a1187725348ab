import { serviceTicket, type Ticket, ticketOf, waitFor } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';
import { listOrganisations, versionIn } from '../../store/organisation-rows.ts';
import type { Store } from '../../store/store.ts';
import type { ReadOptions } from '../../warehouse/intake-port.ts';

/** The tables, as far as publishing a directory needs them. */
export interface DirectoryTables {
  /**
   * Brings the tables of an organisation to its directory. Changes nothing needlessly; creates tables that are missing.
   * `writes` is called when there is something to change, before that waits for its turn.
   */
  publish(organisationId: string, writes: () => void): Promise<void>;
  /** The version of its directory that the tables show at least. Undefined until they were looked at after a start. */
  shown(organisationId: string): number | undefined;
  /** Whether the tables have shown the directory since the start, or are found to show it. Reads only. */
  isPublished(organisationId: string, options?: ReadOptions): Promise<boolean>;
  hasTables(organisationId: string): boolean;
}

export type Directories = Pick<Store, 'read' | 'versionOf' | 'isShared'>;

interface Retry {
  readonly timer: NodeJS.Timeout;
  readonly afterMs: number;
  /** Why the last attempt failed, where that is known. */
  readonly refusal: Refusal | undefined;
}

interface Publication {
  /** The version of the organisation that was known when the publication began. */
  readonly since: number | undefined;
  readonly done: Promise<void>;
  /** Resolves once it is known whether there is anything to change. */
  readonly looked: Promise<void>;
}

/** The end of an organisation's next publication, whether or not it fails: all its questions wait for it. */
interface NextEnd {
  readonly promise: Promise<void>;
  /** The reason why the publication was refused. */
  readonly tell: (refusal?: Refusal) => void;
}

const retryMs = { first: 500, max: 30_000 };
/** As long as questions wait: one that would wait longer for the next attempt is told why the last one failed. */
const questionMs = 2_000;
/** After a start, of organisations without a waiting caller. */
const publishedAtOnce = 3;

/**
 * Publishes directories to the tables: after every change, made here or heard from another process, and after a start
 * where a change was committed that no process published. Questions only wait for it.
 */
export class DirectoryPublisher {
  readonly #store: Directories;
  readonly #tables: DirectoryTables;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<string, Publication>();
  /** At most one for each organisation, for all changes that came while the one before it ran. */
  readonly #following = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, Retry>();
  readonly #nextEnds = new Map<string, NextEnd>();
  /** Organisations that are to be published after a start. */
  readonly #pending = new Set<string>();
  /** The last trouble with each organisation, which is reported once for as long as it is the same. */
  readonly #troubles = new Map<string, string>();
  #isClosed = false;

  constructor(store: Directories, tables: DirectoryTables, onError: (error: unknown) => void) {
    this.#store = store;
    this.#tables = tables;
    this.#onError = onError;
  }

  /** Called after every change of a directory. Resolves once the tables show it; a failed attempt is repeated later. */
  publish(organisationId: string): Promise<void> {
    const since = this.#store.versionOf(organisationId);
    const running = this.#running.get(organisationId);
    if (!running) return this.#begin(organisationId, since).done;
    if (since !== undefined && running.since === since) return running.done;
    // The one that runs began before the change and may not contain it.
    const known = this.#following.get(organisationId);
    if (known) return known;
    const following = running.done
      .catch(() => {})
      .then(() => {
        this.#following.delete(organisationId);
        return this.publish(organisationId);
      });
    this.#following.set(organisationId, following);
    return following;
  }

  /** After a start: publishes every directory, a few at a time. Those that questions wait for begin at once. */
  async publishAll(): Promise<void> {
    for (const { id } of await this.#store.read(listOrganisations)) this.#pending.add(id);
    const publishNext = async (): Promise<void> => {
      for (const id of this.#pending) {
        if (this.#isClosed) return;
        await this.#publishUnasked(id);
      }
    };
    await Promise.all(Array.from({ length: publishedAtOnce }, publishNext));
  }

  /**
   * Resolves once the tables show the directory as it is now: changes that come later are not waited for. All of the wait
   * uses up the waiting time, but for the look at the tables after a start, which is work for the question. Writes nothing
   * itself: at most it reminds the publisher of what is not under way.
   */
  async whenPublished(organisationId: string, ticket: Ticket = ticketOf(serviceTicket(organisationId))): Promise<void> {
    const version = this.#knownVersion(organisationId) ?? (await this.#newestVersion(organisationId, ticket));
    const isShown = () => (this.#tables.shown(organisationId) ?? -1) >= version;
    while (!isShown()) {
      const ended = this.#nextEnd(organisationId);
      const looked = this.#running.get(organisationId)?.looked ?? Promise.resolve();
      await waitFor(Promise.race([looked, ended]), { signal: ticket.signal }, notPublished);
      await waitFor(ended, ticket, notPublished);
    }
  }

  isPublished(organisationId: string, options?: ReadOptions): Promise<boolean> {
    return this.#tables.isPublished(organisationId, options);
  }

  hasTables(organisationId: string): boolean {
    return this.#tables.hasTables(organisationId);
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#retries.values()) clearTimeout(timer);
    this.#retries.clear();
  }

  /** A directory that nobody else can change has not changed since the start where no change is known. */
  #knownVersion(organisationId: string): number | undefined {
    return this.#store.versionOf(organisationId) ?? (this.#store.isShared ? undefined : 0);
  }

  #newestVersion(organisationId: string, ticket: Ticket): Promise<number> {
    const read = this.#store.read((session) => versionIn(session, organisationId), {
      ticket: serviceTicket(organisationId, ticket.signal),
    });
    return waitFor(read, ticket, notPublished);
  }

  /** Shared by all who wait, who find a publication under way or one that will be tried again. */
  #nextEnd(organisationId: string): Promise<void> {
    if (this.#isClosed) throw notPublished();
    const retry = this.#retries.get(organisationId);
    const isRunning = this.#running.has(organisationId);
    if (!isRunning && retry?.refusal && retry.afterMs >= questionMs) throw retry.refusal;
    // Only for callers who wait: a rejection without a handler ends the process.
    const next = this.#nextEnds.get(organisationId) ?? nextEnd();
    this.#nextEnds.set(organisationId, next);
    if (!isRunning && !retry) void this.#publishUnasked(organisationId);
    return next.promise;
  }

  #begin(organisationId: string, since: number | undefined): Publication {
    this.#pending.delete(organisationId);
    let writes = () => {};
    const writing = new Promise<void>((resolve) => {
      writes = resolve;
    });
    const done = this.#tables.publish(organisationId, writes);
    const looked = Promise.race([writing, done]).catch(() => {});
    const publication = { since, done, looked };
    this.#running.set(organisationId, publication);
    publication.done.then(
      () => {
        this.#forgetRetry(organisationId);
        this.#troubles.delete(organisationId);
        this.#end(organisationId, publication);
      },
      (error: unknown) => {
        const refusal = error instanceof Refusal ? error : undefined;
        if (refusal?.reason === 'not-found') this.#forgetRetry(organisationId);
        else this.#retry(organisationId, refusal);
        this.#end(organisationId, publication, refusal);
      },
    );
    return publication;
  }

  #end(organisationId: string, publication: Publication, refusal?: Refusal): void {
    if (this.#running.get(organisationId) === publication) this.#running.delete(organisationId);
    const next = this.#nextEnds.get(organisationId);
    this.#nextEnds.delete(organisationId);
    next?.tell(refusal);
  }

  #retry(organisationId: string, refusal: Refusal | undefined): void {
    const before = this.#retries.get(organisationId)?.afterMs;
    this.#forgetRetry(organisationId);
    if (this.#isClosed) return;
    const afterMs = before === undefined ? retryMs.first : Math.min(2 * before, retryMs.max);
    const timer = setTimeout(() => this.#publishUnasked(organisationId), afterMs).unref();
    this.#retries.set(organisationId, { timer, afterMs, refusal });
  }

  #forgetRetry(organisationId: string): void {
    clearTimeout(this.#retries.get(organisationId)?.timer);
    this.#retries.delete(organisationId);
  }

  /** In the background no caller would get the error. */
  async #publishUnasked(organisationId: string): Promise<void> {
    try {
      await this.publish(organisationId);
    } catch (error) {
      if (this.#isClosed || this.#troubles.get(organisationId) === String(error)) return;
      this.#troubles.set(organisationId, String(error));
      this.#onError(error);
    }
  }
}

function nextEnd(): NextEnd {
  let tell: NextEnd['tell'] = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    tell = (refusal) => (refusal ? reject(refusal) : resolve());
  });
  return { promise, tell };
}

const notPublished = (): Refusal =>
  new Refusal('unavailable', 'The tables are being brought up to the directory. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });
