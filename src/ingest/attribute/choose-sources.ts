import { type DeploymentRow, deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
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
  bySpan,
  inRepositories,
  inSpan,
  inTimeOrNever,
  is,
  isNull,
  notNull,
} from './attribution-reader.ts';
import {
  type ChosenSource,
  chooseSource,
  isProductionDeploy,
  isProductionEnvironment,
  reportedSource,
} from './rules/deployment-source.ts';
import { conclusionsOfDeployments } from './rules/inferred-deployment.ts';
import { reportColumns } from './rules/repository-facts.ts';
import { type DeploymentSource, noRepository, type SettingsOf } from './rules/repository-settings.ts';
import { isAllTime, type RepositorySpan, type TimeOrEnd, type TimeSpan } from './spans.ts';

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
