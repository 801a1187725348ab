import { secondsPerDay } from '../../calendar.ts';
import { namedPullRequests } from '../../catalogue/derivation-state.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { addToList, listsByKey } from '../../lists-by-key.ts';
import {
  type AttributionReader,
  all,
  among,
  any,
  before,
  bySpan,
  earlierThan,
  inSpan,
  is,
  isNull,
  notNull,
  since,
} from './attribution-reader.ts';
import type { SpanPart } from './repository-parts.ts';
import { environmentKey } from './rules/deployment-source.ts';
import {
  type Incident,
  type JudgedDeployment,
  judgedColumns,
  type LocatedRemedy,
  type Reverted,
  remedyColumns,
  remedyOf,
} from './rules/failures.ts';
import { incidentColumns } from './rules/repository-facts.ts';
import { noRepository, type RepositoryNames, type SettingsOf } from './rules/repository-settings.ts';
import { type RepositorySpan, Spans, theBeginning, theEnd } from './spans.ts';
import { isLive } from './standing.ts';
import type { TouchedRows } from './touched-rows.ts';
import type { Attributed } from './write-attribution.ts';

/** Where failures may be others than before, and which deployments are counted again, after everything was attributed. */
export class FailuresToFind {
  /** When something in a repository is different. */
  readonly spans = new Spans();
  /** Ids of deployments that name what they carried, or carry pull requests of other repositories, or incidents name. */
  readonly deployments: Set<string>;
  /** Ids of pull requests that others take back or took back. */
  readonly reverted: Set<string>;
  /** Environments in which something is different, as they are matched. */
  readonly environments: Set<string>;
  /** Names that incidents of the batch give to their repositories. */
  readonly incidentNames: Spans;
  readonly rowsForPart: number;

  constructor({ deploymentsToJudge, reverted, environments, incidentNames, rowsForPart }: TouchedRows) {
    this.rowsForPart = rowsForPart;
    this.deployments = new Set(deploymentsToJudge);
    this.reverted = new Set(reverted);
    this.environments = new Set(environments);
    this.incidentNames = incidentNames;
  }

  /** What follows from the attribution of a repository. */
  collect({ facts, result }: Attributed): void {
    const { key, span } = facts;
    this.spans.add(key, span);
    for (const { environment } of facts.deployments) this.environments.add(environmentKey(environment));
    for (const { environment } of result.inferred.values()) this.environments.add(environmentKey(environment));
    const own = new Set(facts.deployments.map(({ deployment_id }) => deployment_id));
    for (const id of facts.naming) this.deployments.add(id);
    for (const [i, before] of facts.pullRequests.entries()) {
      const now = result.pullRequests[i];
      for (const id of [before.deployment_id, now?.deployment_id ?? null]) {
        if (id !== null && !own.has(id) && !result.inferred.has(id)) this.deployments.add(id);
      }
      for (const id of [before.reverts_pr_id, now?.reverts_pr_id ?? null]) if (id !== null) this.reverted.add(id);
      // A hotfix blames what was live before it, until what brought it restores that.
      if (before.is_hotfix === true && before.pr_merged_at !== null) {
        const isOther = before.deployment_id !== now?.deployment_id || before.deployed_at !== now.deployed_at;
        const times = [before.pr_merged_at, before.deployed_at, now?.deployed_at].flatMap((at) => at ?? []);
        if (isOther) this.spans.touch(key, Math.min(...times), Math.max(...times));
      }
    }
  }
}

/**
 * What happens in a span may be the failure of what was live then, or put right what had failed: back to the last success
 * before it, and in the environments that matter to the last success there.
 */
export async function sinceLastSuccess(
  session: AttributionReader,
  part: SpanPart,
  { environments }: FailuresToFind,
): Promise<RepositorySpan[]> {
  const cut = part.filter(({ from }) => from !== theBeginning && from !== theEnd);
  if (cut.length === 0) return [...part];
  const placesOf = (key: string) => [...environments].map((environment) => `${environment} ${key}`);
  const latest = new Map<string, number>();
  const lastOf = new Map<string, number>();
  let others = cut;
  for (const seconds of distances) {
    const spans = others.map(({ key, from }) => ({ key, from: from - seconds, until: from }));
    const isEarlier = bySpan(spans, (span) => inSpan('deployed_at', span));
    for (const row of await session.summarise(deployments, byPlace, { max: 'deployed_at' }, all(isLive, isEarlier))) {
      const key = row.repository_key ?? noRepository;
      keepBest(latest, key, row.value, Math.max);
      keepBest(lastOf, placeOf(row), row.value, Math.max);
    }
    others = others.filter(({ key }) => !latest.has(key) || placesOf(key).some((place) => !lastOf.has(place)));
    if (others.length === 0) break;
  }
  const firstOf = new Map<string, number>();
  if (others.length > 0) {
    const isEarlier = bySpan(earlierThan(others), ({ until }) => before('deployed_at', until));
    const isFailure = all(is('is_production', true), is('status', 'failure'), isEarlier);
    for (const row of await session.summarise(deployments, byPlace, { min: 'deployed_at' }, isFailure)) {
      keepBest(firstOf, placeOf(row), row.value, Math.min);
    }
  }
  return part.map(({ key, from, until }) => {
    const moments = placesOf(key).flatMap((place) => lastOf.get(place) ?? firstOf.get(place) ?? []);
    return { key, from: Math.min(from, latest.get(key) ?? from, ...moments), until };
  });
}

const byPlace = ['repository_key', 'environment'] as const;
type DeployedTo = { readonly repository_key: string | null; readonly environment: string | null };

const placeOf = ({ repository_key, environment }: DeployedTo): string =>
  `${environmentKey(environment)} ${repository_key ?? noRepository}`;

/** How far successes are looked for: mostly there is one near by, and the engine then skips all the others. */
const distances = [60 * secondsPerDay, Number.POSITIVE_INFINITY] as const;

function keepBest(
  kept: Map<string, number>,
  key: string,
  value: number | null,
  best: (a: number, b: number) => number,
): void {
  if (value !== null) kept.set(key, best(kept.get(key) ?? value, value));
}

type RemedyRow = Parameters<typeof remedyOf>[0];
type Next = DeployedTo & { readonly value: number | null };

/** When the next success came after spans that end, in each environment that something was deployed to in them. */
export async function nextSuccesses(
  session: AttributionReader,
  spans: readonly RepositorySpan[],
  rows: readonly JudgedDeployment[],
): Promise<Next[]> {
  const deployedTo = listsByKey(rows, ({ repository_key }) => repository_key ?? noRepository);
  const nexts = new Map<string, Next>();
  let others = spans.filter(({ until }) => until !== theEnd);
  for (const seconds of distances) {
    if (others.length === 0) break;
    const later = others.map(({ key, until }) => ({ key, from: until, until: until + seconds }));
    const isLater = bySpan(later, (span) => inSpan('deployed_at', span));
    const found = await session.summarise(deployments, byPlace, { min: 'deployed_at' }, all(isLive, isLater));
    for (const next of found) nexts.set(`${next.environment} ${placeOf(next)}`, next);
    const places = new Set([...nexts.values()].map(placeOf));
    others = others.filter(({ key }) => deployedTo.get(key)?.some((row) => !places.has(placeOf(row))));
  }
  return [...nexts.values()];
}

/** Until the next success, what happens is put down to what was live. */
export function untilNext(spans: readonly RepositorySpan[], nexts: readonly Next[]): RepositorySpan[] {
  const next = new Map<string, number>();
  for (const { repository_key, value } of nexts) {
    const key = repository_key ?? noRepository;
    next.set(key, Math.min(next.get(key) ?? theEnd, value ?? theEnd));
  }
  return spans.map(({ key, from }) => ({ key, from, until: (next.get(key) ?? theEnd) + 1 }));
}

/** Those next successes, and the ones before a hotfix that was deployed by then and merged after it, by clocks that differ. */
export async function readLater(
  session: AttributionReader,
  watched: readonly RepositorySpan[],
  spans: readonly RepositorySpan[],
  nexts: readonly Next[],
  remedies: readonly LocatedRemedy[],
): Promise<JudgedDeployment[]> {
  if (nexts.length === 0) return [];
  const ends = new Map(spans.map(({ key, until }) => [key, until]));
  const late = watched.flatMap(({ key, until }) => {
    const own = remedies.filter(({ repository_key, isHotfix }) => isHotfix && repository_key === key);
    const last = own.reduce((latest, { at }) => Math.max(latest, at), theBeginning);
    return last < until ? [] : [{ key, from: ends.get(key) ?? theEnd, until: last + 1 }];
  });
  const columns = ['repository_key', 'environment', 'deployed_at'] as const;
  const moments = nexts.map(({ repository_key, environment, value }) => [repository_key, environment, value]);
  const times = nexts.flatMap(({ value }) => value ?? []);
  const isNext = all(isLive, since('deployed_at', Math.min(...times)), before('deployed_at', Math.max(...times) + 1), {
    columns,
    among: moments,
  });
  const next = await session.select(deployments, judgedColumns, isNext);
  if (late.length === 0) return next;
  const isBetween = bySpan(late, (span) => inSpan('deployed_at', span));
  const between = await session.select(deployments, judgedColumns, all(isLive, isBetween));
  const known = new Set(next.map(({ deployment_id }) => deployment_id));
  return [...next, ...between.filter(({ deployment_id }) => !known.has(deployment_id))];
}

/**
 * Hotfixes of these repositories, and reverts of what their deployments carried: those since the spans began, and those of
 * which it was still open then when they get to production. What a deployment names may be in any repository, and so may
 * the revert of it.
 */
export async function readRemedies(
  session: AttributionReader,
  spans: readonly RepositorySpan[],
  rows: readonly JudgedDeployment[],
  settingsOf: SettingsOf,
): Promise<LocatedRemedy[]> {
  const isRevert = all(is('is_revert', true), notNull('reverts_pr_id'));
  const isHotfix = all(is('is_hotfix', true), notNull('pr_merged_at'));
  // What a deployment carried may be taken back at any time later.
  const lasting = spans.map(({ key, from }) => ({ key, from, until: theEnd }));
  // Few pull requests are remedies, so that is asked before where they stand.
  const conditions = [
    bySpan(spans, (span) => all(isHotfix, inSpan('pr_merged_at', span))),
    bySpan(spans, (span) => all(isHotfix, inSpan('deployed_at', span))),
    bySpan(lasting, ({ from }) =>
      all(
        isRevert,
        notNull('pr_merged_at'),
        any(since('pr_merged_at', from), since('deployed_at', from), isNull('deployed_at')),
      ),
    ),
  ];
  const found = new Map<string | null, RemedyRow>();
  // Apart from each other, so that the engine skips what is not in the span.
  for (const where of conditions) {
    for (const row of await session.select(pullRequests, remedyColumns, where)) found.set(row.pr_id, row);
  }
  const naming = await namingAmong(session, rows);
  const named = naming.length > 0 ? await session.select(pullRequests, ['pr_id'], among('deployment_id', naming)) : [];
  if (named.length > 0) {
    const ofNamed = among(
      'reverts_pr_id',
      named.map(({ pr_id }) => pr_id),
    );
    const where = all(notNull('pr_merged_at'), isRevert, ofNamed);
    for (const row of await session.select(pullRequests, remedyColumns, where)) found.set(row.pr_id, row);
  }
  return [...found.values()].filter((row) => settingsOf(row.repository_key).isActive).map(remedyOf);
}

/** Those of some deployments that name what they carried. */
async function namingAmong(session: AttributionReader, rows: readonly JudgedDeployment[]): Promise<(string | null)[]> {
  const ids = new Set(rows.map(({ deployment_id }) => deployment_id));
  const named = await session.tally(namedPullRequests, ['deployment_id'], among('deployment_id', ids));
  return named.map(({ deployment_id }) => deployment_id);
}

/** Reverts with the deployments that carried what they take back. */
export async function readReverted(
  session: AttributionReader,
  remedies: readonly LocatedRemedy[],
): Promise<Reverted[]> {
  const reverted = new Set(remedies.flatMap(({ revertsId }) => revertsId ?? []));
  if (reverted.size === 0) return [];
  const isCarried = all(among('pr_id', reverted), notNull('deployment_id'));
  const rows = await session.select(pullRequests, ['pr_id', 'deployment_id'], isCarried);
  const deploymentOf = new Map(rows.map(({ pr_id, deployment_id }) => [pr_id, deployment_id]));
  return remedies.flatMap((row) => {
    const blames = deploymentOf.get(row.revertsId);
    return blames ? [{ ...row, blames }] : [];
  });
}

/** Incidents by repository: the one of the deployment that an incident names, or the one whose name the incident gives. */
export async function readIncidents(
  session: AttributionReader,
  spans: readonly RepositorySpan[],
  names: RepositoryNames,
  rows: readonly JudgedDeployment[],
): Promise<Map<string | undefined, Incident[]>> {
  const called = spans.flatMap(({ key }) => names.namesOf(key));
  const from = spans.reduce((first, span) => Math.min(first, span.from), theEnd);
  const byName = all(among('repository_key', called), isNull('deployment_id'));
  const ids = new Set(rows.map(({ deployment_id }) => deployment_id));
  const isMeant = any(all(byName, since('opened_at', from)), all(notNull('opened_at'), among('deployment_id', ids)));
  const repositoryOf = new Map(rows.map((row) => [row.deployment_id, row.repository_key ?? noRepository]));
  const opened = new Map<string | undefined, Incident[]>();
  for (const row of await session.select(incidents, incidentColumns, isMeant)) {
    const { incident_id: id, opened_at: at, resolved_at: resolvedAt, deployment_id: deploymentId } = row;
    const key = deploymentId === null ? names.find(row.repository_key) : repositoryOf.get(deploymentId);
    addToList(opened, key, { id: id ?? '', at: at ?? 0, resolvedAt, deploymentId });
  }
  return opened;
}
