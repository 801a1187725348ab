import { setTimeout as pause } from 'node:timers/promises';
import type { ConfiguredSources } from '../configured-sources/configured-sources.ts';
import type { RowsRead, StreamNews, StreamProgress } from '../jobs/sync-progress.ts';
import { type SyncStreamLine, streamLine } from '../jobs/sync-progress-view.ts';
import type { Syncs } from '../jobs/syncs.ts';
import { Refusal } from '../refusal.ts';
import type { SourceRow } from '../store/sources.ts';

export interface SyncInput {
  readonly org: string;
  /** Name or identifier of one source; all of the organisation where it is absent. */
  readonly source?: string;
}

/** How the sync of a source ended. */
export interface SyncOutcomeLine {
  readonly source: string;
  readonly id: string;
  /** `busy`: another process is reading it. */
  readonly outcome: 'complete' | 'partial' | 'failed' | 'busy';
  /** What it brought, by table; absent where nothing was read. */
  readonly rows?: RowsRead;
  /** Of the source as a whole, else of the first of its streams that could not be read. */
  readonly error: string | null;
  readonly to_do: string | null;
}

export type SyncLine = SyncStreamLine | SyncOutcomeLine;

export const isOutcome = (line: SyncLine): line is SyncOutcomeLine => 'outcome' in line;

/** How often progress is reported. */
const tellEveryMs = 500;
/** Where nothing moves, because a limit is waited for, the last of it is reported again: also to see that somebody listens. */
const repeatAfterMs = 5_000;

/**
 * Reads sources one after another, and reports line by line how far they are. It stops when its caller stops listening.
 */
export async function* syncLines(
  { sources, syncs }: { readonly sources: ConfiguredSources; readonly syncs: Pick<Syncs, 'sync'> },
  organisationId: string,
  { source }: SyncInput,
): AsyncGenerator<SyncLine> {
  const rows =
    source === undefined
      ? (await sources.list(organisationId)).map(({ row }) => row)
      : [await sources.named(organisationId, source)];
  if (rows.length === 0) {
    throw new Refusal('not-found', 'This organisation has no sources yet. Add one with `plumb source add`.');
  }
  for (const row of rows) yield* syncOne(syncs, row);
}

async function* syncOne(syncs: Pick<Syncs, 'sync'>, row: SourceRow): AsyncGenerator<SyncLine> {
  const stop = new AbortController();
  const news = new Map<string, StreamNews>();
  const failed = new Map<string, StreamProgress>();
  let rows: RowsRead | undefined;
  let outcome: SyncOutcomeLine | undefined;
  let failure: unknown;
  const over = syncs
    .sync(row.id, {
      signal: stop.signal,
      tell: (one) => {
        news.set(one.stream.id, one);
        rows = one.rows ?? rows;
        if (one.stream.phase === 'failed') failed.set(one.stream.id, one.stream);
        else failed.delete(one.stream.id);
      },
    })
    .then((result) => {
      const problem = result?.problem ?? problemOf([...failed.values()]);
      outcome = {
        source: row.name,
        id: row.id,
        outcome: result?.outcome ?? 'busy',
        ...(result && rows ? { rows } : {}),
        error: result ? (problem?.message ?? null) : 'Another process is reading this source',
        to_do: result ? (problem?.toDo ?? null) : 'Wait until it is done.',
      };
    })
    .catch((error: unknown) => {
      failure = error ?? new Error('a sync failed without a reason');
    });
  try {
    let last: SyncStreamLine = { ...nothingYet, source: row.name };
    for (let quietMs = 0; outcome === undefined && failure === undefined; quietMs += tellEveryMs) {
      await Promise.race([over, pause(tellEveryMs)]);
      const lines = taken(row.name, news);
      last = lines.at(-1) ?? last;
      if (lines.length === 0 && quietMs < repeatAfterMs) continue;
      yield* lines.length === 0 ? [last] : lines;
      quietMs = 0;
    }
    if (failure !== undefined) throw failure;
    if (outcome) yield outcome;
  } finally {
    stop.abort(new Error('nobody waits for the sync any more'));
    await over;
  }
}

/** Why some of it was not read: the first reason, and how many streams more could not be read. */
function problemOf(failed: readonly StreamProgress[]): StreamProgress['lastError'] {
  const [first] = failed;
  if (!first?.lastError) return undefined;
  const { message, toDo } = first.lastError;
  const where = [first.stream, first.scope].filter((part) => part !== '').join(' of ');
  const more = failed.length > 1 ? ` (${failed.length - 1} more could not be read; \`plumb doctor\` names them)` : '';
  return { message: `${where}: ${message}${more}`, toDo };
}

const nothingYet: Omit<SyncStreamLine, 'source'> = {
  scope: '',
  stream: '',
  phase: 'listing',
  done: 0,
  estimated: null,
  per_minute: null,
  seconds_left: null,
  limit_left: null,
  limit_resets_at: null,
  error: null,
  to_do: null,
};

/** What is new since the last time. */
function taken(source: string, news: Map<string, StreamNews>): SyncStreamLine[] {
  const lines = [...news.values()].map(({ stream, limits }) => streamLine(source, stream, limits));
  news.clear();
  return lines;
}
