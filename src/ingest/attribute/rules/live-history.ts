import { shaKey } from './commit-positions.ts';
import { compareOrder, firstOf, type OrderedDeployment } from './deployment-order.ts';

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
