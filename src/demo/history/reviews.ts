import type { SeededRandom } from '../seeded-random.ts';
import { isoText } from './clock-text.ts';
import { minute } from './delays.ts';
import type { ReviewMade } from './life.ts';
import { type PullRequest, silentAfter } from './pull-request.ts';
import type { Weaver } from './weaver.ts';
import { drawVerdict } from './wording.ts';

/** An app that reviews on GitHub once assistants are common. It is in no directory; its login says what it is. */
const reviewingApp = 'copilot-pull-request-reviewer[bot]';
const daysWithReviewingApp = 300;

/** Writes who reviewed a pull request, and what they decided. */
export class ReviewWriter {
  readonly #weaver: Weaver;
  readonly #random: SeededRandom;
  readonly #endAt: number;
  readonly #appDay: number;
  #serial: number;

  constructor(weaver: Weaver, random: SeededRandom, endAt: number, days: number) {
    this.#weaver = weaver;
    this.#random = random;
    this.#endAt = endAt;
    this.#appDay = days - daysWithReviewingApp;
    this.#serial = random.integer(1_100_000_000, 1_400_000_000);
  }

  write(pr: PullRequest): void {
    const random = this.#random;
    const { host, day, life, author, change } = pr;
    const end = silentAfter(pr, this.#endAt);
    if (host === 'github' && day >= this.#appDay && change.occasion === 'ordinary' && random.chance(0.15)) {
      const at = Math.min(end, life.createdAt + random.integer(60, 6 * minute));
      this.#put(pr, reviewingApp, null, at, 'commented', 'Reviewed the changed files. No comments generated.');
    }
    life.reviews.forEach((review, index) => {
      const { at, by, verdict } = review;
      const account = by.accounts[host];
      const state = isDismissed(life.reviews, index) && random.chance(0.08) ? 'dismissed' : verdict;
      this.#put(pr, account.login, account.email, at, state, drawVerdict(state, random));
    });
    // Some answer in the form of a review of their own pull request, which is none.
    if (life.reviews.length > 1 && random.chance(0.05)) {
      const own = author.accounts[host];
      const at = Math.min(end, (life.reviews[0]?.at ?? life.createdAt) + random.integer(2, 30) * minute);
      this.#put(pr, own.login, own.email, at, 'commented', '');
    }
  }

  #put(
    { id, url }: PullRequest,
    login: string | null,
    email: string | null,
    at: number,
    state: string,
    body: string,
  ): void {
    this.#serial += 1;
    this.#weaver.add('pull_request_reviews', {
      pr_review_id: `${id}/review/${this.#serial}`,
      pr_id: id,
      review_state: state,
      reviewed_at: isoText(at),
      review_url: `${url}#pullrequestreview-${this.#serial}`,
      review_body: body === '' ? null : body,
      person_login: login,
      person_email: email,
    });
  }
}

/** A request for changes that a later approval of the same person made void. */
function isDismissed(reviews: readonly ReviewMade[], index: number): boolean {
  const review = reviews[index];
  if (review?.verdict !== 'changes_requested') return false;
  return reviews.slice(index + 1).some(({ by }) => by === review.by);
}
