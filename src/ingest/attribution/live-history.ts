import { shaKey } from './commit-positions.ts';
import { compareOrder, firstOf, type Placed } from './deployment-order.ts';

/** A successful production deployment. */
export interface Success extends Placed {
  readonly environment: string;
  readonly sha: string | null;
  readonly version: string | null;
}

/** One that is known to have been live with everything on the production branch up to a time. */
export interface Live extends Success {
  readonly carriedUntil: number;
  /** Where its commit stands on the production branch; null where that is not known. */
  readonly place: number | null;
}

export interface Told {
  readonly carriedUntil: number;
  readonly isRollback: boolean;
}

/** What was live in one environment, by what it was built from. */
class Environment {
  latest: Live | undefined;
  readonly #bySha = new Map<string, Live>();
  readonly #byVersion = new Map<string, Live>();
  /** Of those that name no commit. */
  readonly #byBareVersion = new Map<string, Live>();

  /**
   * When this was first live. A commit says what it is, a version only where one of both names no commit: some call
   * every version `latest`.
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

/** Goes through the successful production deployments of a repository in their order. */
export class LiveHistory {
  readonly #environments = new Map<string, Environment>();
  readonly #bySha = new Map<string, Live>();

  /** An earlier one that has been told already. All of them come in order, before those that are to be told. */
  recall(live: Live): void {
    this.#environment(live.environment).add(live);
    if (live.sha !== null) keepFirst(this.#bySha, shaKey(live.sha), live);
  }

  /**
   * Up to when everything was live with it: where its commit stands. A commit of unknown place cannot hold more than it
   * did the first time it was deployed, in whichever environment. Else the time of the deployment is all there is.
   */
  tell(success: Success, place: number | null): Told {
    const environment = this.#environment(success.environment);
    const known = success.sha === null ? undefined : this.#bySha.get(shaKey(success.sha));
    const before = this.#replacedByRollback({ ...success, place }, environment);
    const carriedUntil = place ?? known?.carriedUntil ?? before?.carriedUntil ?? success.at;
    this.recall({ ...success, carriedUntil, place });
    return { carriedUntil, isRollback: before !== undefined };
  }

  /**
   * When this was live before, if bringing it back replaces something newer in that environment: by the places of both
   * commits where both are known, else by which of the two was deployed first. A place is never compared with the time
   * of a deployment. Deploying again what a rollback took away is no rollback.
   */
  #replacedByRollback(success: Success & Pick<Live, 'place'>, environment: Environment): Live | undefined {
    const replaced = environment.latest;
    const before = environment.firstOf(success);
    if (!replaced || !before || isSame(success, replaced)) return undefined;
    const replacedFirst = environment.firstOf(replaced) ?? replaced;
    const place = success.place ?? before.place;
    const replacedPlace = replaced.place ?? replacedFirst.place;
    const byPlace = place === null || replacedPlace === null ? 0 : place - replacedPlace;
    return (byPlace || compareOrder(before, replacedFirst)) < 0 ? before : undefined;
  }

  #environment(name: string): Environment {
    const known = this.#environments.get(name) ?? new Environment();
    this.#environments.set(name, known);
    return known;
  }
}

function isSame(a: Success, b: Success): boolean {
  if (a.sha !== null && b.sha !== null) return shaKey(a.sha) === shaKey(b.sha);
  return a.version !== null && a.version === b.version;
}

function keepFirst(map: Map<string, Live>, key: string, live: Live): void {
  if (!map.has(key)) map.set(key, live);
}
