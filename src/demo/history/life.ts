import type { SeededRandom } from '../seeded-random.ts';
import type { CodeBase } from './code-bases.ts';
import type { Contributor } from './contributors.ts';
import { drawSkewed, hour, minute } from './delays.ts';
import type { Occasion } from './merges.ts';
import type { Workforce } from './roster.ts';
import { slowness } from './teamwork.ts';
import type { WorkingCalendar } from './working-calendar.ts';

export type Verdict = 'approved' | 'changes_requested' | 'commented';

export interface ReviewMade {
  readonly at: number;
  readonly by: Contributor;
  readonly verdict: Verdict;
}

/** When what happens to a pull request, up to the end of the history. Whole seconds since 1970, each list in order. */
export interface Life {
  readonly createdAt: number;
  readonly isDraftAtFirst: boolean;
  readonly readyAt: number | null;
  /** Work of the author, when it was first written. */
  readonly commitTimes: readonly number[];
  /** How many of the commits were made in answer to a review. */
  readonly reworkCommits: number;
  readonly reviews: readonly ReviewMade[];
  /** When the branch was pushed anew, which gives every commit before it a later committer date. */
  readonly forcePushedAt: number | null;
  readonly queuedAt: number | null;
  readonly mergedAt: number | null;
  readonly closedAt: number | null;
}

export interface Birth {
  readonly at: number;
  readonly day: number;
  readonly author: Contributor;
  readonly codeBase: CodeBase;
  readonly occasion: Occasion;
  readonly isAided: boolean;
}

type Course = 'reviewed' | 'unreviewed' | 'abandoned' | 'forgotten';

/** What becomes of a pull request, out of a hundred. */
const courses: Readonly<Record<Occasion, readonly (readonly [Course, number])[]>> = {
  ordinary: [
    ['reviewed', 83],
    ['unreviewed', 8],
    ['abandoned', 7],
    ['forgotten', 2],
  ],
  bump: [
    ['reviewed', 52],
    ['unreviewed', 24],
    ['abandoned', 19],
    ['forgotten', 5],
  ],
  revert: [
    ['reviewed', 78],
    ['unreviewed', 20],
    ['abandoned', 2],
  ],
  hotfix: [
    ['reviewed', 80],
    ['unreviewed', 18],
    ['abandoned', 2],
  ],
  promotion: [
    ['reviewed', 85],
    ['unreviewed', 15],
  ],
};

/** Working time in hours: half of them take less. */
const tempos = {
  ordinary: { coding: 6, pickup: 2.4, rework: 2.2, merge: 0.9 },
  bump: { coding: 0, pickup: 9, rework: 1, merge: 0.5 },
  revert: { coding: 0.15, pickup: 0.3, rework: 0.3, merge: 0.1 },
  hotfix: { coding: 0.8, pickup: 0.4, rework: 0.4, merge: 0.15 },
  promotion: { coding: 0, pickup: 0.8, rework: 0.5, merge: 0.3 },
} as const satisfies Record<Occasion, object>;

const spread = 1.05;
/** Work that is done in the evening or on a day off does not wait for the morning. */
const offHours = 0.06;

/** Draws lives. Everything that people wait for passes in working time, so that Fridays wait for Mondays. */
export class LifeDrawer {
  readonly #calendar: WorkingCalendar;
  readonly #workforce: Workforce;
  readonly #pace: number;
  readonly #random: SeededRandom;

  constructor(calendar: WorkingCalendar, workforce: Workforce, pace: number, random: SeededRandom) {
    this.#calendar = calendar;
    this.#workforce = workforce;
    this.#pace = pace;
    this.#random = random;
  }

  draw(birth: Birth): Life {
    const { at: createdAt, author, occasion } = birth;
    const random = this.#random;
    const { endAt } = this.#calendar;
    const tempo = tempos[occasion];
    const drag = this.#pace * (this.#workforce.isSlow(author) ? slowness : 1);
    const course = random.pickWeighted(courses[occasion], ([, odds]) => odds)[0];

    const commitTimes = this.#codingOf(birth);
    const isDraftAtFirst = occasion === 'ordinary' && random.chance(0.14);
    let now = createdAt;
    let readyAt: number | null = null;
    if (isDraftAtFirst && course !== 'forgotten') {
      readyAt = this.#after(now, 5 * hour, author);
      // Work goes on while it is a draft.
      if (random.chance(0.6)) commitTimes.push(Math.floor(random.between(now, readyAt)));
      now = readyAt;
    }

    const openingCommits = commitTimes.length;
    const reviews: ReviewMade[] = [];
    const rounds =
      course === 'unreviewed' ? 0 : course === 'reviewed' ? this.#roundsOf(occasion) : random.integer(0, 1);
    for (let round = 1; round <= rounds && now < endAt; round += 1) {
      const isLast = round === rounds && course === 'reviewed';
      now = this.#review(birth, now, tempo.pickup * drag * (round === 1 ? 1 : 0.6), isLast, reviews);
      if (isLast || course !== 'reviewed') continue;
      for (let left = random.integer(1, 2); left > 0; left -= 1) {
        now = this.#after(now, tempo.rework * hour, author);
        commitTimes.push(now);
      }
    }

    const forcePushedAt = rounds > 1 && random.chance(0.25) ? (commitTimes.at(-1) ?? null) : null;
    const end = this.#endOf(course, now, tempo.merge * drag, author);
    const isMerged = course === 'reviewed' || course === 'unreviewed';
    const queuedAt = isMerged && end !== null ? this.#queueTime(birth, now, end) : null;
    const made = commitTimes.filter((time) => time < endAt);
    return {
      createdAt,
      isDraftAtFirst,
      readyAt: past(readyAt, endAt),
      commitTimes: made,
      reworkCommits: Math.max(0, made.length - openingCommits),
      reviews: reviews.filter(({ at }) => at < endAt),
      forcePushedAt: past(forcePushedAt, endAt),
      queuedAt: past(queuedAt, endAt),
      mergedAt: isMerged ? past(end, endAt) : null,
      closedAt: past(end, endAt),
    };
  }

  /** The commits before it was opened, in order. */
  #codingOf({ at, author, occasion, isAided }: Birth): number[] {
    const random = this.#random;
    const { coding } = tempos[occasion];
    if (coding === 0) return [at - random.integer(5, 90)];
    // An agent writes faster than hands do.
    const work = drawSkewed(random, coding * hour * (isAided ? 0.75 : 1), spread);
    const first = this.#calendar.earlier(at, work, author.phase);
    const times = [first];
    if (occasion === 'ordinary') {
      const more = Math.min(9, Math.floor(drawSkewed(random, 2.2, 0.7)));
      for (let count = 1; count <= more; count += 1) {
        times.push(Math.min(at, this.#calendar.later(first, (work * count) / (more + 1), author.phase)));
      }
    }
    return times;
  }

  #roundsOf(occasion: Occasion): number {
    const chance = this.#random.next();
    if (occasion !== 'ordinary') return chance < 0.92 ? 1 : 2;
    return chance < 0.5 ? 1 : chance < 0.83 ? 2 : chance < 0.95 ? 3 : 4;
  }

  /** One round: somebody looks, sometimes two do. Returns when they are done. */
  #review(
    { author, day, occasion }: Birth,
    from: number,
    pickup: number,
    isLast: boolean,
    reviews: ReviewMade[],
  ): number {
    const random = this.#random;
    // Whoever asked for changes looks again; a first round asks somebody.
    const earlier = reviews.at(-1)?.by;
    const first = earlier && random.chance(0.8) ? earlier : this.#workforce.pickReviewer(author, day, random);
    if (!first) return from;
    let at = this.#after(from, pickup * hour, first);
    const verdict = isLast ? 'approved' : random.chance(0.55) ? 'changes_requested' : 'commented';
    reviews.push({ at, by: first, verdict });
    if (occasion === 'ordinary' && random.chance(0.5)) {
      const second = this.#workforce.pickReviewer(author, day, random);
      if (second && second !== first) {
        at = this.#after(at, pickup * 0.5 * hour, second);
        reviews.push({ at, by: second, verdict: isLast ? 'approved' : 'commented' });
      }
    }
    return at;
  }

  #endOf(course: Course, now: number, merge: number, author: Contributor): number | null {
    switch (course) {
      case 'reviewed':
        return this.#after(now, merge * hour, author);
      case 'unreviewed':
        return this.#after(now, merge * 0.7 * hour, author);
      case 'abandoned':
        return this.#after(now, 30 * hour, author);
      case 'forgotten':
        return null;
    }
  }

  #queueTime({ codeBase, occasion }: Birth, from: number, mergedAt: number): number | null {
    if (!codeBase.hasMergeQueue || occasion === 'promotion') return null;
    return Math.max(from, Math.round(mergedAt - drawSkewed(this.#random, 14 * minute, 0.7)));
  }

  #after(at: number, medianSeconds: number, who: Contributor): number {
    const random = this.#random;
    const wait = Math.max(45, drawSkewed(random, medianSeconds, spread));
    if (random.chance(offHours)) return Math.round(at + wait);
    return this.#calendar.later(at, wait, who.phase);
  }
}

const past = (at: number | null, endAt: number): number | null => (at !== null && at < endAt ? at : null);
