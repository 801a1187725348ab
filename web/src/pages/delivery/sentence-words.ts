import { changeClause, isOnlyPerDay, type ShownChange } from '../../../../src/conclusions/verdict-words.ts';
import { counted, duration, grouped, shown } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';

/** The DORA figures as the sentence needs them; null where there is no value. */
export interface DeliveryFindings {
  readonly deployments: ShownChange;
  readonly leadTime: ShownChange;
  readonly failureRate: number | null;
  readonly changes: number;
  readonly restore: number | null;
  /** `the 90 days before`. */
  readonly before: string;
  readonly isOwn: boolean;
}

/** How often, how fast, how safely. */
export function deliverySentence(found: DeliveryFindings): SaidPart[] {
  const { failureRate, changes, restore, isOwn } = found;
  const [deployments, leadTime] = [found.deployments.now.value, found.leadTime.now.value];
  if (!deployments && leadTime === null && failureRate === null) {
    return [isOwn ? 'None of your pull requests reached production' : 'Nothing reached production', ' in this window.'];
  }
  return [
    { strong: counted(deployments ?? 0, 'deployment', 'deployments') },
    isOwn ? ' that carried work of yours' : '',
    oftenClause(found.deployments, found.before),
    ...(leadTime === null
      ? []
      : [
          isOwn ? '. Half of your changes were live within ' : '. Half of the changes were live within ',
          { strong: duration(leadTime) },
          changeClause(found.leadTime),
        ]),
    ...failures(failureRate, changes, restore),
    '.',
  ];
}

function failures(rate: number | null, changes: number, restore: number | null): SaidPart[] {
  if (rate === null) return [];
  const failed = Math.round(rate * changes);
  if (failed === 0) return ['. ', { strong: 'None failed' }];
  return [
    '. ',
    { strong: `${shown(rate, 'percent')} failed` },
    ` (${failed} of ${counted(changes, 'change', 'changes')})`,
    restore === null ? ', none restored yet' : `, restored after ${duration(restore)} at the median`,
  ];
}

/** Of few runs a percentage says less than the number itself. */
const fewDeployments = 20;

function oftenClause(change: ShownChange, window: string): string {
  const { now, before, verdict } = change;
  const [count, earlier] = [now.value ?? 0, before?.value ?? 0];
  const hasMoved = (verdict === 'up' || verdict === 'down') && !isOnlyPerDay(count, earlier, verdict);
  if (!hasMoved || Math.min(count, earlier) >= fewDeployments) return changeClause(change, window);
  return `, ${grouped(Math.abs(count - earlier))} ${count > earlier ? 'more' : 'fewer'} than in ${window}`;
}
