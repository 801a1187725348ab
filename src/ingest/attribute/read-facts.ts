import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { AttributionColumn, AttributionReader } from './attributed-columns.ts';
import { deployRuns } from './choose-sources.ts';
import { all, among, any, before, byRepository, inRepositories, is, isNull, notNull, since } from './conditions.ts';
import { theBeginning, theEnd } from './cuts.ts';
import { readEarlier } from './earlier-facts.ts';
import { firstNaming } from './named-pull-requests.ts';
import { readPlaces, readRevertTargets } from './read-by-key.ts';
import type { CutPart } from './repository-parts.ts';
import { isSuccess } from './rules/attribute-repository.ts';
import { branchesOf, passesOn } from './rules/branches.ts';
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
import type { TouchedRows } from './touched-rows.ts';

/** Reads everything that the attribution of these repositories from a cut on follows from. */
export async function readFacts(
  session: AttributionReader,
  { cut, repositories }: CutPart,
  settingsOf: SettingsOf,
  touched: TouchedRows,
): Promise<RepositoryFacts[]> {
  const keys = repositories.map(({ key }) => key);
  const inferring = (from: 'release' | 'run') =>
    repositories.filter((one) => inferredFrom(one.key, one.settings, one.source) === from).map(({ key }) => key);
  const isSince = all(inRepositories(keys), any(since('deployed_at', cut), isNull('deployed_at')));
  const stored = await session.select(deployments, deploymentColumns, isSince);
  const releases = await session.select(releaseDetails, releaseColumns, releasesOf(keys, cut));
  const deploying = await deployRuns(session, inferring('run'), cut, settingsOf);
  const runs = deploying ? await session.select(workflowRuns, runColumns, deploying) : [];
  const releasing = new Set(inferring('release'));
  // A release or a run of this batch has no deployment that is stored yet.
  const live: BuiltFrom[] = [
    ...stored.filter(isSuccess),
    ...runs.map(({ repository_key, head_sha }) => ({ repository_key, sha: head_sha, version: null })),
    ...releases
      .filter(({ repository_key }) => releasing.has(repository_key ?? noRepository))
      .map(({ repository_key, version }) => ({ repository_key, sha: null, version })),
  ];
  const earlier = await readEarlier(session, { cut, repositories }, live);
  const released = new Set([
    ...touched.releasedFrom.keys(),
    ...releases.flatMap(({ repository_key }) => repository_key ?? []),
  ]);
  const deployed = new Set([...touched.signalled, ...live.map(({ repository_key }) => repository_key)]);
  // Without a deployment or a release since the cut, what waits for one still does.
  const waiting = cut === theEnd ? [] : keys;
  const prs = await readPullRequests(session, { cut, repositories }, touched, {
    deployed: waiting.filter((key) => deployed.has(key)),
    released: waiting.flatMap((key) => (released.has(key) ? [{ key, after: earlier.get(key)?.lastFull }] : [])),
  });
  const recalled = [...earlier.values()].flatMap(({ first, live: some }) => [...some, ...(first ? [first] : [])]);
  const { commits, placed } = await readPlaces(session, keys, cut, prs, [...live, ...recalled]);
  const ids = recalled.map(({ deployment_id }) => deployment_id);
  const isNaming = all(notNull('pr_ids'), any(isSince, among('deployment_id', ids)));
  const naming = await session.select(deployments, ['deployment_id'], isNaming);
  const shared = {
    cut,
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
  return repositories.map(({ key, settings, source, productionBranch, isPromoted }) => ({
    ...shared,
    key,
    settings,
    source,
    productionBranch,
    earlier: { live: [], ...earlier.get(key), isPromoted, placed: parts.placed.get(key) ?? [] },
    pullRequests: parts.pullRequests.get(key) ?? [],
    targets: parts.targets.get(key) ?? [],
    deployments: parts.deployments.get(key) ?? [],
    releases: parts.releases.get(key) ?? [],
    runs: parts.runs.get(key) ?? [],
    commits: [...commits, ...revertable.commits],
  }));
}

type ReleaseCondition = Condition<'repository_key' | 'release_date' | 'prs_included'>;

/** Releases since a cut. Those in no repository are part of nothing: only what was attributed before is looked at. */
function releasesOf(keys: readonly string[], cut: number): ReleaseCondition {
  const some: ReleaseCondition = all(inRepositories(keys), any(since('release_date', cut), isNull('release_date')));
  if (!keys.includes(noRepository)) return some;
  return all(some, any(notNull('repository_key'), notNull('prs_included')));
}

interface WaitedFor {
  /** Repositories in which something that was merged before may be deployed now. */
  readonly deployed: readonly string[];
  /** Repositories in which a release may bring what reached production after the last one before. */
  readonly released: readonly { readonly key: string; readonly after: number | undefined }[];
}

/** What was merged since the cut, and what was merged before and still waited then: for production, for a release. */
async function readPullRequests(
  session: AttributionReader,
  { cut, repositories }: CutPart,
  { unmerged }: TouchedRows,
  { deployed, released }: WaitedFor,
): Promise<StoredPullRequest[]> {
  type Where = Condition<AttributionColumn<typeof pullRequests>>;
  const keys = repositories.map(({ key }) => key).filter((key) => key !== noRepository);
  const read = async (where: Where) =>
    (await session.select(pullRequests, storedPullRequestColumns, where)) as StoredPullRequest[];
  if (cut === theBeginning) return read(inRepositories(keys));
  const afterRelease = Math.min(...released.map(({ after }) => (after === undefined ? theBeginning : after + 1)));
  const waits: readonly Where[] = [
    all(
      inRepositories(deployed),
      isNull('deployment_id'),
      notNull('production_merged_at'),
      any(is('deployment_attribution_status', 'awaiting_deploy'), is('is_bot', true)),
    ),
    all(inRepositories(released.map(({ key }) => key)), since('production_merged_at', afterRelease)),
    // One that is open may come to take back something else.
    all(isNull('pr_merged_at'), any(notNull('revert_marks'), among('pr_id', unmerged))),
  ];
  const times = (['pr_merged_at', 'production_merged_at', 'deployed_at'] as const).map((time) => since(time, cut));
  const found = await read(all(inRepositories(keys), any(...times, ...waits)));
  const branches = new Map(repositories.map((one) => [one.key, branchesOf(one.productionBranch, one.settings)]));
  const isStep = (pr: StoredPullRequest) => {
    const some = branches.get(pr.repository_key ?? noRepository);
    return some !== undefined && pr.pr_merged_at !== null && passesOn(pr, some);
  };
  // A step brings on what was merged into its branch, and the steps into that branch what was merged into theirs.
  const headsOf = (prs: readonly StoredPullRequest[]) =>
    prs.flatMap((pr) => (isStep(pr) ? (pr.head_branch ?? []) : []));
  const seen = new Set<string>();
  for (let heads = headsOf(found); heads.some((head) => !seen.has(head)); ) {
    const isBrought = all(
      inRepositories(keys),
      among('base_branch', new Set(heads.filter((head) => !seen.has(head)))),
      isNull('production_merged_at'),
      before('pr_merged_at', cut),
    );
    for (const head of heads) seen.add(head);
    const known = new Set(found.map(({ pr_id }) => pr_id));
    const brought = (await read(isBrought)).filter(({ pr_id }) => !known.has(pr_id));
    found.push(...brought);
    heads = headsOf(brought);
  }
  return found;
}
