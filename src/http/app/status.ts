import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import type { SignedInPerson } from '../../access/signed-in-person.ts';
import type { DataStatuses } from '../../data-quality/data-status.ts';
import type { Syncs } from '../../jobs/syncs.ts';
import { turnOf } from '../../turns/turn.ts';
import { presenceOf } from '../abort-on-disconnect.ts';
import { principalOf } from '../admission.ts';
import { noQuery } from '../openapi.ts';
import { progressFor } from './sync-news.ts';

export interface StatusRouteParts {
  readonly dataStatuses: Pick<DataStatuses, 'of'>;
  readonly syncs: Pick<Syncs, 'progressOf'>;
  readonly signedInPerson: (principal: Principal) => Promise<SignedInPerson>;
}

/** What a page has to know to say why there is nothing to see. */
export function statusRoutes(app: FastifyInstance, { dataStatuses, syncs, signedInPerson }: StatusRouteParts): void {
  app.get('/app/status', { schema: { hide: true, querystring: noQuery } }, async (request, reply) => {
    const principal = principalOf(request);
    const options = { turn: turnOf(principal), signal: presenceOf(reply) };
    const { sources, freshness, lastBackupAt } = await dataStatuses.of(principal.organisationId, options);
    const { organisation } = await signedInPerson(principal);
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
      data_through: freshness.newest_record_at,
      has_data: freshness.tables.length > 0,
      is_demo: organisation.is_demo,
      last_backup_at: lastBackupAt,
      // How much there is in all is a figure of others as well.
      rows:
        principal.visibility === 'organisation'
          ? Object.fromEntries(freshness.tables.map(({ table, rows }) => [table, rows]))
          : null,
    };
  });
}
