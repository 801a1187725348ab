import { type DeploymentRow, deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { patchDifferent } from '../write/intake-session.ts';
import {
  type AttributionColumn,
  type AttributionReader,
  type AttributionSession,
  all,
  among,
  any,
  byRepository,
  bySpan,
  inRepositories,
  inSpan,
  inTimeOrNever,
  is,
  isNull,
  notNull,
} from './attribution-reader.ts';
import { countByRepository } from './repository-parts.ts';
import { type Branches, branchesOf, chooseProductionBranch } from './rules/branches.ts';
import {
  type ChosenSource,
  chooseSource,
  inferredFrom,
  isProductionDeploy,
  isProductionEnvironment,
  reportedSource,
} from './rules/deployment-source.ts';
import { conclusionsOfDeployments } from './rules/inferred-deployment.ts';
import { reportColumns } from './rules/repository-facts.ts';
import {
  type DeploymentSource,
  noRepository,
  type RepositorySettings,
  type SettingsOf,
} from './rules/repository-settings.ts';
import { allTime, isAllTime, type RepositorySpan, type Spans, type TimeOrEnd, type TimeSpan, theEnd } from './spans.ts';
import type { TouchedRows } from './touched-rows.ts';

type ReportGroup = Awaited<ReturnType<typeof tallyReported>>[number];

const tallyReported = (session: AttributionReader, keys: Iterable<string>) =>
  session.tally(deployments, reportColumns, all(inRepositories(keys), is('origin', reportedOrigin)));

/** A reported deployment that counts as one to production now, or no longer. */
type MarkedDeployment = Pick<DeploymentRow, 'deployment_id' | 'repository_key' | 'environment' | 'deployed_at'>;

/**
 * Chooses where the deployments of each repository come from, and marks the reported ones that went to production and
 * come from there. Those of any other source stay as rows, and carry nothing. Returns which marks have changed, too.
 */
export async function chooseSources(
  session: AttributionSession,
  keys: ReadonlySet<string>,
  settingsOf: SettingsOf,
): Promise<{ readonly sources: Map<string, ChosenSource>; readonly changedMarks: MarkedDeployment[] }> {
  if (keys.size === 0) return { sources: new Map(), changedMarks: [] };
  const groups = await tallyReported(session, keys);
  const reported = new Map<string, Map<DeploymentSource, boolean>>();
  for (const group of groups) {
    const key = group.repository_key ?? noRepository;
    const known = reported.get(key) ?? new Map<DeploymentSource, boolean>();
    const source = reportedSource(group.given_deployment_source);
    reported.set(key, known.set(source, wentToProduction(group, settingsOf) || known.get(source) === true));
  }
  const undecided = [...keys].filter((key) => settingsOf(key).source === null && !reported.has(key));
  const released = await repositoriesWithRelease(session, undecided);
  const unreleased = undecided.filter((key) => !released.has(key));
  const deployed = new Set((await deployWorkflows(session, unreleased, settingsOf)).map((row) => row.repository_key));
  const sources = new Map<string, ChosenSource>();
  for (const key of keys) {
    const signals = {
      reported: reported.get(key) ?? new Map(),
      hasRelease: released.has(key),
      hasDeployRun: deployed.has(key),
    };
    sources.set(key, chooseSource(settingsOf(key).source, signals));
  }
  return { sources, changedMarks: await markProduction(session, groups, sources, settingsOf) };
}

const wentToProduction = (
  row: Pick<ReportGroup, 'repository_key' | 'production' | 'environment'>,
  settingsOf: SettingsOf,
): boolean => row.production ?? isProductionEnvironment(row.environment, settingsOf(row.repository_key));

async function markProduction(
  session: AttributionSession,
  groups: readonly ReportGroup[],
  sources: ReadonlyMap<string, ChosenSource>,
  settingsOf: SettingsOf,
): Promise<MarkedDeployment[]> {
  const isMarked = (row: Pick<ReportGroup, (typeof reportColumns)[number]>): boolean =>
    reportedSource(row.given_deployment_source) === sources.get(row.repository_key ?? noRepository)?.source &&
    wentToProduction(row, settingsOf);
  const wrong = groups.filter((group) => group.is_production !== isMarked(group));
  if (wrong.length === 0) return [];
  const inWrong = { columns: reportColumns, among: wrong.map((group) => reportColumns.map((column) => group[column])) };
  const reported = all(is('origin', reportedOrigin), inWrong);
  const rows = await session.select(deployments, ['deployment_id', 'deployed_at', ...reportColumns], reported);
  const marked = rows.map((row) => [row, { is_production: isMarked(row) }] as const);
  await patchDifferent(session, deployments, ['is_production'], marked);
  return rows;
}

async function repositoriesWithRelease(
  session: AttributionReader,
  keys: readonly string[],
): Promise<Set<string | null>> {
  if (keys.length === 0) return new Set();
  const isFull = any(is('is_prerelease', false), isNull('is_prerelease'));
  const published = all(inRepositories(keys), notNull('release_date'), isFull);
  const rows = await session.tally(releaseDetails, ['repository_key'], published);
  return new Set(rows.map(({ repository_key }) => repository_key));
}

const workflowColumns = ['repository_key', 'workflow_name', 'environment'] as const;

/** The workflows that deploy to production. Most runs deploy nothing, so the workflows are looked at before their runs. */
async function deployWorkflows(session: AttributionReader, keys: readonly string[], settingsOf: SettingsOf) {
  if (keys.length === 0) return [];
  const rows = await session.tally(workflowRuns, workflowColumns, endedRuns(keys));
  return rows.filter((row) => isProductionDeploy(row, settingsOf(row.repository_key)));
}

type RunCondition = Condition<AttributionColumn<typeof workflowRuns>>;

const endedRuns = (keys: readonly string[]): RunCondition =>
  all(inRepositories(keys), among('run_conclusion', conclusionsOfDeployments));

/** By the first of these times that a run has, as its deployment does. */
function endedIn<L extends TimeOrEnd>(span: TimeSpan<L>): Condition<AttributionColumn<typeof workflowRuns>, L> {
  if (isAllTime(span)) return all();
  const created = inTimeOrNever('run_created_at', span);
  const started = any(inSpan('run_started_at', span), all(isNull('run_started_at'), created));
  return any(inSpan('run_updated_at', span), all(isNull('run_updated_at'), started));
}

/** The runs of these repositories that deploy to production, each in its span; undefined where there are none. */
export async function deployRuns(
  session: AttributionReader,
  spans: readonly RepositorySpan[],
  settingsOf: SettingsOf,
): Promise<RunCondition | undefined> {
  const keys = spans.map(({ key }) => key);
  const workflows = await deployWorkflows(session, keys, settingsOf);
  if (workflows.length === 0) return undefined;
  const columns = workflowColumns;
  const among = workflows.map((row) => columns.map((column) => row[column]));
  return all(endedRuns(keys), { columns, among }, bySpan(spans, endedIn));
}

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
