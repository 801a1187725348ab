import type { ConfiguredSources } from '../configured-sources/configured-sources.ts';
import {
  type RowsRead,
  type StreamNews,
  type StreamProgress,
  type SyncStreamLine,
  streamLine,
} from '../jobs/sync-progress.ts';
import type { Syncs } from '../jobs/syncs.ts';
import { Refusal } from '../refusal.ts';
import type { SourceRow } from '../store/source-rows.ts';
import { reportedWork } from './reported-work.ts';

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
  /** The rows that the source brought, by table; absent where nothing was read. */
  readonly rows?: RowsRead;
  /** The error of the source as a whole, else of the first stream that could not be read. */
  readonly error: string | null;
  readonly to_do: string | null;
}

export type SyncLine = SyncStreamLine | SyncOutcomeLine;

export const isOutcome = (line: SyncLine): line is SyncOutcomeLine => 'outcome' in line;

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
  const news = new Map<string, StreamNews>();
  const failed = new Map<string, StreamProgress>();
  let rows: RowsRead | undefined;
  const tell = (one: StreamNews) => {
    news.set(one.stream.id, one);
    rows = one.rows ?? rows;
    if (one.stream.phase === 'failed') failed.set(one.stream.id, one.stream);
    else failed.delete(one.stream.id);
  };
  const result = yield* reportedWork({
    work: (signal) => syncs.sync(row.id, { signal, tell }),
    news: () => taken(row.name, news),
    first: { ...nothingYet, source: row.name },
  });
  const problem = result ? (result.problem ?? problemOf([...failed.values()])) : busy;
  yield {
    source: row.name,
    id: row.id,
    outcome: result?.outcome ?? 'busy',
    ...(result && rows ? { rows } : {}),
    error: problem?.message ?? null,
    to_do: problem?.toDo ?? null,
  };
}

const busy = { message: 'Another process is reading this source', toDo: 'Wait until it is done.' };

/** Why some of it was not read: the first reason, and how many streams more could not be read. */
function problemOf(failed: readonly StreamProgress[]): StreamProgress['lastError'] {
  const [first] = failed;
  if (!first?.lastError) return undefined;
  const { message, toDo } = first.lastError;
  const where = [first.stream, first.scope].filter((part) => part !== '').join(' of ');
  const more = failed.length > 1 ? ` (${failed.length - 1} more could not be read, see \`plumb doctor\`)` : '';
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

/** The events since the last report. */
function taken(source: string, news: Map<string, StreamNews>): SyncStreamLine[] {
  const lines = [...news.values()].map(({ stream, limits }) => streamLine(source, stream, limits));
  news.clear();
  return lines;
}
