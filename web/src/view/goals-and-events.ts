import { type DateLevel, dateLevels } from '../../../src/calendar.ts';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import {
  annotationsOnChart,
  goalsOnChart,
  type KnownTeams,
  type MarkedQuestion,
} from '../../../src/charts/chart-marks.ts';
import type { AnnotationDocument } from '../ask/annotations.ts';
import { aggregations } from '../ask/catalogue.ts';
import type { GoalDocument } from '../ask/goal-standing.ts';
import { addsUp, isMetric, type MetricName } from '../ask/metric-facts.ts';
import { metricOf, type Question, singleQuestions } from '../ask/question.ts';
import type { Listed } from '../ask/stored-documents.ts';
import type { View } from '../ask/view.ts';
import { timeBuckets } from '../ask/windows.ts';

interface Marks {
  readonly goals: readonly GoalDocument[];
  readonly annotations: readonly (AnnotationDocument & Listed)[];
  readonly teams: KnownTeams;
  /** Whether the reader sees everybody's work. */
  readonly seesEverybody: boolean;
}

/** The chart with those marks that belong on it; the same one where none does. */
export function markedChart<C extends ChartDescription>(chart: C, question: Question, view: View, marks: Marks): C {
  const { goals, annotations, teams, seesEverybody } = marks;
  const asked = markedQuestion(question);
  if (!asked || !('categories' in chart)) return chart;
  const buckets = timeBuckets(asked, asked.level, view.reachFor(asked.metric));
  if (buckets.length !== chart.categories.length) return chart;
  const marked: MarkedQuestion = { ...asked, seesEverybody };
  const lines = chart.isAddedUp ? [] : goalsOnChart(goals.map(asMarked), marked, teams);
  const flags = annotationsOnChart(annotations.map(asFlag), marked, buckets, teams);
  if (lines.length === 0 && flags.length === 0) return chart;
  return {
    ...chart,
    ...(lines.length > 0 ? { goals: lines } : {}),
    ...(flags.length > 0 ? { annotations: flags } : {}),
  };
}

interface AskedOverTime extends Omit<MarkedQuestion, 'seesEverybody'> {
  readonly metric: MetricName;
  readonly level: DateLevel;
}

/** Undefined where the question is about several metrics, or not asked by period. */
function markedQuestion(question: Question): AskedOverTime | undefined {
  const [single, ...others] = singleQuestions(question);
  const metric = single && others.length === 0 ? metricOf(single) : undefined;
  if (!single || !metric || !isMetric(metric)) return undefined;
  const { filters, date_level, group_by, aggregation } = single.body;
  const level = dateLevels.find((one) => one === date_level);
  const { start_date: start, end_date: end, ...chosen } = filters;
  if (!level || typeof start !== 'string' || typeof end !== 'string') return undefined;
  const known = aggregations.find((one) => one === aggregation);
  const groupBy = Array.isArray(group_by) ? group_by.map(String) : [];
  return {
    metric,
    aggregation: known ?? null,
    addsUp: addsUp(metric, known),
    filters: chosen,
    groupBy,
    level,
    start,
    end,
  };
}

const asMarked = ({ title, metric, aggregation, filters, value, period, from, until }: GoalDocument) => ({
  title,
  metric,
  aggregation: aggregation ?? null,
  filters: filters ?? {},
  value,
  period,
  from: from ?? '',
  until: until ?? null,
});

const asFlag = ({ title, kind, at, until, filters, ...listed }: AnnotationDocument & Listed) => ({
  title,
  kind,
  at,
  until: until ?? null,
  filters: filters ?? {},
  ...(listed.owner ? { author: listed.owner.name } : {}),
});
