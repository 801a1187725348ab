import type { ChangedRows } from '../directory/changed-rows.ts';
import type { Actor, Directory } from '../directory/directory.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { Refusal } from '../refusal.ts';
import { type Clock, systemClock } from '../sources/http/clock.ts';
import { RetryBudget } from '../sources/http/refused-answers.ts';
import { openSource } from '../sources/open-source.ts';
import {
  type HostDirectory,
  type ReportedTeams,
  type SettingValues,
  type SourceKind,
  type SourceMemory,
  SourceProblem,
} from '../sources/source.ts';
import { writeEvents } from '../store/audit.ts';
import { findSource, type LastStart, requestSync, SourceRemoved, type SourceRow } from '../store/source-rows.ts';
import { PageIntake } from './page-intake.ts';
import { StoredStreams } from './stored-streams.ts';
import { budgetOr } from './stream-reading.ts';
import { ProgressOfSync, type StreamNews, type SyncProgress } from './sync-progress.ts';
import { runSync, type SyncLeaseTerms, type SyncResult, syncSource } from './sync-source.ts';

/** A source that is ready to be opened. */
interface ReadySource {
  readonly kind: SourceKind;
  /** Secrets in clear. */
  readonly settings: SettingValues;
  readonly mayBePrivate: (host: string) => boolean;
  readonly memory?: SourceMemory;
}

export interface SyncsParts {
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'put' | 'repositoriesOf'>;
  /** Reads settings and secrets. Throws a `SourceProblem` where they are not usable. */
  readonly prepare: (source: SourceRow) => Promise<ReadySource>;
  /** Absent: people and teams stay as they are. */
  readonly takeHostDirectory?: (source: SourceRow, directory: HostDirectory | ReportedTeams) => Promise<ChangedRows>;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly lease?: SyncLeaseTerms;
}

interface SyncOptions {
  readonly signal: AbortSignal;
  /** Called after each page that was stored. */
  readonly tell?: (news: StreamNews) => void;
  /** Set by a scheduler that found the source due: nothing is read if another process has begun since. */
  readonly lastStart?: LastStart;
}

type SyncTerms = Pick<SyncOptions, 'signal'> & { readonly lastStart: LastStart | undefined };
type StreamListener = (news: StreamNews) => void;
type SourceListener = (source: SourceRow) => void;

interface RunningSync {
  readonly result: Promise<SyncResult | undefined>;
  readonly listeners: Set<StreamListener>;
}

/** Reads the sources of the store, and knows how far each one is. */
export class Syncs {
  readonly #parts: SyncsParts;
  readonly #clock: Clock;
  readonly #progress = new Map<string, ProgressOfSync>();
  readonly #running = new Map<string, RunningSync>();
  readonly #watchers = new Set<SourceListener>();
  readonly #runners = new Set<() => void>();

  constructor(parts: SyncsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** The sync of a source that runs in this process, or was the last to run here. */
  progressOf(sourceId: string): SyncProgress | undefined {
    return this.#progress.get(sourceId)?.read();
  }

  /** Whether this process is reading a source now. */
  isRunning(sourceId: string): boolean {
    return this.#running.has(sourceId);
  }

  /** Calls back with every source of which something new is known: it began, a page was stored, or it ended. */
  watch(listener: SourceListener): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** Asks for a source to be read soon by the process that reads sources, and does not wait for it. */
  async request({ id, name, organisation_id: organisationId }: SourceRow, actor: Actor): Promise<void> {
    const at = new Date(this.#clock.now());
    await this.#parts.directory.store.note(async (session) => {
      await requestSync(session, id, at);
      await writeEvents(session, [
        { organisationId, actor, at, action: 'source.sync', subject: id, details: { name } },
      ]);
    });
    this.wake();
  }

  /** Lets those who read sources look for what is due, such as a source that is new. */
  wake(): void {
    for (const look of this.#runners) look();
  }

  /** Calls back when something may be due before the next look. */
  onWake(look: () => void): void {
    this.#runners.add(look);
  }

  /**
   * Reads a source once; does nothing where another process reads it. If this process already reads it, waits for that
   * sync, which ends when its first caller gives up.
   */
  async sync(sourceId: string, { signal, tell = () => {}, lastStart }: SyncOptions): Promise<SyncResult | undefined> {
    const running = this.#running.get(sourceId);
    if (!running) return this.#begin(sourceId, { signal, lastStart }, tell);
    running.listeners.add(tell);
    try {
      return await unlessAborted(running.result, signal);
    } finally {
      running.listeners.delete(tell);
    }
  }

  /** Resolves when nothing of it is under way any more, also where it is aborted. */
  #begin(sourceId: string, terms: SyncTerms, first: StreamListener): Promise<SyncResult | undefined> {
    const listeners = new Set([first]);
    const tell: StreamListener = (news) => {
      for (const listener of listeners) listener(news);
    };
    let source: SourceRow | undefined;
    const found = (row: SourceRow) => {
      source = row;
    };
    const result = this.#run(sourceId, terms, { tell, found }).finally(() => {
      this.#running.delete(sourceId);
      if (source) this.#tellWatchers(source);
    });
    this.#running.set(sourceId, { result, listeners });
    return result;
  }

  async #run(
    sourceId: string,
    { signal, lastStart }: SyncTerms,
    { tell, found }: { readonly tell: StreamListener; readonly found: SourceListener },
  ): Promise<SyncResult | undefined> {
    const { directory, holder, lease } = this.#parts;
    const source = await directory.store.read((session) => findSource(session, sourceId));
    if (!source) throw new Refusal('not-found', 'There is no such source.');
    const leased = {
      store: directory.store,
      sourceId,
      holder,
      signal,
      lastStart,
      now: () => new Date(this.#clock.now()),
    };
    const tellAll: StreamListener = (news) => {
      tell(news);
      this.#tellWatchers(source);
    };
    found(source);
    return runSync({ ...leased, ...(lease ? { terms: lease } : {}) }, (both) => {
      this.#tellWatchers(source);
      return this.#read(source, both, tellAll);
    });
  }

  #tellWatchers(source: SourceRow): void {
    for (const watcher of this.#watchers) watcher(source);
  }

  async #read(source: SourceRow, signal: AbortSignal, tell: StreamListener): Promise<SyncResult> {
    try {
      return await this.#readReady(source, await this.#parts.prepare(source), signal, tell);
    } catch (error) {
      if (error instanceof SourceProblem) {
        return { outcome: 'failed', problem: { message: error.message, toDo: error.toDo } };
      }
      if (error instanceof SourceRemoved) {
        return { outcome: 'failed', problem: { message: error.message, toDo: 'What it has brought stays.' } };
      }
      throw error;
    }
  }

  async #readReady(
    source: SourceRow,
    { kind, settings, mayBePrivate, memory }: ReadySource,
    signal: AbortSignal,
    tell: StreamListener,
  ): Promise<SyncResult> {
    const { directory, ingest, takeHostDirectory = async () => ({}), onError, random = Math.random } = this.#parts;
    const clock = this.#clock;
    const { id: sourceId, organisation_id: organisationId } = source;
    const listing = new RetryBudget();
    const opened = openSource(kind, settings, {
      mayBePrivate,
      signal,
      clock,
      random,
      budget: () => budgetOr(listing),
      repositories: ingest.repositoriesOf(organisationId),
      ...(memory ? { memory } : {}),
    });
    const progress = new ProgressOfSync(sourceId, () => clock.now(), opened.limits, tell);
    this.#progress.set(sourceId, progress);
    try {
      return await syncSource({
        source: opened.source,
        states: new StoredStreams(directory.store, { organisationId, sourceId }, () => new Date(clock.now())),
        intake: new PageIntake({
          organisationId,
          directory,
          ingest,
          takeHostDirectory: (members) => takeHostDirectory(source, members),
          count: (table, rows) => progress.count(table, rows),
        }),
        progress,
        clock,
        random,
        signal,
        onError,
      });
    } finally {
      opened.close();
    }
  }
}

/** For callers who wait for another caller's sync: they may give up, and it goes on. */
function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}
