import { deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { all, before, byRepository, inRepositories, isNull, notNull, withSha } from './conditions.ts';
import { type Cuts, theBeginning, theEnd } from './cuts.ts';
import { isLive } from './earlier-facts.ts';
import type { SourcedRepository, StandingRepository } from './repository-parts.ts';
import { chooseProductionBranch } from './rules/branches.ts';
import { inferredFrom } from './rules/deployment-source.ts';
import type { RepositoryFacts } from './rules/repository-facts.ts';
import { noRepository } from './rules/repository-settings.ts';
import type { TouchedRows } from './touched-rows.ts';

/**
 * Those of these repositories of which everything before the cut stands. For the others, which deploy from elsewhere now,
 * have another production branch or their first deployment, an earlier cut is noted.
 */
export async function readStanding(
  session: AttributionReader,
  repositories: readonly SourcedRepository[],
  cut: number,
  touched: TouchedRows,
  earlierCuts: Cuts,
): Promise<StandingRepository[]> {
  const branches = await productionBranches(session, repositories);
  const keys = repositories.map(({ key }) => key);
  const attributed = byRepository(
    await session.tally(pullRequests, attributedAs, all(inRepositories(keys), before('pr_merged_at', cut))),
  );
  const unmerged = byRepository(await tallyUnmerged(session, keys, cut));
  const inferring = await inferringBefore(session, repositories, cut, touched);
  const standing: StandingRepository[] = [];
  for (const one of repositories) {
    const { key, settings, source } = one;
    const productionBranch = branches.get(key) ?? chooseProductionBranch(settings, new Map());
    // Some may not be attributed yet.
    const groups = (attributed.get(key) ?? []).filter(({ branching_model }) => branching_model !== null);
    const others = (unmerged.get(key) ?? []).filter(({ branching_model }) => branching_model !== null);
    const isOther =
      [...groups, ...others].some(({ deployment_source }) => deployment_source !== source.source) ||
      groups.some((group) => group.is_production_merge !== (group.base_branch === productionBranch));
    const isMerged = groups.some(({ is_production_merge }) => is_production_merge);
    // What the production branch was shows by what was merged into it.
    const isUnknown = branches.has(key) && !isMerged && cut !== theBeginning;
    if (isOther || isUnknown || inferring.isOther(one, isMerged)) {
      earlierCuts.touch(key, theBeginning);
      continue;
    }
    const isPromoted = groups.some(({ is_promotion_pr }) => is_promotion_pr === true);
    standing.push({
      ...one,
      productionBranch,
      isPromoted,
      models: new Set([...groups, ...others].map(({ branching_model }) => branching_model)),
    });
  }
  return standing;
}

const attributedAs = [
  'repository_key',
  'base_branch',
  'is_production_merge',
  'is_promotion_pr',
  'branching_model',
  'deployment_source',
] as const;

/** The same of pull requests that stand at no moment. From the beginning on they are attributed like all others. */
async function tallyUnmerged(session: AttributionReader, keys: readonly string[], cut: number) {
  if (cut === theBeginning) return [];
  const by = ['repository_key', 'branching_model', 'deployment_source'] as const;
  return session.tally(pullRequests, by, all(inRepositories(keys), isNull('pr_merged_at')));
}

/** The production branch of each repository that has pull requests. Where it is not set, what they go into decides. */
async function productionBranches(
  session: AttributionReader,
  repositories: readonly SourcedRepository[],
): Promise<Map<string, string>> {
  const unset = repositories.filter(
    ({ key, settings }) =>
      key !== noRepository && settings.productionBranch === null && settings.defaultBranch === null,
  );
  if (unset.length === 0) return new Map();
  const where = all(inRepositories(unset.map(({ key }) => key)), notNull('base_branch'));
  const counted = byRepository(await session.tally(pullRequests, ['repository_key', 'base_branch'], where));
  return new Map(
    unset.map(({ key, settings }) => {
      const bases = (counted.get(key) ?? []).map(({ base_branch, rows }) => [base_branch ?? '', rows] as const);
      return [key, chooseProductionBranch(settings, new Map(bases))];
    }),
  );
}

/** What deployments before the cut were made from, of repositories in which a deployment is touched. */
async function inferringBefore(
  session: AttributionReader,
  repositories: readonly SourcedRepository[],
  cut: number,
  { signalled }: TouchedRows,
) {
  const keys = repositories.flatMap(({ key }) => (signalled.has(key) ? [key] : []));
  const some = all(inRepositories(keys), before('deployed_at', cut));
  const origins = keys.length === 0 ? [] : await session.tally(deployments, ['repository_key', 'origin'], some);
  const successes = keys.length === 0 ? [] : await session.tally(deployments, ['repository_key'], all(some, isLive));
  const signals = new Set(successes.map(({ repository_key }) => repository_key ?? noRepository));
  const known = byRepository(origins);
  return {
    isOther({ key, settings, source }: SourcedRepository, isMerged: boolean): boolean {
      if (!signalled.has(key) || cut === theBeginning) return false;
      const from = inferredFrom(key, settings, source);
      const inferred = (known.get(key) ?? []).filter(({ origin }) => origin !== reportedOrigin);
      if (inferred.some(({ origin }) => origin !== from)) return true;
      // Without a first deployment before it nothing stands.
      return from === 'merge' ? isMerged && inferred.length === 0 : !signals.has(key);
    },
  };
}

/**
 * A clock may be behind: a commit that was deployed before the cut may be of a merge after it. Then the deployment held
 * what came after the cut, so an earlier cut is noted. Returns the others.
 */
export async function withoutEarlyDeployments(
  session: AttributionReader,
  facts: readonly RepositoryFacts[],
  { mergeShas }: TouchedRows,
  earlierCuts: Cuts,
): Promise<RepositoryFacts[]> {
  const cut = facts[0]?.cut ?? theBeginning;
  const deploying = facts.filter(({ key, settings, source }) => inferredFrom(key, settings, source) !== 'merge');
  if (cut === theBeginning || cut === theEnd || deploying.length === 0) return [...facts];
  const merged = deploying.flatMap(({ pullRequests: prs }) =>
    prs.flatMap(({ pr_merged_at, merge_commit_sha }) =>
      pr_merged_at !== null && pr_merged_at >= cut ? (merge_commit_sha ?? []) : [],
    ),
  );
  const keys = deploying.map(({ key }) => key);
  const shas = withSha('sha', new Set([...mergeShas, ...merged]));
  const isEarly = all(inRepositories(keys), isLive, before('deployed_at', cut), shas);
  const early = new Set<string>();
  for (const { repository_key, deployed_at } of await session.select(
    deployments,
    ['repository_key', 'deployed_at'],
    isEarly,
  )) {
    early.add(repository_key ?? noRepository);
    earlierCuts.touch(repository_key ?? noRepository, deployed_at);
  }
  return facts.filter(({ key }) => !early.has(key));
}
