import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { attributionWords } from '../../view/deployment-words.ts';
import { counted, duration } from '../../view/format.ts';
import type { TimelineClock } from '../../view/timeline-layout.ts';

/** One clock: its value, the two times it lies between, and the rule that chose them. */
export interface PullRequestClock {
  readonly name: string;
  readonly seconds: number | null;
  readonly from: string;
  readonly until: string;
  readonly start: number | null;
  readonly end: number | null;
  /** Why there is no value; undefined where there is one. */
  readonly missing: string | undefined;
  readonly lane: number;
  readonly colour?: 1 | 2 | 3 | 4;
}

export const timeIn = (row: Row, column: string): number | null => {
  const time = Date.parse(String(row[column] ?? ''));
  return Number.isNaN(time) ? null : time;
};

/** The clocks of a pull request, in the order in which they run, from its own columns. */
export function clocksOf(row: Row): PullRequestClock[] {
  const at = (column: string): number | null => timeIn(row, column);
  const [created, ready, merged, deployed] = [
    at('pr_created_at'),
    at('ready_at'),
    at('pr_merged_at'),
    at('deployed_at'),
  ];
  const [commit, review] = [at('first_commit_at'), at('first_review_at')];
  const opened = ready ?? created;
  const start = commit ?? created;
  const commits = numberIn(row, 'commits_count') ?? 0;
  const firstCommit =
    commits > 0
      ? `earliest author date of its ${counted(commits, 'commit', 'commits')}`
      : 'first commit, as its source says';
  const openedWords = ready === null ? 'opened (never a draft)' : 'ready for review (opened as a draft)';
  const startWords = commit === null ? 'opened: no commit is known' : firstCommit;
  const reviewWords = 'first review by another person';
  const notMerged = merged === null ? 'not merged' : undefined;
  const notReviewed = review === null ? 'never reviewed by another person' : undefined;
  const notDeployed = deployed === null ? lower(attributionWords(row.deployment_attribution_status).name) : undefined;
  const deployedWords = 'the deployment that contains it';
  const seconds = numberIn(row, 'rework_time');
  const reworkEnd = review !== null && seconds !== null ? review + seconds * 1_000 : null;
  const clock = (
    name: string,
    column: string,
    [from, begin]: readonly [string, number | null],
    [until, end]: readonly [string, number | null],
    missing: string | undefined,
    place: Pick<PullRequestClock, 'lane' | 'colour'>,
  ): PullRequestClock => {
    const value = numberIn(row, column);
    const why =
      row.is_bot === true
        ? 'a bot’s pull request has no clocks'
        : (missing ?? (begin === null || end === null ? 'one of the two times is missing' : leftOut));
    return {
      name,
      seconds: value,
      from,
      until,
      start: begin,
      end,
      missing: value === null ? why : undefined,
      ...place,
    };
  };
  return [
    clock(
      'coding',
      'coding_time',
      [firstCommit, commit],
      [openedWords, opened],
      commit === null ? 'no commit is known' : undefined,
      { lane: 0, colour: 1 },
    ),
    clock('first review wait', 'pickup_time', [openedWords, opened], [reviewWords, review], notReviewed, {
      lane: 0,
      colour: 2,
    }),
    clock('review', 'review_time', [reviewWords, review], ['merged', merged], notReviewed ?? notMerged, {
      lane: 0,
      colour: 3,
    }),
    clock(
      'merge to production',
      'merge_to_deploy',
      ['merged', merged],
      [deployedWords, deployed],
      notMerged ?? notDeployed,
      {
        lane: 0,
        colour: 4,
      },
    ),
    clock(
      'rework',
      'rework_time',
      [reviewWords, review],
      [seconds === 0 ? 'no commit came after it' : 'last commit after it, up to the merge', reworkEnd],
      notReviewed,
      { lane: 1 },
    ),
    clock(
      'merge queue',
      'queue_time',
      ['last entry to the merge queue', at('merge_queue_entered_at')],
      ['merged', merged],
      notMerged ?? 'never in a merge queue',
      { lane: 1 },
    ),
    clock('cycle time', 'cycle_time', [startWords, start], ['merged', merged], notMerged, { lane: 2 }),
    clock('lead time', 'lead_time', [startWords, start], [deployedWords, deployed], notMerged ?? notDeployed, {
      lane: 3,
    }),
  ];
}

/** Clocks with a value, as brackets. Those of no length are in the table only. */
export const brackets = (clocks: readonly PullRequestClock[]): TimelineClock[] =>
  clocks.flatMap(({ name, seconds, from, until, start, end, lane, colour }) =>
    seconds === null || seconds === 0 || start === null || end === null || end <= start
      ? []
      : {
          name,
          value: duration(seconds),
          rule: `${from} → ${until}`,
          from: start,
          until: end,
          lane,
          ...(colour ? { colour } : {}),
        },
  );

/** The text that a promotion, and a step towards one such as develop into staging, shows in place of some clocks. */
const leftOut = 'left out: it brings the changes of others, which have their own';
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
export const stateOf = (row: Row): string => textOf(row.pr_state) ?? 'open';
