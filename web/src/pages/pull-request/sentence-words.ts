import { numberIn } from '../../ask/figure-question.ts';
import type { Row } from '../../ask/send.ts';
import { duration, grouped, shown } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';
import { type PullRequestClock, stateOf, timeIn } from './clock-words.ts';

/** The usual values of the repository. */
interface TypicalTime {
  readonly median: number | null;
  readonly n: number;
  /** `the median of its repository`; of a reader who does not see everybody's, in words of their own. */
  readonly called: string;
}

const numberWords = [
  '',
  '',
  'twice',
  'three times',
  'four times',
  'five times',
  'six times',
  'seven times',
  'eight times',
  'nine times',
  'ten times',
];

/** Says how long it took, how that compares, and which phase took most of it. */
export function pullRequestSentence(
  row: Row,
  clocks: readonly PullRequestClock[],
  usual: TypicalTime | undefined,
  now: number,
): SaidPart[] {
  const cycle = numberIn(row, 'cycle_time');
  const created = timeIn(row, 'pr_created_at');
  if (stateOf(row) === 'open') {
    const age = created === null ? undefined : duration((now - created) / 1_000);
    return ['Open', ...(age ? [' for ', { strong: age }] : []), waitingFor(row), '.'];
  }
  if (timeIn(row, 'pr_merged_at') === null) return ['Closed without being merged, so it has no cycle time.'];
  if (cycle === null) {
    if (row.is_bot === true) return ['A bot’s pull request: no clock runs for it.'];
    // Only a promotion, or a step towards one, has both ends of the clock and no time between them.
    return [
      created === null
        ? 'Merged. How long it took is unknown.'
        : 'Brings the changes of others, which have their own cycle time.',
    ];
  }
  const longest = clocks
    .filter(({ lane, name, seconds }) => lane === 0 && name !== 'merge to production' && seconds !== null)
    .toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0))[0];
  return [
    'Took ',
    { strong: duration(cycle) },
    ' from first commit to merge',
    ...against(cycle, usual),
    ...(longest?.seconds && cycle > 0
      ? [
          `. ${longest.name.charAt(0).toUpperCase()}${longest.name.slice(1)} was `,
          { strong: shown(longest.seconds / cycle, 'percent') },
          ' of it',
        ]
      : []),
    '.',
  ];
}

function waitingFor(row: Row): string {
  if (row.is_draft === true) return ' as a draft';
  return timeIn(row, 'first_review_at') === null ? ', not reviewed by another person yet' : ', reviewed but not merged';
}

/** A median of fewer pull requests says little. */
const minForTypical = 5;

function against(cycle: number, usual: TypicalTime | undefined): SaidPart[] {
  if (!usual || usual.median === null || usual.median === 0 || usual.n < minForTypical) return [];
  const ratio = cycle / usual.median;
  const whole = Math.round(ratio);
  const times =
    ratio >= 10.5
      ? `more than ${grouped(Math.floor(ratio))} times`
      : ratio >= 1.75
        ? numberWords[whole]
        : ratio >= 1.15
          ? `${shown(ratio - 1, 'percent')} more than`
          : ratio > 0.87
            ? 'about'
            : `${shown(1 - ratio, 'percent')} less than`;
  return [`, ${times} ${usual.called} (${duration(usual.median)}, n ${grouped(usual.n)})`];
}
