import { firstIndexWhere } from '../../../binary-search.ts';
import { addToList } from '../../../lists-by-key.ts';

/** Something that has its place in the order of deployments. */
export interface OrderedDeployment {
  readonly id: string;
  readonly at: number;
}

/** By time. Of two in the same second the identifier decides, so that the order of arrival never does. */
export function compareOrder(a: OrderedDeployment, b: OrderedDeployment): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export function firstOf<P extends OrderedDeployment>(some: Iterable<P | undefined>): P | undefined {
  let first: P | undefined;
  for (const one of some) if (one && (!first || compareOrder(one, first) < 0)) first = one;
  return first;
}

/** A deployment that carries whatever reached the production branch up to a time and was not carried before. */
export interface CarryingDeployment extends OrderedDeployment {
  readonly deployedThrough: number;
}

/**
 * Which deployment carried what. Only a deployment that holds more than all before it carries anything, so only those
 * are kept, and the deployment of a pull request is found by binary search.
 */
export class DeploymentContents {
  readonly #deployments: CarryingDeployment[] = [];

  /** Takes the deployments in their order. */
  constructor(deployments: Iterable<CarryingDeployment>) {
    let through = Number.NEGATIVE_INFINITY;
    for (const deployment of deployments) {
      if (deployment.deployedThrough <= through) continue;
      through = deployment.deployedThrough;
      this.#deployments.push(deployment);
    }
  }

  /** The first deployment that held what reached the production branch at this time. */
  deploymentOf(productionMergedAt: number): CarryingDeployment | undefined {
    const isCarried = (i: number) => (this.#deployments[i] as CarryingDeployment).deployedThrough >= productionMergedAt;
    return this.#deployments[firstIndexWhere(0, this.#deployments.length, isCarried)];
  }
}

/** A successful production deployment. */
export interface Success extends OrderedDeployment {
  readonly environment: string;
  readonly sha: string | null;
  readonly version: string | null;
}

/** A successful production deployment with what was live with it. */
interface Live extends Success {
  /** Everything on the production branch up to this time was live with it. */
  readonly deployedThrough: number;
  /** Where its commit stands on the production branch; null where that is unknown. */
  readonly position: number | null;
}

/** What was live in one environment, by what it was built from. */
class EnvironmentHistory {
  latest: Live | undefined;
  readonly #bySha = new Map<string, Live>();
  readonly #byVersion = new Map<string, Live>();
  /** Deployments that name no commit. */
  readonly #byBareVersion = new Map<string, Live>();

  /**
   * When the same thing was first live. A commit identifies it. A version does so only where one of the two names no
   * commit: some call every version `latest`.
   */
  firstOf({ sha, version }: Success): Live | undefined {
    if (sha === null) return version === null ? undefined : this.#byVersion.get(version);
    const bare = version === null ? undefined : this.#byBareVersion.get(version);
    return firstOf([this.#bySha.get(shaKey(sha)), bare]);
  }

  add(live: Live): void {
    this.latest = live;
    const { sha, version } = live;
    if (sha !== null) keepFirst(this.#bySha, shaKey(sha), live);
    if (version !== null) keepFirst(this.#byVersion, version, live);
    if (version !== null && sha === null) keepFirst(this.#byBareVersion, version, live);
  }
}

/** Goes through the successful production deployments of a repository in their order, and finds rollbacks. */
export class LiveHistory {
  readonly #environments = new Map<string, EnvironmentHistory>();
  readonly #bySha = new Map<string, Live>();

  /**
   * What was live with a deployment: everything up to where its commit stands. A commit of unknown position cannot hold
   * more than it did the first time it was deployed, in whichever environment. Else the time of the deployment decides.
   */
  add(success: Success, position: number | null): { readonly deployedThrough: number; readonly isRollback: boolean } {
    const before = broughtBack(success, position, this.#environment(success.environment));
    return { deployedThrough: this.#take(success, position, before), isRollback: before !== undefined };
  }

  /** One of which it is known whether it was a rollback, where not all that were live before it are here. */
  recall(success: Success, position: number | null, isRollback: boolean): void {
    this.#take(success, position, isRollback ? this.#environment(success.environment).firstOf(success) : undefined);
  }

  #take(success: Success, position: number | null, before: Live | undefined): number {
    const { id, at, sha, version } = success;
    const known = sha === null ? undefined : this.#bySha.get(shaKey(sha));
    const deployedThrough = position ?? known?.deployedThrough ?? before?.deployedThrough ?? at;
    // Not a copy of `success` with more in it: copying costs V8 several times as much as naming what is in it.
    const live = { id, at, environment: success.environment, sha, version, deployedThrough, position };
    this.#environment(success.environment).add(live);
    if (sha !== null) keepFirst(this.#bySha, shaKey(sha), live);
    return deployedThrough;
  }

  #environment(name: string): EnvironmentHistory {
    const known = this.#environments.get(name) ?? new EnvironmentHistory();
    this.#environments.set(name, known);
    return known;
  }
}

/**
 * The earlier deployment that a rollback brings back: the same thing was live before, and something newer is replaced.
 * Newer is decided by the positions of both commits where both are known, else by which of the two was deployed first;
 * a position is never compared with the time of a deployment. Deploying again what a rollback took away is no rollback.
 */
function broughtBack(success: Success, at: number | null, environment: EnvironmentHistory): Live | undefined {
  const replaced = environment.latest;
  const before = environment.firstOf(success);
  if (!replaced || !before || isSame(success, replaced)) return undefined;
  const replacedFirst = environment.firstOf(replaced) ?? replaced;
  const position = at ?? before.position;
  const replacedPosition = replaced.position ?? replacedFirst.position;
  const byPosition = position === null || replacedPosition === null ? 0 : position - replacedPosition;
  return (byPosition || compareOrder(before, replacedFirst)) < 0 ? before : undefined;
}

function isSame(a: Success, b: Success): boolean {
  if (a.sha !== null && b.sha !== null) return shaKey(a.sha) === shaKey(b.sha);
  return a.version !== null && a.version === b.version;
}

function keepFirst(map: Map<string, Live>, key: string, live: Live): void {
  if (!map.has(key)) map.set(key, live);
}

/** A merged pull request whose commits a deployment may have been built from. */
interface MergedPullRequest {
  readonly pr_merged_at: number;
  readonly production_merged_at: number | null;
  readonly is_production_merge: boolean;
}

export const shaKey = (sha: string): string => sha.trim().toLowerCase();
/** Anything shorter is an abbreviation. */
const shaLength = 40;
export const isWholeSha = (sha: string): boolean => sha.length >= shaLength;

/**
 * Where commits stand on the production branch, by the pull requests they belong to. Hashes are compared in full: no
 * recorded source abbreviates the hash of a deployment.
 */
export class CommitPositions {
  readonly #merges = new Map<string, MergedPullRequest[]>();
  readonly #commits = new Map<string, MergedPullRequest[]>();

  addMerge(sha: string, pullRequest: MergedPullRequest): void {
    addToList(this.#merges, shaKey(sha), pullRequest);
  }

  addCommit(sha: string, pullRequest: MergedPullRequest): void {
    addToList(this.#commits, shaKey(sha), pullRequest);
  }

  /**
   * The time up to which everything on the production branch was live with a commit that was deployed at `deployedAt`;
   * null where the commit is unknown. The clock of a code host may be a little behind the clock of a deployer, so a
   * merge commit stands where it was merged even if that was after it was deployed. Any other commit of a pull request
   * that was not merged by then was deployed from its own branch, which says nothing about the production branch.
   */
  positionOf(sha: string | null, deployedAt: number): number | null {
    if (sha === null) return null;
    const key = shaKey(sha);
    const merges = this.#merges.get(key);
    const known = merges ?? this.#commits.get(key) ?? [];
    const onProduction = known.flatMap((one) => productionTime(one, deployedAt, merges !== undefined) ?? []);
    if (onProduction.length > 0) return Math.min(...onProduction);
    const elsewhere = known.flatMap(({ pr_merged_at }) => (pr_merged_at <= deployedAt ? [pr_merged_at] : []));
    return elsewhere.length > 0 ? Math.min(...elsewhere) : null;
  }
}

function productionTime(one: MergedPullRequest, deployedAt: number, isMergeCommit: boolean): number | undefined {
  const { production_merged_at: at, is_production_merge } = one;
  if (at === null) return undefined;
  return at <= deployedAt || (isMergeCommit && is_production_merge) ? at : undefined;
}
