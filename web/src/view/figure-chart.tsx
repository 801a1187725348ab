import { type ReactNode, useMemo } from 'react';
import type { CategoryChart } from '../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion } from '../ask/figure.ts';
import { addsUp } from '../ask/metric-facts.ts';
import type { View } from '../ask/use-view.ts';
import { ChartCard } from './chart-card.tsx';
import { bucketCategory } from './format.ts';
import { beforeName, windowName } from './range-words.ts';
import { NothingInWindow } from './states.tsx';

interface FigureChartProps {
  readonly view: View;
  readonly figure: Figure;
  readonly kind: 'line' | 'bar';
  readonly title: string;
  readonly subtitle?: string;
  /** What an empty window has none of. */
  readonly what: string;
  /** What n counts. */
  readonly of?: string;
  readonly height?: number;
  /** A link to the page that says more. */
  readonly actions?: ReactNode;
  /** Further conditions on the rows behind a mark. */
  readonly where?: Readonly<Record<string, string>>;
}

/** The course of one figure by bucket, with the window before as a dotted line. */
export function FigureChart(props: FigureChartProps) {
  const { view, figure, kind, title, subtitle, what, of, height, actions, where } = props;
  const { buckets, series, seriesBefore, level, spec, measure, label } = figure;
  const canAdd = addsUp(spec.metric, spec.aggregation);
  const chart = useMemo<CategoryChart>(() => {
    const compared = seriesBefore?.some(({ value }) => value !== null) ? seriesBefore : undefined;
    const points = (all: typeof series) => all.map(({ value, n }) => (canAdd ? { value } : { value, n }));
    return {
      kind,
      title,
      measure,
      ...(of ? { of } : {}),
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        { name: compared ? windowName(view) : label, colour: 1, points: points(series) },
        ...(compared ? [{ name: beforeName(view), role: 'before' as const, points: points(compared) }] : []),
      ],
    };
  }, [kind, title, measure, buckets, series, seriesBefore, level, label, canAdd, of, view]);
  const [window, before] = [view.windowFor(spec.metric), view.beforeFor(spec.metric)];
  const question = figureQuestion(view, spec, window, level);
  const isEmpty = series.every(({ value }) => !value);
  return (
    <ChartCard
      chart={figure.isFirst ? undefined : chart}
      title={title}
      {...(subtitle ? { subtitle } : {})}
      question={question}
      {...(before ? { also: { 'The window before': figureQuestion(view, spec, before, level) } } : {})}
      answer={figure}
      {...(height ? { height } : {})}
      actions={actions}
      empty={isEmpty ? <NothingInWindow what={what} window={window} question={question} /> : undefined}
      panelOf={({ category }) => {
        const bucket = buckets[category];
        return (
          bucket && {
            metric: spec.metric,
            ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
            where: { ...where, ...(spec.dateField ? { date_field: spec.dateField } : {}) },
          }
        );
      }}
    />
  );
}
