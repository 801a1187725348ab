import { type ReactNode, useMemo } from 'react';
import { valueLabel } from '../../../src/catalogue/labels/shown-names.ts';
import type { CategoryChart, ChartSeries } from '../../../src/charts/chart-description.ts';
import { chosenGroups, type GroupSeries, type KnownGroup, othersKey } from '../../../src/charts/metric-chart.ts';
import { type GroupedSpec, groupedQuestion, seriesByGroup } from '../ask/grouped-series.ts';
import { addsUp, type ColumnOf, type MetricName, measureOf } from '../ask/metric-facts.ts';
import { useAnswer } from '../ask/use-answer.ts';
import type { View } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { ChartCard } from './chart-card.tsx';
import { groupedChartWords } from './chart-card-words.ts';
import { bucketCategory } from './format.ts';
import { NothingInWindow } from './states.tsx';

interface GroupedChartProps<M extends MetricName> {
  readonly view: View;
  readonly spec: GroupedSpec<M>;
  readonly kind: 'line' | 'stacked-bar';
  readonly title: string;
  readonly subtitle?: string;
  /** What an empty window has none of. */
  readonly what: string;
  readonly height?: number;
  /** Groups that have a colour or an order of their own, and their names. */
  readonly known?: readonly KnownGroup[];
  readonly note?: ReactNode;
}

/** One metric by bucket and by one column: a line or a part of a stack for each of the largest groups. */
export function GroupedChart<M extends MetricName>(props: GroupedChartProps<M>) {
  const { view, spec, kind, title, subtitle, what, height, known } = props;
  const { level } = view;
  const question = groupedQuestion(view, spec, { level });
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const buckets = useMemo(
    () => timeBuckets(view.windowFor(spec.metric), level, view.reachFor(spec.metric)),
    [view, level, spec.metric],
  );
  const measure = measureOf(spec.metric, spec.aggregation);
  const canAdd = addsUp(spec.metric, spec.aggregation);
  const groups = useMemo(
    () =>
      chosenGroups(seriesByGroup(rows ?? [], spec as unknown as GroupedSpec<MetricName>, buckets, level), kind, known),
    [rows, spec, buckets, level, kind, known],
  );
  const chart = useMemo<CategoryChart>(
    () => ({
      kind,
      title,
      measure,
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: groups.map((group) => seriesOf(group, spec.by, known, canAdd)),
    }),
    [kind, title, measure, buckets, level, groups, spec.by, known, canAdd],
  );
  const isEmpty = groups.every(({ points }) => points.every(({ value }) => !value));
  return (
    <ChartCard
      chart={answer.isFirst ? undefined : chart}
      title={title}
      {...(subtitle ? { subtitle } : {})}
      question={question}
      answer={answer}
      {...(height ? { height } : {})}
      empty={
        isEmpty ? <NothingInWindow what={what} window={view.windowFor(spec.metric)} question={question} /> : undefined
      }
      panelOf={({ series, category }) => {
        const [bucket, group] = [buckets[category], groups[series]];
        if (!bucket || !group) return undefined;
        const isOthers = group.key === othersKey && groups.length > 1;
        return {
          metric: spec.metric,
          ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
          window: { start: bucket.start, end: bucket.end },
          ...(isOthers ? {} : { where: { [spec.by as ColumnOf<MetricName>]: group.key } }),
        };
      }}
    />
  );
}

function seriesOf(
  { key, points }: GroupSeries,
  by: string,
  known: readonly KnownGroup[] | undefined,
  canAdd: boolean,
): ChartSeries {
  const group = known?.find((one) => one.key === key);
  return {
    name: key === null ? groupedChartWords.unknown : key === othersKey ? groupedChartWords.others : valueLabel(by, key),
    points: points.map(({ value, n }) => (canAdd ? { value } : { value, n })),
    ...(group?.colour ? { colour: group.colour } : {}),
    ...(key === othersKey || key === null ? { role: 'others' as const } : {}),
  };
}
