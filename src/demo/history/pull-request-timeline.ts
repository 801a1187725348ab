import type { CodeBase } from './code-bases.ts';
import type { CodeChange, Occasion } from './code-changes.ts';
import type { Contributor } from './contributors.ts';
import type { DemoWorld } from './demo-world.ts';
import { hour, minute } from './working-calendar.ts';

const paths = { github: 'pull commit', gitlab: '-/merge_requests -/commit', bitbucket: 'pull-requests commits' };

export interface PlannedPullRequest {
  readonly at: number;
  readonly day: number;
  readonly author: Contributor;
  readonly codeBase: CodeBase;
  readonly change: CodeChange;
  readonly isAided: boolean;
}

export type PullRequest = ReturnType<typeof drawPullRequest>;

export function drawPullRequest(world: DemoWorld, planned: PlannedPullRequest, number: number) {
  const { at, day, author, codeBase, change, isAided } = planned;
  const host = codeBase.hostOn(day);
  const id = `${host}:${codeBase.repository}#${number}`;
  const [pullPath, commitPath] = paths[host].split(' ');
  const repositoryUrl = `https://${host}.example/${codeBase.repository}`;
  const url = `${repositoryUrl}/${pullPath}/${number}`;
  const commitUrl = (sha: string) => `${repositoryUrl}/${commitPath}/${sha}`;
  const timeline = drawTimeline(world, planned);
  /** No event of it happens after this moment. */
  const silentAfter = timeline.closedAt ?? Number.POSITIVE_INFINITY;
  return { id, number, host, url, commitUrl, timeline, silentAfter, at, day, author, codeBase, change, isAided };
}

/** How many of a hundred are reviewed, unreviewed, abandoned, forgotten; median hours of coding, pickup, rework, merge. */
const courses = {
  ordinary: [83, 8, 7, 2, 6, 2.4, 2.2, 0.9],
  bump: [52, 24, 19, 5, 0, 9, 1, 0.5],
  revert: [78, 20, 2, 0, 0.15, 0.3, 0.3, 0.1],
  hotfix: [80, 18, 2, 0, 0.8, 0.4, 0.4, 0.15],
  promotion: [85, 15, 0, 0, 0, 0.8, 0.5, 0.3],
} as const satisfies Record<Occasion, object>;

const slowness = 3;
const spread = 1.05;
/** Share of the work done in the evening or on a day off, which does not wait for the morning. */
const offHours = 0.06;

/** When each event of a pull request happens. People's waiting passes in working time: Fridays wait for Mondays. */
function drawTimeline(world: DemoWorld, planned: PlannedPullRequest) {
  const { random, calendar, workforce, profile } = world;
  const { at: createdAt, author, day, codeBase, change, isAided } = planned;
  const { occasion } = change;
  const isOrdinary = occasion === 'ordinary';
  const [reviewed, unreviewed, abandoned, forgotten, coding, pickup, rework, merge] = courses[occasion];
  const drag = profile.activity.pace * (workforce.isSlow(author, day) ? slowness : 1);
  const outcome = random.pickKey({ reviewed, unreviewed, abandoned, forgotten });
  const isReviewed = outcome === 'reviewed';

  const after = (at: number, medianHours: number, who: Contributor): number => {
    const wait = Math.max(45, random.skewed(medianHours * hour, spread));
    return random.chance(offHours) ? Math.round(at + wait) : calendar.later(at, wait, who.phase);
  };

  const commitTimes = drawCoding();
  let now = createdAt;
  let readyAt: number | null = null;
  const isDraftAtFirst = isOrdinary && random.chance(0.14);
  if (isDraftAtFirst && outcome !== 'forgotten') {
    readyAt = after(now, 5, author);
    if (random.chance(0.6)) commitTimes.push(Math.floor(random.between(now, readyAt)));
    now = readyAt;
  }

  const openingCommits = commitTimes.length;
  const reviews: { at: number; by: Contributor; verdict: 'approved' | 'changes_requested' | 'commented' }[] = [];
  const rounds = isReviewed ? drawRounds() : outcome === 'unreviewed' ? 0 : random.integer(0, 1);
  for (let round = 1; round <= rounds; round += 1) {
    const isLast = round === rounds && isReviewed;
    review(pickup * drag * (round === 1 ? 1 : 0.6), isLast);
    if (isLast || !isReviewed) continue;
    for (let left = random.integer(1, 2); left > 0; left -= 1) {
      now = after(now, rework, author);
      commitTimes.push(now);
    }
  }

  const forcePushedAt = rounds > 1 && random.chance(0.25) ? (commitTimes.at(-1) ?? null) : null;
  const isMerged = isReviewed || outcome === 'unreviewed';
  const delay = isMerged ? merge * drag * (isReviewed ? 1 : 0.7) : 30;
  const endAt = outcome === 'forgotten' ? null : after(now, delay, author);
  const hasQueue = isMerged && endAt !== null && codeBase.hasMergeQueue && occasion !== 'promotion';
  return {
    isDraftAtFirst,
    readyAt,
    commitTimes,
    /** How many of the last commits answer a review. */
    reworkCommits: commitTimes.length - openingCommits,
    reviews,
    /** A force push gives every commit before it a later committer date. */
    forcePushedAt,
    queuedAt: hasQueue ? Math.max(now, Math.round(endAt - random.skewed(14 * minute, 0.7))) : null,
    mergedAt: isMerged ? endAt : null,
    closedAt: endAt,
  };

  /** The commits before it was opened. An agent writes faster than hands do. */
  function drawCoding(): number[] {
    if (coding === 0) return [createdAt - random.integer(5, 90)];
    const work = random.skewed(coding * hour * (isAided ? 0.75 : 1), spread);
    const first = calendar.earlier(createdAt, work, author.phase);
    const more = isOrdinary ? Math.min(9, Math.floor(random.skewed(2.2, 0.7))) : 0;
    const later = Array.from({ length: more }, (_, index) => (work * (index + 1)) / (more + 1));
    return [first, ...later.map((part) => Math.min(createdAt, calendar.later(first, part, author.phase)))];
  }

  function drawRounds(): number {
    const chance = random.next();
    if (!isOrdinary) return chance < 0.92 ? 1 : 2;
    return chance < 0.5 ? 1 : chance < 0.83 ? 2 : chance < 0.95 ? 3 : 4;
  }

  /** One round by one reviewer, sometimes by two. A reviewer who asked for changes mostly looks again. */
  function review(wait: number, isLast: boolean): void {
    const earlier = reviews.at(-1)?.by;
    const first = earlier && random.chance(0.8) ? earlier : workforce.pickReviewer(author, day);
    if (!first) return;
    now = after(now, wait, first);
    const verdict = isLast ? 'approved' : random.chance(0.55) ? 'changes_requested' : 'commented';
    reviews.push({ at: now, by: first, verdict });
    const second = isOrdinary && random.chance(0.5) ? workforce.pickReviewer(author, day) : undefined;
    if (!second || second === first) return;
    now = after(now, wait * 0.5, second);
    reviews.push({ at: now, by: second, verdict: isLast ? 'approved' : 'commented' });
  }
}
