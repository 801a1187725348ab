import { deploymentSources } from '../../../catalogue/directory-records.ts';
import type { InferredOrigin } from '../../../catalogue/tables/deployments.ts';
import type { DeploymentSource, RepositorySettings } from './repository-settings.ts';
import { noRepository } from './repository-settings.ts';

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
