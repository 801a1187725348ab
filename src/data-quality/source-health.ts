import { listStreamsOfOrganisation } from '../store/source-streams.ts';
import { listSyncs } from '../store/source-syncs.ts';
import { listSources } from '../store/sources.ts';
import type { Reading } from '../store/store.ts';

/** What went wrong, and what to do about it. */
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
  /** Of the source as a whole. */
  readonly last_error: SourceError | null;
  readonly streams: readonly StreamHealth[];
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
    return {
      id,
      kind,
      name,
      last_sync_at: iso(sync?.finished_at),
      outcome: sync?.outcome ?? null,
      last_error: sync ? errorOf(sync, sync.finished_at) : null,
      streams: streams
        .filter(({ source_id }) => source_id === id)
        .map((stream) => ({
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

const errorOf = (
  { error, to_do }: { readonly error: string | null; readonly to_do: string | null },
  at: Date | null,
): SourceError | null => (error === null ? null : { at: iso(at), message: error, to_do });

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;
