import { isSomebodyElse, type RecordAuthor } from './pull-request-timings.ts';

export interface ReviewDecision {
  readonly by: RecordAuthor;
  readonly state: string | null;
  readonly at: number | null;
}

/**
 * The time of the last approval by another person. Null without one, and while the newest review of any reviewer asks for
 * changes: comments decide nothing and leave what was decided before. Reviewers whose names are gone count as one. Of two
 * decisions in the same second, the one that asks for changes stands, in whichever order they come.
 */
export function approvedAt(author: RecordAuthor, reviews: readonly ReviewDecision[]): number | null {
  let approved: number | null = null;
  const newest = new Map<string | null, { at: number; asksForChanges: boolean }>();
  for (const { by, state, at } of reviews) {
    if (state === null || state === 'commented' || !isSomebodyElse(by, author)) continue;
    if (state === 'approved' && at !== null) approved = Math.max(approved ?? at, at);
    const decided = { at: at ?? Number.NEGATIVE_INFINITY, asksForChanges: state === 'changes_requested' };
    const before = newest.get(by.actor);
    if (!before || decided.at > before.at || (decided.at === before.at && decided.asksForChanges)) {
      newest.set(by.actor, decided);
    }
  }
  const isHeld = [...newest.values()].some(({ asksForChanges }) => asksForChanges);
  return isHeld ? null : approved;
}
