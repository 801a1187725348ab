import type { Branches } from './branches.ts';

/** A pull request, as far as it decides how changes reach production. */
interface Merging {
  readonly pr_id: string;
  readonly base_branch: string | null;
  readonly head_branch: string | null;
  readonly pr_merged_at: number | null;
}

/** When something reached the production branch, and by which merge into it. */
export interface Arrival {
  readonly at: number;
  readonly by: string;
}

/**
 * When pull requests reached the production branch, each in its place: by their own merge, or by the earliest promotion
 * of the branch they were merged into, step by step where there are several. Undefined for those that have not.
 */
export function reachProduction(
  pullRequests: readonly Merging[],
  branches: Branches,
  isStep: readonly boolean[],
): (Arrival | undefined)[] {
  const arrivals = new Array<Arrival | undefined>(pullRequests.length).fill(undefined);
  /** How soon something that is on a branch now gets to production, going back in time. */
  const onward = new Map<string, Arrival>();
  const times = Float64Array.from(pullRequests, ({ pr_merged_at }) => pr_merged_at ?? Number.NaN);
  const mergedAt = (i: number | undefined): number => times[i ?? -1] ?? Number.NaN;
  const latestFirst: number[] = [];
  for (const [i, at] of times.entries()) if (!Number.isNaN(at)) latestFirst.push(i);
  latestFirst.sort((a, b) => mergedAt(b) - mergedAt(a));
  for (let next = 0; next < latestFirst.length; ) {
    const sameSecond: number[] = [];
    for (const at = mergedAt(latestFirst[next]); mergedAt(latestFirst[next]) === at; next += 1) {
      sameSecond.push(latestFirst[next] as number);
    }
    // Within one second each step may open the way for another, so this goes round until nothing is new.
    const steps = sameSecond.filter((i) => isStep[i]);
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const i of steps) {
        const arrival = arrivalOf(pullRequests[i] as Merging, branches, onward);
        const head = pullRequests[i]?.head_branch ?? '';
        if (!arrival || !isSooner(arrival, onward.get(head))) continue;
        onward.set(head, arrival);
        isNew = true;
      }
    }
    for (const i of sameSecond) arrivals[i] = arrivalOf(pullRequests[i] as Merging, branches, onward);
  }
  return arrivals;
}

function arrivalOf(
  { pr_id, base_branch, pr_merged_at }: Merging,
  branches: Branches,
  onward: ReadonlyMap<string, Arrival>,
): Arrival | undefined {
  if (base_branch === branches.production) return pr_merged_at === null ? undefined : { at: pr_merged_at, by: pr_id };
  return base_branch === null ? undefined : onward.get(base_branch);
}

const isSooner = (one: Arrival, other: Arrival | undefined): boolean =>
  !other || one.at < other.at || (one.at === other.at && one.by < other.by);
