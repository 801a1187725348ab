import { type Branches, passesOn } from './branches.ts';

/** A merged pull request, as far as it decides how changes reach production. */
export interface Merged {
  readonly pr_id: string;
  readonly base_branch: string | null;
  readonly head_branch: string | null;
  readonly pr_merged_at: number;
}

/** When something reached the production branch, and by which merge into it. */
export interface Arrival {
  readonly at: number;
  readonly by: string;
}

/**
 * When merged pull requests reached the production branch: by their own merge, or by the earliest promotion of the
 * branch they were merged into, step by step where there are several. Those that have not are absent.
 */
export function reachProduction(merged: readonly Merged[], branches: Branches): Map<string, Arrival> {
  const arrivals = new Map<string, Arrival>();
  /** How soon something that is on a branch now gets to production, going back in time. */
  const onward = new Map<string, Arrival>();
  const latestFirst = merged.toSorted((a, b) => b.pr_merged_at - a.pr_merged_at);
  for (let i = 0; i < latestFirst.length; ) {
    const sameSecond: Merged[] = [];
    for (const at = latestFirst[i]?.pr_merged_at; latestFirst[i]?.pr_merged_at === at; i += 1) {
      sameSecond.push(latestFirst[i] as Merged);
    }
    // Within one second each step may open the way for another, so this goes round until nothing is new.
    const steps = sameSecond.filter((one) => passesOn(one, branches));
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const step of steps) {
        const arrival = arrivalOf(step, branches, onward);
        const head = step.head_branch ?? '';
        if (!arrival || !isSooner(arrival, onward.get(head))) continue;
        onward.set(head, arrival);
        isNew = true;
      }
    }
    for (const one of sameSecond) {
      const arrival = arrivalOf(one, branches, onward);
      if (arrival) arrivals.set(one.pr_id, arrival);
    }
  }
  return arrivals;
}

function arrivalOf(
  { pr_id, base_branch, pr_merged_at }: Merged,
  branches: Branches,
  onward: ReadonlyMap<string, Arrival>,
): Arrival | undefined {
  if (base_branch === branches.production) return { at: pr_merged_at, by: pr_id };
  return base_branch === null ? undefined : onward.get(base_branch);
}

const isSooner = (one: Arrival, other: Arrival | undefined): boolean =>
  !other || one.at < other.at || (one.at === other.at && one.by < other.by);
