import type { KnownLimit } from '../sources/http/host-rate-limits.ts';
import type { StreamReading } from './stream-reading.ts';

/** `newest` and `history`: the first read of everything. `changes`: what is new since. */
type StreamPhase = 'waiting' | 'newest' | 'history' | 'changes' | 'complete' | 'failed';

/** How far one stream is. It is never ahead of what is stored. Times are ISO 8601. */
export interface StreamProgress {
  readonly id: string;
  readonly scope: string;
  readonly stream: string;
  readonly phase: StreamPhase;
  readonly done: number;
  readonly estimated?: number;
  readonly perMinute?: number;
  readonly secondsLeft?: number;
  readonly lastSuccess?: string;
  readonly lastError?: { readonly at?: string; readonly message: string; readonly toDo: string };
  readonly newestRecord?: string;
}

interface LimitProgress {
  readonly interface: KnownLimit['to'];
  readonly limit?: number;
  readonly remaining?: number;
  readonly resetAt?: string;
}

/** How far a source is, as the command line and pages show it. */
export interface SyncProgress {
  readonly sourceId: string;
  readonly phase: 'listing' | 'reading' | 'complete' | 'partial' | 'failed';
  readonly done: number;
  readonly estimated?: number;
  readonly perMinute?: number;
  readonly secondsLeft?: number;
  readonly limits: readonly LimitProgress[];
  readonly streams: readonly StreamProgress[];
  /** Of the source as a whole. */
  readonly lastError?: { readonly message: string; readonly toDo: string };
}

/** Rows that a sync has brought, by table: those that are new, and those in which something was different. */
export type RowsRead = Readonly<Record<string, { readonly new: number; readonly changed: number }>>;

/** A stream of which one page was stored, or which has ended. */
export interface StreamNews {
  readonly sourceId: string;
  readonly stream: StreamProgress;
  readonly limits: readonly LimitProgress[];
  /** The counts of the whole sync so far. */
  readonly rows?: RowsRead;
}

interface Followed {
  readonly reading: StreamReading;
  phase: StreamPhase;
  beganAt?: number;
}

/** The progress of a sync while it runs. */
export class ProgressOfSync {
  readonly #sourceId: string;
  readonly #now: () => number;
  readonly #limits: () => readonly KnownLimit[];
  readonly #tell: (news: StreamNews) => void;
  readonly #followed = new Map<StreamReading, Followed>();
  #rows: RowsRead = {};
  #phase: SyncProgress['phase'] = 'listing';
  #problem: SyncProgress['lastError'];

  constructor(
    sourceId: string,
    now: () => number,
    limits: () => readonly KnownLimit[],
    tell: (news: StreamNews) => void,
  ) {
    this.#sourceId = sourceId;
    this.#now = now;
    this.#limits = limits;
    this.#tell = tell;
  }

  follow(reading: StreamReading): void {
    this.#followed.set(reading, { reading, phase: 'waiting' });
  }

  begin(reading: StreamReading): void {
    const followed = this.#followed.get(reading);
    if (!followed) return;
    followed.beganAt ??= this.#now();
    followed.phase = phaseOf(reading);
  }

  /** After a page was stored, or the stream has ended. */
  note(reading: StreamReading, { isOver = false } = {}): void {
    const followed = this.#followed.get(reading);
    if (!followed) return;
    if (isOver) followed.phase = reading.hasFailed ? 'failed' : 'complete';
    this.#tell({
      sourceId: this.#sourceId,
      stream: this.#streamProgress(followed),
      limits: this.#limitProgress(),
      rows: this.#rows,
    });
  }

  /** Rows of a table that are new or different now. */
  count(table: string, { added, changed }: { readonly added: number; readonly changed: number }): void {
    const before = this.#rows[table] ?? { new: 0, changed: 0 };
    this.#rows = { ...this.#rows, [table]: { new: before.new + added, changed: before.changed + changed } };
  }

  setPhase(phase: SyncProgress['phase'], problem?: SyncProgress['lastError']): void {
    this.#phase = phase;
    this.#problem = problem ?? this.#problem;
  }

  read(): SyncProgress {
    const streams = [...this.#followed.values()].map((followed) => this.#streamProgress(followed));
    const done = sum(streams.map((stream) => stream.done));
    const estimates = streams.map(({ estimated, phase, done }) => estimated ?? (isOver(phase) ? done : undefined));
    const estimated = estimates.every((one) => one !== undefined) ? { estimated: sum(estimates as number[]) } : {};
    const perMinute = sum(streams.map((stream) => (isOver(stream.phase) ? 0 : (stream.perMinute ?? 0))));
    return {
      sourceId: this.#sourceId,
      phase: this.#phase,
      done,
      ...estimated,
      ...paceOf(done, estimated.estimated, perMinute),
      limits: this.#limitProgress(),
      streams,
      ...(this.#problem ? { lastError: this.#problem } : {}),
    };
  }

  #streamProgress({ reading, phase, beganAt }: Followed): StreamProgress {
    const { stored } = reading;
    const minutes = beganAt === undefined ? 0 : (this.#now() - beganAt) / 60_000;
    const perMinute = minutes > 0 ? Math.round(reading.readHere / minutes) : 0;
    return {
      id: stored.id,
      scope: stored.scope,
      stream: stored.name,
      phase,
      done: stored.readCount,
      ...(stored.estimatedCount === undefined ? {} : { estimated: stored.estimatedCount }),
      ...paceOf(stored.readCount, stored.estimatedCount, perMinute),
      ...(stored.succeededAt === undefined ? {} : { lastSuccess: iso(stored.succeededAt) }),
      ...(stored.error === undefined
        ? {}
        : {
            lastError: {
              ...(stored.failedAt === undefined ? {} : { at: iso(stored.failedAt) }),
              message: stored.error,
              toDo: stored.toDo ?? '',
            },
          }),
      ...(stored.newestRecordAt === undefined ? {} : { newestRecord: iso(stored.newestRecordAt) }),
    };
  }

  #limitProgress(): LimitProgress[] {
    return this.#limits().map(({ to, limit, remaining, wholeAt }) => ({
      interface: to,
      ...(limit === undefined ? {} : { limit }),
      ...(remaining === undefined ? {} : { remaining }),
      ...(wholeAt === undefined ? {} : { resetAt: iso(wholeAt * 1_000) }),
    }));
  }
}

function phaseOf({ walk, urgency }: StreamReading): StreamPhase {
  if (walk === 'changes') return 'changes';
  return urgency === 'recent' ? 'newest' : 'history';
}

const isOver = (phase: StreamPhase): boolean => phase === 'complete' || phase === 'failed';

function paceOf(done: number, estimated: number | undefined, perMinute: number) {
  if (perMinute <= 0) return {};
  const left = estimated === undefined ? undefined : Math.max(0, estimated - done);
  return { perMinute, ...(left === undefined ? {} : { secondsLeft: Math.round((left / perMinute) * 60) }) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const iso = (ms: number): string => new Date(ms).toISOString();

/** How far one stream of a source is. Never ahead of what is stored. */
export interface SyncStreamLine {
  readonly source: string;
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly stream: string;
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
  readonly limit_left: number | null;
  readonly limit_resets_at: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

export function streamLine(source: string, stream: StreamProgress, limits: readonly LimitProgress[]): SyncStreamLine {
  const [tightest] = limits
    .filter(({ remaining }) => remaining !== undefined)
    .sort((a, b) => (a.remaining ?? 0) - (b.remaining ?? 0));
  return {
    source,
    scope: stream.scope,
    stream: stream.stream,
    phase: stream.phase,
    done: stream.done,
    estimated: stream.estimated ?? null,
    per_minute: stream.perMinute ?? null,
    seconds_left: stream.secondsLeft ?? null,
    limit_left: tightest?.remaining ?? null,
    limit_resets_at: tightest?.resetAt ?? null,
    error: stream.lastError?.message ?? null,
    to_do: stream.lastError?.toDo ?? null,
  };
}

/** How far a sync is that runs now, or was the last to run in this process. */
export interface SyncProgressView {
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
  readonly streams: readonly SyncStreamLine[];
}

export const progressView = (source: string, progress: SyncProgress): SyncProgressView => ({
  phase: progress.phase,
  done: progress.done,
  estimated: progress.estimated ?? null,
  per_minute: progress.perMinute ?? null,
  seconds_left: progress.secondsLeft ?? null,
  streams: progress.streams.map((stream) => streamLine(source, stream, progress.limits)),
});

/** The progress of a sync that is under way; null where it is over. */
export const runningView = (source: string, progress: SyncProgress | undefined): SyncProgressView | null =>
  progress && ['listing', 'reading'].includes(progress.phase) ? progressView(source, progress) : null;
