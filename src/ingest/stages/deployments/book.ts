import type { RepositoryStoryRow } from '../../../catalogue/ledgers/ledgers.ts';
import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import { type Branches, branchesOf } from '../../derive/deployments/branches.ts';
import type { ChosenSource } from '../../derive/deployments/deployment-source.ts';
import type { BranchingModel } from '../../derive/deployments/pull-request-outcome.ts';
import {
  type DeploymentSource,
  isDeploymentSource,
  type RepositorySettings,
} from '../../derive/deployments/repository-settings.ts';
import { nowhere } from './conditions.ts';

/** The beginning, and never. */
export const always = Number.NEGATIVE_INFINITY;
export const never = Number.POSITIVE_INFINITY;

/** Deployments that are made from rows of other tables: as they should be, and as they are kept. */
export interface MadeDeployments {
  readonly wanted: Map<string, DeploymentRow>;
  readonly kept: Map<string, DeploymentRow>;
}

/** One repository while its story is told: what was decided for it, and from when on it has to be told again. */
export class Book {
  readonly key: string;
  readonly settings: RepositorySettings;
  /** What it was last told with. */
  readonly story: RepositoryStoryRow | undefined;
  productionBranch: string;
  source: DeploymentSource;
  /** Whether its deployments are stated. */
  isStated: boolean;
  model: BranchingModel;
  /** Everything is told, from the beginning. */
  isAnew: boolean;
  /** What was merged, deployed or carried earlier stays as it is. */
  since: number = never;
  /** Told in any case, whenever they were. */
  readonly pullRequests = new Set<string>();
  /** Those of them that are told for their own clocks only: nothing has changed of them that a deployment depends on. */
  readonly timed = new Set<string>();
  readonly deployments = new Set<string>();
  /** Whether a promotion has come, gone or moved, so that other pull requests reach production at other times. */
  isPromotionMoved = false;
  /** Whether something was taken out of it, so that nothing may be left. */
  mayBeEmpty = false;
  /** Contents of releases from here on are counted again. */
  releasesSince: number = never;
  readonly releases = new Set<string>();
  /** Whether there is anything to tell of it. */
  hasStory: boolean;
  /** Absent until it is known which are made. */
  made: MadeDeployments | undefined;

  constructor(key: string, settings: RepositorySettings, story: RepositoryStoryRow | undefined) {
    this.key = key;
    this.settings = settings;
    this.story = story;
    this.isAnew = story === undefined;
    this.hasStory = story !== undefined;
    this.productionBranch = story?.production_branch ?? 'main';
    const source = story?.deployment_source ?? null;
    this.source = isDeploymentSource(source) ? source : 'merge_to_default';
    this.isStated = story?.is_stated === true;
    this.model = story?.branching_model === 'promotion' ? 'promotion' : 'trunk';
  }

  get branches(): Branches {
    return branchesOf(this.productionBranch, this.settings);
  }

  /** Which rows deployments are made of, if any. A switched-off repository takes no part, and nowhere is none. */
  get origin(): 'release' | 'run' | 'merge' | undefined {
    if (this.isStated || !this.settings.isActive || this.key === nowhere) return undefined;
    if (this.source === 'github_release') return 'release';
    if (this.source === 'workflow_run') return 'run';
    return this.source === 'merge_to_default' ? 'merge' : undefined;
  }

  choose({ source, isStated }: ChosenSource): void {
    this.source = source;
    this.isStated = isStated;
  }

  /** Where what it is told with has changed, it is told from the beginning. */
  compareWithStory(): void {
    const { story } = this;
    const isSame =
      story !== undefined &&
      story.production_branch === this.productionBranch &&
      story.deployment_source === this.source &&
      story.is_stated === this.isStated &&
      story.is_active === this.settings.isActive;
    if (!isSame) this.isAnew = true;
  }

  /** Tells a pull request in any case, with what becomes of the deployment that carried it. */
  tellPullRequest(id: string): void {
    this.pullRequests.add(id);
    this.timed.delete(id);
  }

  tellSince(...times: readonly (number | null | undefined)[]): void {
    for (const time of times) if (typeof time === 'number' && time < this.since) this.since = time;
  }

  countReleasesSince(...times: readonly (number | null | undefined)[]): void {
    for (const time of times) if (typeof time === 'number' && time < this.releasesSince) this.releasesSince = time;
  }
}
