import { percentDigits } from '../../../src/charts/shown-value.ts';
import { aggregations } from '../ask/catalogue.ts';
import { distanceOf, type GoalDocument, type GoalState, type ListedGoal } from '../ask/goal-standing.ts';
import { type Aggregation, aboutMetric, isMetric, type Measure, measureOf, wordFor } from '../ask/metric-facts.ts';
import { shown } from './format.ts';
import { goalWords, stateInSentence } from './goal-words.ts';

/** How the values of a goal are written. */
export function measureOfGoal({ metric, aggregation }: Pick<GoalDocument, 'metric' | 'aggregation'>): Measure {
  return isMetric(metric) ? measureOf(metric, aggregationIn(aggregation)) : 'number';
}

export const aggregationIn = (text: string | null | undefined): Aggregation | undefined =>
  aggregations.find((one) => one === text);

/** `First review wait, median`. */
export function metricOfGoal({ metric, aggregation }: Pick<GoalDocument, 'metric' | 'aggregation'>): string {
  if (!isMetric(metric)) return metric;
  const statistic = aggregationIn(aggregation);
  const { label } = aboutMetric(metric);
  return statistic ? `${label}, ${wordFor(statistic, measureOf(metric))}` : label;
}

/** `At most 1d`. */
export const targetWords = (goal: GoalDocument): string =>
  goalWords.shouldBe[goal.should_be](shown(goal.value, measureOfGoal(goal)));

/** `3h 12m to go`, or that it is reached. */
export function distanceWords(goal: GoalDocument, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const distance = distanceOf(goal, value);
  if (distance === 0) return goalWords.reached;
  const measure = measureOfGoal(goal);
  const isShare = measure === 'percent';
  return goalWords.away(isShare ? goalWords.points(percentDigits(distance * 100)) : shown(distance, measure));
}

/** In the order in which a reader wants to hear of them. */
const states: readonly GoalState[] = [
  'met',
  'on_track',
  'at_risk',
  'off_track',
  'missed',
  'too_early',
  'too_few',
  'no_data',
  'limited',
];

/** `5 goals: 2 met, 1 on track, 2 off track.` */
export const goalsSentence = (goals: readonly Pick<ListedGoal, 'state'>[]): string =>
  goalWords.listSentence(
    goals.length,
    states.flatMap((state) => {
      const count = goals.filter((goal) => goal.state === state).length;
      return count === 0 ? [] : `${count} ${stateInSentence(state)}`;
    }),
  );
