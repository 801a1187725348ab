import { isSomebodyElse, type RecordAuthor } from './pull-request-timings.ts';

export interface ReviewDecision {
  readonly by: RecordAuthor;
  readonly state: string | null;
  readonly at: number | null;
}

/** What stands of two decisions in the same second, the last of these first. */
const order = ['approved', 'dismissed', 'changes_requested'];

/**
 * The time of the last approval by another person. Null without one, and while the newest review of any reviewer asks for
 * changes: comments decide nothing and leave what was decided before. An approval that its reviewer took back is none.
 * Reviewers whose names are gone count as one. Of two decisions in the same second, the one that asks for changes stands, in
 * whichever order they come.
 */
export function approvedAt(author: RecordAuthor, reviews: readonly ReviewDecision[]): number | null {
  const newest = new Map<string | null, { at: number; state: string }>();
  for (const { by, state, at } of reviews) {
    if (state === null || state === 'commented' || !isSomebodyElse(by, author)) continue;
    const decided = { at: at ?? Number.NEGATIVE_INFINITY, state };
    const before = newest.get(by.actor);
    const isLater = !before || decided.at > before.at;
    if (isLater || (decided.at === before.at && order.indexOf(state) > order.indexOf(before.state))) {
      newest.set(by.actor, decided);
    }
  }
  let approved: number | null = null;
  for (const { at, state } of newest.values()) {
    if (state === 'changes_requested') return null;
    if (state === 'approved' && Number.isFinite(at)) approved = Math.max(approved ?? at, at);
  }
  return approved;
}
