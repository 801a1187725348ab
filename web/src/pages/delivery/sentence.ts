import { type Change, changeOf, counted, duration, grouped, shown } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';

/** The DORA figures as the sentence needs them; null where there is no value. */
export interface DeliveryFindings {
  readonly deployments: number | null;
  readonly deploymentsBefore: number | null | undefined;
  readonly leadTime: number | null;
  readonly leadTimeBefore: number | null | undefined;
  readonly failureRate: number | null;
  readonly changes: number;
  readonly restore: number | null;
  /** `the 90 days before`. */
  readonly before: string;
  readonly isOwn: boolean;
}

/** How often, how fast, how safely. */
export function deliverySentence(found: DeliveryFindings): SaidPart[] {
  const { deployments, leadTime, failureRate, changes, restore, isOwn } = found;
  if (!deployments && leadTime === null && failureRate === null) {
    return [isOwn ? 'None of your pull requests reached production' : 'Nothing reached production', ' in this window.'];
  }
  const often = changeOf(deployments, found.deploymentsBefore, 'count', 'higher');
  const fast = changeOf(leadTime, found.leadTimeBefore, 'duration', 'lower');
  const carried = isOwn ? ' that carried work of yours' : '';
  return [
    { strong: counted(deployments ?? 0, 'deployment', 'deployments') },
    carried,
    ...(often
      ? [
          often.direction === 'same'
            ? `, as in ${found.before}`
            : `, ${moreOrFewer(deployments ?? 0, found.deploymentsBefore ?? 0, often)} than in ${found.before}`,
        ]
      : []),
    ...(leadTime === null
      ? []
      : [
          '; half of the changes were live within ',
          { strong: duration(leadTime) },
          fast ? `, ${fast.direction === 'same' ? 'as before' : plain(fast.text)}` : '',
        ]),
    ...failures(failureRate, changes, restore),
    '.',
  ];
}

function failures(rate: number | null, changes: number, restore: number | null): SaidPart[] {
  if (rate === null) return [];
  const failed = Math.round(rate * changes);
  if (failed === 0) return ['; ', { strong: 'none failed' }];
  return [
    '; ',
    { strong: `${shown(rate, 'percent')} failed` },
    ` (${failed} of ${counted(changes, 'change', 'changes')})`,
    restore === null ? ', none restored yet' : `, restored after ${duration(restore)} at the median`,
  ];
}

/** Of a few, a percentage says less than the number itself. */
const fewDeployments = 20;

const moreOrFewer = (now: number, before: number, change: Change): string =>
  Math.min(now, before) < fewDeployments
    ? `${grouped(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'}`
    : plain(change.text);

/** `+14 % more` → `14 % more`: the words say the direction. */
const plain = (text: string): string => text.replace(/^[+−]/, '');
