import { deploymentSources } from '../../../catalogue/directory-records.ts';
import type { InferredOrigin } from '../../../catalogue/tables/deployments.ts';
import { keyOf } from '../../../text-comparison.ts';
import { type DeploymentSource, noRepository, type RepositorySettings } from './repository-settings.ts';

/** What the deployments of a repository could come from. */
interface Signals {
  /** Sources of reported deployments, and whether one of them went to production. */
  readonly reported: ReadonlyMap<DeploymentSource, boolean>;
  readonly hasRelease: boolean;
  readonly hasDeployRun: boolean;
}

export interface ChosenSource {
  readonly source: DeploymentSource;
  /** Whether its deployments are reported. Nothing is then inferred, not even from rows of the same source. */
  readonly isReported: boolean;
}

/** A reported deployment that names no source counts as the run of a workflow. */
export const reportedSource = (given: string | null): DeploymentSource =>
  deploymentSources.find((source) => source === given) ?? 'workflow_run';

/**
 * Where the deployments of a repository come from. What is configured decides, even when there is nothing of it yet. Else
 * reported deployments win: a source that reports production goes before one that only reports other environments,
 * because only production counts. Else deployments are inferred from releases, from deploy runs, or from every merge.
 */
export function chooseSource(configured: DeploymentSource | null, signals: Signals): ChosenSource {
  if (configured) return { source: configured, isReported: signals.reported.has(configured) };
  const reported =
    deploymentSources.find((source) => signals.reported.get(source)) ??
    deploymentSources.find((source) => signals.reported.has(source));
  if (reported) return { source: reported, isReported: true };
  if (signals.hasRelease) return { source: 'github_release', isReported: false };
  return { source: signals.hasDeployRun ? 'workflow_run' : 'merge_to_default', isReported: false };
}

const inferredBySource: { readonly [S in DeploymentSource]?: InferredOrigin } = {
  github_release: 'release',
  workflow_run: 'run',
  merge_to_default: 'merge',
};

/** Undefined where deployments are reported, and where a repository takes no part in deployment metrics. */
export function inferredFrom(
  key: string,
  { isActive }: Pick<RepositorySettings, 'isActive'>,
  { source, isReported }: ChosenSource,
): InferredOrigin | undefined {
  return isReported || !isActive || key === noRepository ? undefined : inferredBySource[source];
}

const conventionalNames: ReadonlySet<string> = new Set(['production', 'prod', 'live']);

type Environments = Pick<RepositorySettings, 'productionEnvironments'>;

/** An environment as it is matched. None given means production, so it is the same one as that. */
export const environmentKey = (environment: string | null): string => keyOf(environment ?? '') || 'production';

const names = (environment: string, { productionEnvironments }: Environments): boolean =>
  (productionEnvironments ?? conventionalNames).has(keyOf(environment));

/** By its name; a deployment that names no environment went to production. */
export const isProductionEnvironment = (environment: string | null, settings: Environments): boolean =>
  environment === null || environment.trim() === '' || names(environment, settings);

const saysDeploy = /deploy|releas/i;
/** As a word of its own, and not what comes before production. */
const saysProduction = /(?<![a-z])(?=prod|live)(?<!(?:pre|non|not)[\s_/.-]*)(?:production|prod|live)(?![a-z])/i;
const saysOther =
  /(?<![a-z])(?:staging|stage|test|testing|dev|develop|development|qa|uat|preview|review|sandbox|integration|pre-?prod(?:uction)?)(?![a-z])/i;

/**
 * Whether a run of this workflow deploys to production. Where workflows are listed, these are the ones, except for runs
 * that say they went elsewhere: one workflow often serves every environment.
 */
export function isProductionDeploy(
  { workflow_name, environment }: { readonly workflow_name: string | null; readonly environment: string | null },
  settings: Environments & Pick<RepositorySettings, 'deployWorkflows'>,
): boolean {
  const where = environment?.trim() || null;
  if (settings.deployWorkflows) {
    if (workflow_name === null || !settings.deployWorkflows.has(keyOf(workflow_name))) return false;
    return where === null || names(where, settings) || !saysOther.test(where);
  }
  if (where !== null) return names(where, settings);
  return workflow_name !== null && saysDeploy.test(workflow_name) && saysProduction.test(workflow_name);
}
