import { useEffect, useMemo, useState } from 'react';
import { type DateLevel, dateLevels } from '../../../src/calendar.ts';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import type { MarkedQuestion } from '../../../src/charts/chart-marks.ts';
import type { AnnotationDocument } from '../ask/annotations.ts';
import { aggregations } from '../ask/catalogue.ts';
import { useTeams } from '../ask/choices.ts';
import type { GoalDocument } from '../ask/goal-standing.ts';
import { addsUp, isMetric, type MetricName } from '../ask/metric-facts.ts';
import { metricOf, type Question, singleQuestions } from '../ask/question.ts';
import { useDocuments } from '../ask/stored-documents.ts';
import { useView } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { useSession } from '../page-session.ts';

/** The chart with the lines of goals and the flags of events that belong on it, where it is drawn over time. */
export function useChartMarks<C extends ChartDescription>(chart: C | undefined, question: Question): C | undefined {
  const asked = chart && isOverTime(chart) ? markedQuestion(question) : undefined;
  const isWanted = asked !== undefined;
  const goals = useDocuments<GoalDocument>('goals', isWanted).data;
  const annotations = useDocuments<AnnotationDocument>('annotations', isWanted).data;
  const hasMarks = ((goals?.length ?? 0) > 0 || (annotations?.length ?? 0) > 0) && isWanted;
  const choosing = useChoosing(hasMarks);
  const teams = useTeams(hasMarks);
  const view = useView();
  const seesEverybody = useSession().visibility_notice.visibility === 'organisation';
  const text = JSON.stringify(asked);
  return useMemo(() => {
    const read = text === undefined ? undefined : (JSON.parse(text) as AskedOverTime);
    if (!chart || !read || !choosing || !('categories' in chart)) return chart;
    const buckets = timeBuckets(read, read.level, view.reachFor(read.metric));
    if (buckets.length !== chart.categories.length) return chart;
    const marked: MarkedQuestion = { ...read, seesEverybody };
    const lines = chart.isAddedUp ? [] : choosing.goalsOnChart((goals ?? []).map(asMarked), marked, teams);
    const flags = choosing.annotationsOnChart((annotations ?? []).map(asFlag), marked, buckets, teams);
    if (lines.length === 0 && flags.length === 0) return chart;
    return {
      ...chart,
      ...(lines.length > 0 ? { goals: lines } : {}),
      ...(flags.length > 0 ? { annotations: flags } : {}),
    };
  }, [chart, text, choosing, goals, annotations, teams.map(({ id }) => id).join(), view, seesEverybody]);
}

type Choosing = typeof import('../../../src/charts/chart-marks.ts');

/** What decides which marks belong on a chart: loaded where there are any. */
function useChoosing(isWanted: boolean): Choosing | undefined {
  const [choosing, setChoosing] = useState<Choosing>();
  useEffect(() => {
    if (isWanted) void import('../../../src/charts/chart-marks.ts').then(setChoosing);
  }, [isWanted]);
  return isWanted ? choosing : undefined;
}

const isOverTime = (chart: ChartDescription): boolean =>
  ['line', 'bar', 'stacked-bar', 'band'].includes(chart.kind) &&
  !('isHorizontal' in chart && chart.isHorizontal) &&
  !('goals' in chart && chart.goals);

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

const asFlag = ({
  title,
  kind,
  at,
  until,
  filters,
  ...listed
}: AnnotationDocument & { readonly owner?: { readonly name: string } | null }) => ({
  title,
  kind,
  at,
  until: until ?? null,
  filters: filters ?? {},
  ...(listed.owner ? { author: listed.owner.name } : {}),
});
