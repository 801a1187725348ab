import { deployments } from '../../../catalogue/tables/deployments.ts';
import { type IncidentRow, incidents } from '../../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Writing } from '../../../warehouse/warehouse.ts';
import { failureColumns, noFailure } from '../../derive/deployments/failures.ts';
import { environmentKey } from '../../derive/deployments/production.ts';
import { always, never } from './book.ts';
import { all, among, atLeast, atMost, inRepositories, is, isNull, notNull, nowhere } from './conditions.ts';
import type { DeploymentTouches, Seen } from './deployment-touches.ts';
import type { DoubtedRepository, Doubts } from './doubts.ts';
import { groupByTime } from './horizons.ts';
import type { Library } from './library.ts';
import { successful } from './story-rows.ts';

/**
 * Incidents blame what was live when they were opened, or what they name. Those that were there before are looked at
 * again where the name that they give means another repository now.
 */
export async function noteIncidents(
  session: Writing,
  touches: DeploymentTouches,
  names: ReturnType<Library['names']>,
  doubts: Doubts,
  incidentWindowSeconds: number,
): Promise<void> {
  const note = (row: Seen<IncidentRow> | undefined) => {
    if (typeof row?.deployment_id === 'string') doubts.deployments.add(row.deployment_id);
    else if (typeof row?.opened_at === 'number') {
      const since = row.opened_at - incidentWindowSeconds;
      for (const known of [names.before, names.now]) {
        const key = known.find(row.repository_key);
        if (key !== undefined) doubts.add(key, 'all', since);
      }
    }
  };
  for (const { before, after } of touches.incidents) for (const row of [before, after]) note(row);
  const moved = names.before.movedIn(names.now);
  if (moved.length === 0) return;
  const rows = await session.select(
    incidents,
    ['repository_key', 'opened_at', 'deployment_id'],
    all(among('repository_key', moved), isNull('deployment_id'), notNull('opened_at')),
  );
  for (const row of rows) note(row);
}

/** Says from when on failures are told again, so that nothing earlier can be touched by what is in doubt. */
export async function settleDoubts(session: Writing, doubts: Doubts): Promise<DoubtedRepository[]> {
  await noteReverted(session, doubts);
  await noteDeployments(session, doubts);
  const settled: DoubtedRepository[] = [];
  const starting = [...doubts.repositories].map(([key, doubt]) => ({
    key,
    doubt,
    from: Math.min(doubt.changed, doubt.hotfixes),
  }));
  for (const { since, books } of groupByTime(starting, ({ from }) => from)) {
    const earlier = Number.isFinite(since)
      ? await lookBack(
          session,
          since,
          books.map(({ key }) => key),
          doubts,
        )
      : undefined;
    // Looking back began at the earliest time of the group, so each is told from there at the latest.
    for (const { key, doubt } of books) {
      settled.push({ key, since: Math.min(since, doubt.all, earlier?.(key) ?? never) });
    }
  }
  return settled;
}

/** Whatever carried what is taken back, or no longer is. */
async function noteReverted(session: Writing, doubts: Doubts): Promise<void> {
  if (doubts.reverted.size === 0) return;
  const rows = await session.select(
    pullRequests,
    ['deployment_id'],
    all(among('pr_id', doubts.reverted), notNull('deployment_id')),
  );
  for (const { deployment_id } of rows) if (deployment_id !== null) doubts.deployments.add(deployment_id);
}

async function noteDeployments(session: Writing, doubts: Doubts): Promise<void> {
  if (doubts.deployments.size === 0) return;
  const rows = await session.select(
    deployments,
    ['deployment_id', 'repository_key', 'deployed_at', ...failureColumns],
    among('deployment_id', doubts.deployments),
  );
  // One that has lost its time is nowhere in the story.
  const lost = rows.filter((row) => row.deployed_at === null && failureColumns.some((column) => row[column] !== null));
  await session.patch(
    deployments,
    failureColumns,
    lost.map(({ deployment_id }) => ({ deployment_id, ...noFailure })),
  );
  for (const { repository_key, deployed_at } of rows) doubts.add(repository_key ?? nowhere, 'all', deployed_at);
}

/**
 * What was live before a time can be replaced by what came since, restored by it, or blamed by it: the last success in
 * each environment that anything was deployed to since, everything after it that failed, and the last success of all.
 */
async function lookBack(
  session: Writing,
  since: number,
  keys: readonly string[],
  doubts: Doubts,
): Promise<(key: string) => number> {
  const by = ['repository_key', 'environment'] as const;
  const before = all(inRepositories(keys), is('is_production', true), atMost('deployed_at', since - 1));
  const last = await session.summarise(deployments, by, { max: 'deployed_at' }, all(before, successful));
  const failed = await session.tally(deployments, by, all(before, is('status', 'failure')));
  const active = await session.tally(
    deployments,
    by,
    all(inRepositories(keys), is('is_production', true), atLeast('deployed_at', since)),
  );
  const place = (key: string | null, environment: string | null) =>
    JSON.stringify([key ?? nowhere, environmentKey(environment)]);
  const lastAt = new Map<string, number>();
  const lastOfAll = new Map<string, number>();
  for (const { repository_key, environment, value } of last) {
    const here = place(repository_key, environment);
    lastAt.set(here, Math.max(lastAt.get(here) ?? always, value ?? always));
    const key = repository_key ?? nowhere;
    lastOfAll.set(key, Math.max(lastOfAll.get(key) ?? always, value ?? always));
  }
  const hasFailed = new Set(failed.map((row) => place(row.repository_key, row.environment)));
  const moved = new Map<string, Set<string>>(keys.map((key) => [key, new Set(doubts.environmentsOf(key))]));
  for (const { repository_key, environment } of active) {
    moved.get(repository_key ?? nowhere)?.add(environmentKey(environment));
  }
  return (key) => {
    let earliest = lastOfAll.get(key) ?? never;
    for (const environment of moved.get(key) ?? []) {
      const here = place(key, environment);
      const at = lastAt.get(here) ?? (hasFailed.has(here) ? always : never);
      earliest = Math.min(earliest, at);
    }
    return earliest;
  };
}
