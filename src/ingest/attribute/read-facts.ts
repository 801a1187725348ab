import { deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import {
  type AttributionColumn,
  type AttributionReader,
  all,
  among,
  any,
  before,
  byRepository,
  bySpan,
  inRepositories,
  inSpan,
  inTimeOrNever,
  is,
  isNull,
  notNull,
  since,
} from './attribution-reader.ts';
import { readEarlier, readPlaces, readRevertTargets } from './facts-outside-span.ts';
import { firstNaming } from './named-pull-requests.ts';
import type { SpanPart } from './repository-parts.ts';
import { isSuccess } from './rules/attribute-repository.ts';
import { passesOn } from './rules/branches.ts';
import { inferredFrom } from './rules/deployment-source.ts';
import {
  type BuiltFrom,
  deploymentColumns,
  type RepositoryFacts,
  releaseColumns,
  runColumns,
  type StoredPullRequest,
  storedPullRequestColumns,
} from './rules/repository-facts.ts';
import { noRepository, type SettingsOf } from './rules/repository-settings.ts';
import { isAllTime, type TimeOrEnd, type TimeSpan, theBeginning, theEnd } from './spans.ts';
import { deployRuns, type StandingRepository } from './standing.ts';
import type { TouchedRows } from './touched-rows.ts';

/** Reads everything that the attribution of repositories in their spans follows from. */
export async function readFacts(
  session: AttributionReader,
  part: SpanPart,
  standing: ReadonlyMap<string, StandingRepository>,
  settingsOf: SettingsOf,
  touched: TouchedRows,
): Promise<RepositoryFacts[]> {
  const origins = new Map(
    [...standing.values()].map((one) => [one.key, inferredFrom(one.key, one.settings, one.source)]),
  );
  const isMerging = (key: string | null) => origins.get(key ?? noRepository) === 'merge';
  const isDeployed = bySpan(part, (span) => inTimeOrNever('deployed_at', span));
  const stored = await session.select(deployments, deploymentColumns, isDeployed);
  const releases = await session.select(releaseDetails, releaseColumns, releasesIn(part));
  const running = part.filter(({ key }) => origins.get(key) === 'run');
  const deploying = await deployRuns(session, running, settingsOf);
  const runs = deploying ? await session.select(workflowRuns, runColumns, deploying) : [];
  // A release or a run of this batch has no deployment that is stored yet.
  const live: BuiltFrom[] = [
    ...stored.filter((row) => isSuccess(row) && !isMerging(row.repository_key)),
    ...runs.map(({ repository_key, head_sha }) => ({ repository_key, sha: head_sha, version: null })),
    ...releases
      .filter(({ repository_key }) => origins.get(repository_key ?? noRepository) === 'release')
      .map(({ repository_key, version }) => ({ repository_key, sha: null, version })),
  ];
  const earlier = await readEarlier(session, part, isMerging, live);
  const released = new Set([...touched.released, ...releases.map(({ repository_key }) => repository_key)]);
  const deployed = new Set([...touched.signalled.keys(), ...live.map(({ repository_key }) => repository_key)]);
  // After the end nothing comes that anything could wait for.
  const waiting = part.flatMap(({ key, from }) => (from === theEnd ? [] : [key]));
  const prs = await readPullRequests(session, part, standing, touched, {
    isWaiting: (key) => !isMerging(key) || (standing.get(key)?.longLived.length ?? 0) > 0,
    deployed: waiting.filter((key) => deployed.has(key)),
    released: waiting.flatMap((key) => (released.has(key) ? [{ key, after: earlier.get(key)?.lastFull }] : [])),
  });
  const recalled = [...earlier.values()].flatMap(({ first, live: some }) => [...some, ...(first ? [first] : [])]);
  const { commits, placed } = await readPlaces(session, part, prs, [...live, ...recalled]);
  const reported = [...stored, ...recalled].filter(({ origin }) => origin === reportedOrigin);
  const ids = among('deployment_id', new Set(reported.map(({ deployment_id }) => deployment_id)));
  const naming =
    reported.length > 0 ? await session.select(deployments, ['deployment_id'], all(ids, notNull('pr_ids'))) : [];
  const shared = {
    naming: new Set(naming.map(({ deployment_id }) => deployment_id ?? '')),
    namedBy: await firstNaming(session, prs, settingsOf),
  };
  const revertable = await readRevertTargets(session, prs);
  const parts = {
    pullRequests: byRepository(prs),
    deployments: byRepository(stored),
    releases: byRepository(releases),
    runs: byRepository(runs),
    targets: byRepository(revertable.targets),
    placed: byRepository(placed),
  };
  return part.flatMap(({ key, from, until }) => {
    const repository = standing.get(key);
    if (!repository) return [];
    const own = parts.pullRequests.get(key) ?? [];
    const isPromoted = repository.promotions > own.filter(isStoredPromotion).length;
    return {
      ...shared,
      key,
      settings: repository.settings,
      source: repository.source,
      branches: repository.branches,
      span: { from, until },
      earlier: { live: [], ...earlier.get(key), isPromoted, placed: parts.placed.get(key) ?? [] },
      pullRequests: own,
      targets: parts.targets.get(key) ?? [],
      deployments: parts.deployments.get(key) ?? [],
      releases: parts.releases.get(key) ?? [],
      runs: parts.runs.get(key) ?? [],
      commits: [...commits, ...revertable.commits],
    };
  });
}

/** A promotion into the production branch, as it was attributed before. */
export const isStoredPromotion = (pr: Pick<StoredPullRequest, 'is_production_merge' | 'is_promotion_pr'>): boolean =>
  pr.is_production_merge === true && pr.is_promotion_pr === true;

/** Releases in the spans. Those in no repository are part of nothing: only what was attributed before is looked at. */
function releasesIn(part: SpanPart): Condition<'repository_key' | 'release_date' | 'prs_included'> {
  const some = bySpan(part, (span) => inTimeOrNever('release_date', span));
  if (part.every(({ key }) => key !== noRepository)) return some;
  return all(some, any<'repository_key' | 'prs_included'>(notNull('repository_key'), notNull('prs_included')));
}

interface WaitedFor {
  /** Whether anything waits in a repository. Where every merge into the one branch is a deployment nothing does. */
  readonly isWaiting: (key: string) => boolean;
  /** Repositories in which something that was merged before may be deployed now. */
  readonly deployed: readonly string[];
  /** Repositories in which a release may bring what reached production after the last one before. */
  readonly released: readonly { readonly key: string; readonly after: number | undefined }[];
}

type Where = Condition<AttributionColumn<typeof pullRequests>>;

/** What was merged in the spans, and what was merged before and still waited then: for production, for a release. */
async function readPullRequests(
  session: AttributionReader,
  part: SpanPart,
  standing: ReadonlyMap<string, StandingRepository>,
  { unmerged }: TouchedRows,
  { isWaiting, deployed, released }: WaitedFor,
): Promise<StoredPullRequest[]> {
  const spans = part.filter(({ key }) => key !== noRepository);
  const keys = spans.map(({ key }) => key);
  const read = async (where: Where) =>
    (await session.select(pullRequests, storedPullRequestColumns, where)) as StoredPullRequest[];
  if (spans.every(isAllTime)) return read(inRepositories(keys));
  const until = spans.reduce((last, span) => Math.max(last, span.until), theBeginning);
  const afterRelease = Math.min(...released.map(({ after }) => (after === undefined ? theBeginning : after + 1)));
  const isAwaiting = all(
    inRepositories(deployed),
    isNull('deployment_id'),
    before('production_merged_at', until),
    any(is('deployment_attribution_status', 'awaiting_deploy'), is('is_bot', true)),
  );
  const isUnreleased = all(
    inRepositories(released.map(({ key }) => key)),
    inSpan('production_merged_at', { from: afterRelease, until }),
  );
  const waiting = spans.filter(({ key }) => isWaiting(key));
  const others = spans.filter(({ key }) => !isWaiting(key));
  // One that is open may come to take back something else, and says where the deployments of its repository come from.
  const isOpen = all(
    inRepositories(keys),
    isNull('pr_merged_at'),
    any(
      notNull('revert_marks'),
      among('pr_id', unmerged),
      inRepositories(spans.filter(isAllTime).map(({ key }) => key)),
    ),
  );
  const conditions: readonly Where[] = [
    ...(waiting.length > 0 ? [bySpan(waiting, standsIn)] : []),
    ...(deployed.length > 0 ? [isAwaiting] : []),
    ...(released.length > 0 ? [isUnreleased] : []),
    ...(others.length > 0 ? [bySpan(others, (span) => inSpan('pr_merged_at', span))] : []),
    isOpen,
  ];
  const known = new Set<string>();
  const readOthers = async (where: Where) => {
    const rows = (await read(where)).filter(({ pr_id }) => !known.has(pr_id));
    for (const { pr_id } of rows) known.add(pr_id);
    return rows;
  };
  const found: StoredPullRequest[] = [];
  // Apart from each other, so that the engine skips what is not in the span.
  for (const where of conditions) found.push(...(await readOthers(where)));
  const steps = found.filter((pr) => {
    const repository = standing.get(pr.repository_key ?? noRepository);
    return repository && pr.pr_merged_at !== null && passesOn(pr, repository.branches);
  });
  // A step brings on what was merged into its branch, and the steps into that branch what was merged into theirs.
  const stepping = [...new Set(steps.map(({ repository_key }) => repository_key ?? noRepository))];
  if (stepping.length === 0) return found;
  const isBrought = all(
    inRepositories(stepping),
    among('base_branch', new Set(stepping.flatMap((key) => standing.get(key)?.longLived ?? []))),
    isNull('production_merged_at'),
    before('pr_merged_at', until),
  );
  return [...found, ...(await readOthers(isBrought))];
}

/** Merged in a span, or before it and in production or deployed after that, or deployed in it by a clock that is behind. */
const standsIn = <L extends TimeOrEnd>(span: TimeSpan<L>): Condition<AttributionColumn<typeof pullRequests>, L> =>
  any(
    inSpan('pr_merged_at', span),
    all(
      before('pr_merged_at', span.from),
      any(since('production_merged_at', span.from), since('deployed_at', span.from)),
    ),
    inSpan('deployed_at', span),
  );
