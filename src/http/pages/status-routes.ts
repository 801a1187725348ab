import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import type { DataStatuses } from '../../data-quality/data-status.ts';
import { progressView, type SyncProgress, type SyncProgressView } from '../../jobs/sync-progress.ts';
import type { Syncs } from '../../jobs/syncs.ts';
import { principalOf } from '../admission/admission.ts';
import { requestTicket } from '../admission/request-ticket.ts';
import { noQuery } from '../openapi.ts';

export interface StatusRouteParts {
  readonly dataStatuses: Pick<DataStatuses, 'of'>;
  readonly syncs: Pick<Syncs, 'progressOf'>;
}

/** The status with which a page says why there is nothing to see. */
export function statusRoutes(app: FastifyInstance, { dataStatuses, syncs }: StatusRouteParts): void {
  app.get('/app/status', { schema: { hide: true, querystring: noQuery } }, async (request, reply) => {
    const principal = principalOf(request);
    const { sources, freshness, lastBackupAt, isSample, filledSince } = await dataStatuses.of(
      principal.organisationId,
      {
        ticket: requestTicket(request, reply),
      },
    );
    const finished = sources.flatMap(({ lastSyncAt }) => lastSyncAt ?? []).sort();
    return {
      connections: sources.length,
      sources: sources.map(({ id, kind, name, outcome, lastSyncAt }) => ({
        id,
        kind,
        name,
        outcome,
        last_sync_at: lastSyncAt,
      })),
      syncing: sources
        .filter(({ isSyncing }) => isSyncing)
        .map(({ id, name }) => ({ id, name, progress: progressFor(principal, name, syncs.progressOf(id)) })),
      last_sync_at: finished.at(-1) ?? null,
      data_through: freshness.data_through,
      tables: freshness.tables.map(({ table, data_through, data_since, is_daily, schedule_seconds, missing }) => ({
        table,
        data_through,
        data_since,
        is_daily,
        schedule_seconds,
        missing,
      })),
      stale: freshness.stale,
      has_data: freshness.tables.length > 0,
      is_sample: isSample,
      filled_since: filledSince ?? null,
      last_backup_at: lastBackupAt,
      // How much there is in all is a figure of others as well.
      rows:
        principal.visibility === 'organisation'
          ? Object.fromEntries(freshness.tables.map(({ table, rows }) => [table, rows]))
          : null,
    };
  });
}

/**
 * How far a sync is, as the caller may see it. Which repositories there are is for those who see the whole organisation;
 * everyone learns how much is done and how long it takes.
 */
export function progressFor(
  { visibility }: Pick<Principal, 'visibility'>,
  source: string,
  progress: SyncProgress | undefined,
): SyncProgressView | null {
  if (!progress) return null;
  const view = progressView(source, progress);
  return visibility === 'organisation' ? view : { ...view, streams: [] };
}
