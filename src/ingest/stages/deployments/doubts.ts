import { never } from './book.ts';

/** From when on the failures of a repository’s deployments are looked at again. */
export interface Doubt {
  /** Deployments have changed since. Whatever was live then may have been replaced, or be blamed, by others now. */
  changed: number;
  /** Hotfixes have changed that were merged since, which are blamed on whatever was live then. */
  hotfixes: number;
  /** All failures since are looked at again. */
  all: number;
}

/** Everything that may have failed for another reason now, or for none. */
export class Doubts {
  readonly repositories = new Map<string, Doubt>();
  /** Deployments by themselves, of any repository. */
  readonly deployments = new Set<string>();
  /** Pull requests that are taken back by others now, or were: whatever carried them is in doubt. */
  readonly reverted = new Set<string>();
  readonly #environments = new Map<string, Set<string>>();

  add(repository: string, kind: keyof Doubt, ...times: readonly (number | null | undefined)[]): void {
    const doubt = this.repositories.get(repository) ?? { changed: never, hotfixes: never, all: never };
    for (const time of times) if (typeof time === 'number' && time < doubt[kind]) doubt[kind] = time;
    if (Math.min(doubt.changed, doubt.hotfixes, doubt.all) < never) this.repositories.set(repository, doubt);
  }

  /** An environment that something was deployed to which is gone, or has moved elsewhere. */
  leaveEnvironment(repository: string, environment: string): void {
    this.#environments.set(repository, (this.#environments.get(repository) ?? new Set()).add(environment));
  }

  environmentsOf(repository: string): Iterable<string> {
    return this.#environments.get(repository) ?? [];
  }
}

/** A repository, and from when on its failures are told again. */
export interface DoubtedRepository {
  readonly key: string;
  readonly since: number;
}
