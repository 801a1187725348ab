import { isoText, msPerDay } from '../calendar.ts';
import { addToList } from '../lists-by-key.ts';
import {
  listSources,
  listStreamsOfOrganisation,
  listSyncs,
  type SourceStreamRow,
  type SourceSyncRow,
} from '../store/source-rows.ts';
import type { Reading } from '../store/store.ts';

/** The error, and what to do about it. */
export interface SourceError {
  readonly at: string | null;
  readonly message: string;
  readonly to_do: string | null;
}

export interface SourceHealth {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly last_sync_at: string | null;
  readonly outcome: string | null;
  /** The error of the source as a whole. */
  readonly last_error: SourceError | null;
  /** Repositories and the like that it has read, and that the last sync did not find any more. */
  readonly no_longer_listed: readonly string[];
  /** What it could not see, however often it is read. */
  readonly not_seen: readonly NotSeenBySource[];
  readonly streams: readonly StreamHealth[];
}

/** What streams of a source could not see. */
interface NotSeenBySource {
  /** `window`, `right`, `hidden`, `cut` or `retention`. */
  readonly why: string;
  readonly what: string;
  /** History begins at this moment, ISO 8601. */
  readonly since: string | null;
  readonly to_do: string | null;
  /** What is read: "pull requests". */
  readonly stream: string;
  /** Of what, such as acme/web; none where it is of the whole source. */
  readonly scopes: readonly string[];
}

export interface StreamHealth {
  readonly stream: string;
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly read: number;
  readonly estimated: number | null;
  readonly last_success_at: string | null;
  readonly last_error: SourceError | null;
  readonly newest_record_at: string | null;
}

/** How the reading of each source and each of its streams went the last time. */
export async function sourceHealth(session: Reading, organisationId: string): Promise<SourceHealth[]> {
  const sources = await listSources(session, organisationId);
  const syncs = new Map((await listSyncs(session, organisationId)).map((sync) => [sync.source_id, sync]));
  const streams = await listStreamsOfOrganisation(session, organisationId);
  return sources.map(({ id, kind, name }) => {
    const sync = syncs.get(id);
    const own = streams.filter(({ source_id }) => source_id === id);
    return {
      id,
      kind,
      name,
      last_sync_at: iso(sync?.finished_at),
      outcome: sync?.outcome ?? null,
      last_error: sync ? errorOf(sync, sync.finished_at) : null,
      no_longer_listed: sync ? noLongerListed(sync, own) : [],
      not_seen: notSeenBy(sync, own),
      streams: own.map((stream) => ({
        stream: stream.name,
        scope: stream.scope,
        read: stream.read_count,
        estimated: stream.estimated_count,
        last_success_at: iso(stream.succeeded_at),
        last_error: errorOf(stream, stream.failed_at),
        newest_record_at: iso(stream.newest_record_at),
      })),
    };
  });
}

/** As a sync stores them, see `StoredNotSeen`. Moments in seconds since 1970. */
type StoredStatements = Readonly<
  Record<
    'ofStream' | 'ofPages',
    readonly { readonly why: string; readonly what: string; readonly since?: number; readonly toDo?: string }[]
  >
>;

/** The same of several repositories is said once. What a stream said that is no longer listed counts no more. */
function notSeenBy(sync: SourceSyncRow | undefined, streams: readonly SourceStreamRow[]): NotSeenBySource[] {
  const scopes = new Map<string, string[]>();
  for (const { name, scope, not_seen, updated_at } of streams) {
    const isListed = !sync?.started_at || !sync.finished_at || updated_at >= sync.started_at;
    if (not_seen === null || !isListed) continue;
    const { ofStream, ofPages } = JSON.parse(not_seen) as StoredStatements;
    for (const { why, what, since, toDo } of [...ofStream, ...ofPages]) {
      const statement = { why, what, since: since === undefined ? null : isoText(since), to_do: toDo ?? null };
      addToList(scopes, JSON.stringify({ ...statement, stream: name }), scope);
    }
  }
  return [...scopes].map(([statement, all]) => ({
    ...(JSON.parse(statement) as Omit<NotSeenBySource, 'scopes'>),
    scopes: all.filter((scope) => scope !== ''),
  }));
}

/** A repository that is gone is reported for a month, and not for ever. */
const reportedForMs = 30 * msPerDay;

/** A sync saves every stream that its source lists. So a stream that was saved before the sync began was not listed. */
function noLongerListed(
  { started_at, finished_at, error }: SourceSyncRow,
  streams: readonly SourceStreamRow[],
): readonly string[] {
  // A sync that runs, was cut off or could not list everything does not know.
  if (!started_at || !finished_at || finished_at < started_at || error !== null) return [];
  const isListed = ({ updated_at }: SourceStreamRow) => updated_at >= started_at;
  const listed = new Set(streams.filter(isListed).map(({ scope }) => scope));
  const gone = streams.filter(
    ({ scope, updated_at }) => !listed.has(scope) && finished_at.getTime() - updated_at.getTime() <= reportedForMs,
  );
  return [...new Set(gone.map(({ scope }) => scope))];
}

const errorOf = (
  { error, to_do }: { readonly error: string | null; readonly to_do: string | null },
  at: Date | null,
): SourceError | null => (error === null ? null : { at: iso(at), message: error, to_do });

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;
