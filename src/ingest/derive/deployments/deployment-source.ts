import { deploymentSources } from '../../../catalogue/directory-records.ts';
import type { DeploymentSource } from './repository-settings.ts';

/** What a repository’s deployments could be told from. */
export interface Signals {
  /** Sources of stated deployments, and whether one of them went to production. */
  readonly stated: ReadonlyMap<DeploymentSource, boolean>;
  readonly hasRelease: boolean;
  readonly hasDeployRun: boolean;
}

export interface ChosenSource {
  readonly source: DeploymentSource;
  /** Whether its deployments are stated. Those that could be derived are then left alone, even of the same source. */
  readonly isStated: boolean;
}

/** A deployment that names none was seen by whoever ran it. */
export const statedSource = (given: string | null): DeploymentSource =>
  deploymentSources.find((source) => source === given) ?? 'workflow_run';

/**
 * Where a repository’s deployments come from. What is configured decides, even when there is nothing of it yet. Else
 * what is stated: a source that knows of production goes before one that only knows of other environments, because only
 * production counts. Else what can be derived, and in the end every merge.
 */
export function chooseSource(configured: DeploymentSource | null, signals: Signals): ChosenSource {
  if (configured) return { source: configured, isStated: signals.stated.has(configured) };
  const stated =
    deploymentSources.find((source) => signals.stated.get(source)) ??
    deploymentSources.find((source) => signals.stated.has(source));
  if (stated) return { source: stated, isStated: true };
  if (signals.hasRelease) return { source: 'github_release', isStated: false };
  return { source: signals.hasDeployRun ? 'workflow_run' : 'merge_to_default', isStated: false };
}
