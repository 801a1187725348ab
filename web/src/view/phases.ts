import type { DateLevel } from '../../../src/calendar.ts';
import type { ChartSeries } from '../../../src/charts/chart-description.ts';
import { numberIn } from '../ask/figure-question.ts';
import type { MetricName } from '../ask/metric-facts.ts';
import { askSeveral, type Question } from '../ask/question.ts';
import type { Row } from '../ask/send.ts';
import type { View } from '../ask/view.ts';
import type { PanelState } from '../ask/view-state.ts';
import type { TimeBucket } from '../ask/windows.ts';
import { phasesWords } from './phase-words.ts';

/** The end of the last phase: the merge, as for cycle time, or production, as for lead time. */
export type PhasesUntil = 'merge' | 'production';

/** The metric of the whole, whose data have to be there. */
export const wholeOf = { merge: 'cycle-time', production: 'lead-time-for-changes' } as const;

/** The phases of a pull request, waiting or working, in the order of time. */
const phases = [
  { key: 'coding', name: phasesWords.coding, metric: 'coding-time', colour: 1 },
  { key: 'pickup', name: phasesWords.waitingForReview, metric: 'pickup-time', colour: 2 },
  { key: 'review', name: phasesWords.inReview, metric: 'review-time', colour: 3 },
  // From opened to merged of pull requests that nobody reviewed: these have neither of the two phases before.
  { key: 'unreviewed', name: phasesWords.openWithoutReview, metric: 'cycle-time', colour: 6 },
  { key: 'deploy', name: phasesWords.mergeToProduction, metric: 'merge-to-deploy', colour: 4 },
] as const;

type PhaseKey = (typeof phases)[number]['key'];

export const phasesUntil = (until: PhasesUntil) =>
  phases.filter(({ key }) => until === 'production' || key !== 'deploy');

/** Seconds of each phase, summed over the same pull requests, and how many these are. */
export interface PhaseSums {
  readonly seconds: Readonly<Record<PhaseKey, number>>;
  readonly total: number;
  readonly pullRequests: number;
}

/**
 * The sums of all phases. Medians and averages of phases add up to nothing, since each is of other pull requests. Whether
 * one was reviewed is known from `is_reworked`, which only those have that were.
 */
export const phaseQuestion = (view: View, until: PhasesUntil, level?: DateLevel): Question => {
  const metrics = [...new Set<MetricName>(phasesUntil(until).map(({ metric }) => metric))];
  return askSeveral(metrics, {
    filters: view.filtersFor('cycle-time', view.windowFor(wholeOf[until])),
    group_by: [
      'is_reworked',
      'is_promotion_pr',
      ...(until === 'production' ? ['deployment_attribution_status'] : []),
    ] as never[],
    aggregations: Object.fromEntries(metrics.map((metric) => [metric, 'SUM' as const])),
    ...(level ? { date_level: level } : {}),
  });
};

/** A promotion waits for the pull requests that it contains, whose hours would count twice. */
const isCounted = (row: Row, until: PhasesUntil): boolean =>
  row.is_promotion_pr !== true && (until === 'merge' || row.deployment_attribution_status === 'deployed');

/**
 * What each phase took in all. A phase that a pull request did not go through adds nothing, and its pull request still
 * counts with its other phases: that nobody reviewed it is a phase of its own, so that no hour up to the merge is lost.
 */
export function phaseSums(rows: readonly Row[], until: PhasesUntil): PhaseSums {
  const seconds: Record<PhaseKey, number> = { coding: 0, pickup: 0, review: 0, unreviewed: 0, deploy: 0 };
  let pullRequests = 0;
  for (const row of rows) {
    if (!isCounted(row, until)) continue;
    const of = (column: string): number => numberIn(row, column) ?? 0;
    seconds.coding += of('sum_coding_time');
    seconds.pickup += of('sum_pickup_time');
    seconds.review += of('sum_review_time');
    if (row.is_reworked === null) {
      seconds.unreviewed += Math.max(0, of('sum_cycle_time') - of('sum_coding_time'));
    }
    if (until === 'production') seconds.deploy += of('sum_merge_to_deploy');
    pullRequests += of(until === 'production' ? 'n_merge_to_deploy' : 'n_cycle_time');
  }
  return { seconds, total: Object.values(seconds).reduce((sum, one) => sum + one, 0), pullRequests };
}

/** The share of each phase in the hours of all phases. Shares add up to 1. */
export const phaseShares = ({ seconds, total }: PhaseSums, until: PhasesUntil) =>
  phasesUntil(until).map(({ key, name }) => ({ name, share: total > 0 ? seconds[key] / total : null }));

/** One series a phase, with its share in every bucket. Phases without any time are left out. */
export function phaseSeries(
  rows: readonly Row[],
  buckets: readonly TimeBucket[],
  level: DateLevel,
  until: PhasesUntil,
): (ChartSeries & { readonly key: PhaseKey })[] {
  const sums = buckets.map(({ name }) =>
    phaseSums(
      rows.filter((row) => row[`${level}_date`] === name),
      until,
    ),
  );
  return phasesUntil(until)
    .filter(({ key }) => sums.some(({ seconds }) => seconds[key] > 0))
    .map(({ key, name, colour }) => ({
      key,
      name,
      colour,
      points: sums.map(({ seconds, total, pullRequests }) => ({
        value: total > 0 ? seconds[key] / total : null,
        n: pullRequests,
      })),
    }));
}

/** The pull requests behind the hours of a phase, summed. */
export function phasePanel(wanted: PhaseKey, until: PhasesUntil): PanelState {
  const metric = phases.find(({ key }) => key === wanted)?.metric ?? 'cycle-time';
  return {
    metric,
    aggregation: 'SUM',
    where: {
      is_promotion_pr: 'false',
      ...(wanted === 'unreviewed' ? { is_reworked: null } : {}),
      ...(until === 'production' ? { deployment_attribution_status: 'deployed' } : {}),
    },
  };
}
