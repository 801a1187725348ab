import { deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { type AttributionReader, all, byRepository, inRepositories, is } from './attribution-reader.ts';
import { countByRepository } from './repository-parts.ts';
import { type Branches, branchesOf, chooseProductionBranch } from './rules/branches.ts';
import { type ChosenSource, inferredFrom } from './rules/deployment-source.ts';
import { noRepository, type RepositorySettings, type SettingsOf } from './rules/repository-settings.ts';
import { allTime, type Spans, theEnd } from './spans.ts';
import type { TouchedRows } from './touched-rows.ts';

/** What holds for all of a repository, whichever span of it is attributed. */
export interface StandingRepository {
  readonly key: string;
  readonly settings: RepositorySettings;
  readonly source: ChosenSource;
  readonly branches: Branches;
  /** Long-lived branches that something was merged into. */
  readonly longLived: readonly string[];
  /** The branching models by which its pull requests were attributed before. */
  readonly models: ReadonlySet<string | null>;
  /** Its merged promotions, as they are stored. */
  promotions: number;
}

/** Successes in production. */
export const isLive = all(is('is_production', true), is('status', 'success'));

/**
 * What holds for all of the touched repositories: one tally of each. All of a repository is touched where it deploys from
 * elsewhere now, has another production branch or another first deployment than its stored rows say, or is new.
 */
export async function readStanding(
  session: AttributionReader,
  sources: ReadonlyMap<string, ChosenSource>,
  settingsOf: SettingsOf,
  { spans, moved, signalled }: TouchedRows,
): Promise<Map<string, StandingRepository>> {
  const tallied = byRepository(await session.tally(pullRequests, attributedAs, inRepositories(sources.keys())));
  const isFounded = await stoodBefore(session, signalled);
  const released = await countByRepository(session, [releaseDetails], inRepositories(moved.keys()));
  const standing = new Map<string, StandingRepository>();
  for (const [key, source] of sources) {
    const settings = settingsOf(key);
    const groups = tallied.get(key) ?? [];
    const bases = new Map<string, number>();
    for (const { base_branch: base, rows } of groups) if (base !== null) bases.set(base, (bases.get(base) ?? 0) + rows);
    const branches = branchesOf(chooseProductionBranch(settings, bases), settings);
    const attributed = groups.filter(({ branching_model }) => branching_model !== null);
    const intoProduction = attributed.filter(({ is_production_merge }) => is_production_merge === true);
    const from = inferredFrom(key, settings, source);
    const isChosen = settings.productionBranch === null && settings.defaultBranch === null;
    const isOther =
      attributed.length === 0 ||
      attributed.some(({ deployment_source }) => deployment_source !== source.source) ||
      intoProduction.some(({ base_branch }) => base_branch !== branches.production) ||
      // What the production branch was shows by what was merged into it.
      (isChosen && intoProduction.length === 0) ||
      !isFounded(key, from, intoProduction.length > 0);
    if (isOther) spans.add(key, allTime);
    // Deployments of commits and releases may follow from where a pull request stands, however much later.
    else if (moved.has(key) && (from !== 'merge' || released.has(key))) spans.touch(key, moved.firstOf(key), theEnd);
    standing.set(key, {
      key,
      settings,
      source,
      branches,
      longLived: [...bases.keys()].filter(branches.isLongLived),
      models: new Set(attributed.map(({ branching_model }) => branching_model)),
      promotions: intoProduction.reduce((sum, { is_promotion_pr, rows }) => sum + (is_promotion_pr ? rows : 0), 0),
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

/** Whether deployments are made from what they were made from, and the first of them was before all that are touched. */
async function stoodBefore(session: AttributionReader, signalled: Spans) {
  const some = inRepositories(signalled.keys());
  const origins = signalled.size === 0 ? [] : await session.tally(deployments, ['repository_key', 'origin'], some);
  const firsts =
    signalled.size === 0
      ? []
      : await session.summarise(deployments, ['repository_key'], { min: 'deployed_at' }, all(some, isLive));
  const firstOf = new Map(firsts.map(({ repository_key, value }) => [repository_key ?? noRepository, value]));
  const known = byRepository(origins.filter(({ origin }) => origin !== reportedOrigin));
  return (key: string, from: ReturnType<typeof inferredFrom>, isMerged: boolean): boolean => {
    if (!signalled.has(key)) return true;
    const inferred = known.get(key) ?? [];
    if (inferred.some(({ origin }) => origin !== from)) return false;
    return from === 'merge' ? !isMerged || inferred.length > 0 : (firstOf.get(key) ?? theEnd) < signalled.firstOf(key);
  };
}
