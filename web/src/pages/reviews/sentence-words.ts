import { changeClause, type ShownChange } from '../../../../src/conclusions/verdict-words.ts';
import { duration, grouped, shown } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';
import type { LoadSpread } from './load.ts';

/** The values of the sentence; null where there is none. */
interface ReviewFindings {
  readonly pickup: ShownChange;
  readonly changesRequested: number | null;
  readonly spread: LoadSpread | undefined;
  /** `the 90 days before`. */
  readonly before: string;
  readonly isOwn: boolean;
}

/** Says how long pull requests wait for a review, how reviews end, and how evenly the work is spread. */
export function reviewSentence({ pickup, changesRequested, spread, before, isOwn }: ReviewFindings): SaidPart[] {
  const parts: SaidPart[][] = [];
  if (pickup.now.value !== null) {
    parts.push([
      isOwn ? 'Half of your pull requests waited less than ' : 'Half of the pull requests waited less than ',
      { strong: duration(pickup.now.value) },
      ' for a first review',
      changeClause(pickup, before),
    ]);
  }
  if (changesRequested !== null) {
    parts.push([
      { strong: shown(changesRequested, 'percent') },
      isOwn ? ' of your reviews asked for changes' : ' of reviews asked for changes',
    ]);
  }
  // Of few people a share says nothing, and of a single person even less.
  if (spread && !isOwn && spread.reviewers >= 5) {
    parts.push([`${grouped(spread.half)} of ${grouped(spread.reviewers)} reviewers gave half of all reviews`]);
  }
  if (parts.length === 0) return [`There are no reviews${isOwn ? ' of yours' : ''} in this window.`];
  return [...parts.flatMap((part, at) => (at === 0 ? part : ['. ', ...part])), '.'];
}
