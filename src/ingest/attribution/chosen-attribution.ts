import { type Branches, branchesOf } from './branches.ts';
import type { DeploymentSource, RepositorySettings } from './repository-settings.ts';

/** Rows that deployments are inferred from where none are reported. */
export type InferredFrom = 'release' | 'run' | 'merge';

/** How the deployments of a repository are attributed: chosen from its settings and from what is known of it. */
export interface ChosenAttribution {
  readonly branches: Branches;
  readonly source: DeploymentSource;
  /** Whether its deployments are reported, not inferred from releases, runs or merges. */
  readonly isReported: boolean;
  /** Undefined where deployments are reported, and where a repository takes no part in deployment metrics. */
  readonly inferredFrom: InferredFrom | undefined;
}

const inferredBySource: { readonly [S in DeploymentSource]?: InferredFrom } = {
  github_release: 'release',
  workflow_run: 'run',
  merge_to_default: 'merge',
};

export function chosenAttribution(
  productionBranch: string,
  { source, isReported }: { readonly source: DeploymentSource; readonly isReported: boolean },
  settings: RepositorySettings,
  isRepository: boolean,
): ChosenAttribution {
  const mayInfer = !isReported && settings.isActive && isRepository;
  return {
    branches: branchesOf(productionBranch, settings),
    source,
    isReported,
    inferredFrom: mayInfer ? inferredBySource[source] : undefined,
  };
}
