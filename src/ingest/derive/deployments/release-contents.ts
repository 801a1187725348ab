import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import { compareOrder, type Placed } from './deployment-order.ts';

export const contentsColumns = [
  'contents_after',
  'contents_until',
  'prs_included',
] as const satisfies readonly (keyof ReleaseRow)[];

/** A release, placed by when it was published. */
export interface Published extends Placed {
  readonly isPrerelease: boolean;
}

/** A release brought what reached the production branch after one time and up to another. */
export interface Contents {
  readonly after: number;
  readonly until: number;
}

/**
 * A full release brings everything since the one before it, whatever prereleases had of it already; a prerelease what
 * came since the last release of any kind. What the first known release brought is not known, as with the first
 * deployment, so the first full one after prereleases begins where those begin.
 */
export function tellContents(releases: readonly Published[]): Map<string, Contents> {
  const contents = new Map<string, Contents>();
  let lastOfAny: number | undefined;
  let lastFull: number | undefined;
  for (const { id, at, isPrerelease } of releases.toSorted(compareOrder)) {
    lastOfAny ??= at;
    lastFull ??= at;
    contents.set(id, { after: isPrerelease ? lastOfAny : lastFull, until: at });
    lastOfAny = at;
    if (!isPrerelease) lastFull = at;
  }
  return contents;
}

/** Counts moments between two times, many times over. */
export class Moments {
  readonly #times: number[] = [];
  readonly #countUntil: number[] = [];

  constructor(moments: Iterable<{ readonly at: number; readonly rows: number }>) {
    let count = 0;
    for (const { at, rows } of [...moments].sort((a, b) => a.at - b.at)) {
      count += rows;
      this.#times.push(at);
      this.#countUntil.push(count);
    }
  }

  countIn({ after, until }: Contents): number {
    return Math.max(0, this.#until(until) - this.#until(after));
  }

  #until(time: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] as number) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#countUntil[low - 1] ?? 0;
  }
}
