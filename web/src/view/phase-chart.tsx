import { useMemo } from 'react';
import type { CategoryChart, ChartSeries } from '../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion } from '../ask/figure.ts';
import { useAnswer } from '../ask/use-answer.ts';
import { openPanel, type View } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { ChartCard } from './chart-card.tsx';
import { bucketLabel, bucketName } from './format.ts';
import { phaseQuestion, phaseSeries, phases } from './phases.ts';
import { NothingInWindow } from './states.tsx';

interface PhaseChartProps {
  readonly view: View;
  readonly title: string;
  /** Figures of the whole, as lines above the phases. */
  readonly lines: readonly {
    readonly name: string;
    readonly figure: Figure;
    readonly colour?: ChartSeries['colour'];
  }[];
  /** What the lines are of: `the cycle time`. */
  readonly whole: string;
  readonly height?: number;
}

/** Where the time goes: phases stacked by bucket, and the whole as lines. */
export function PhaseChart({ view, title, lines, whole, height = 340 }: PhaseChartProps) {
  const { level, window, today } = view;
  const question = phaseQuestion(view, { level });
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const buckets = useMemo(() => timeBuckets(window, level, today), [window, level, today]);
  const drawn = lines.map(({ name, colour, figure: { series } }) => ({ name, colour, series }));
  const key = JSON.stringify(drawn);
  const chart = useMemo<CategoryChart | undefined>(
    () =>
      rows && {
        kind: 'stacked-bar',
        title,
        measure: 'duration',
        better: 'lower',
        categories: buckets.map((bucket) => ({
          label: bucketLabel(bucket, level),
          name: bucketName(bucket, level),
          isPartial: bucket.isPartial,
        })),
        series: [
          ...phaseSeries(rows, buckets, level),
          ...drawn.map(({ name, series, colour }) => ({
            name,
            role: 'line' as const,
            points: series,
            ...(colour ? { colour } : {}),
          })),
        ],
      },
    [rows, buckets, level, title, key],
  );
  const isEmpty = chart?.series.every(({ points }) => points.every(({ value }) => value === null));
  const open = (at: number, category: number) => {
    const bucket = buckets[category];
    if (!bucket) return;
    const inBucket = { window: { start: bucket.start, end: bucket.end } };
    const phase = phases[at];
    const { spec } = lines[at - phases.length]?.figure ?? {};
    if (phase) openPanel({ metric: phase.metric, aggregation: 'AVG', ...inBucket });
    else if (spec) {
      openPanel({ metric: spec.metric, ...(spec.aggregation ? { aggregation: spec.aggregation } : {}), ...inBucket });
    }
  };
  return (
    <ChartCard
      chart={chart}
      title={title}
      subtitle={`average of each phase by ${level} of merge, of the pull requests that have it · lines: ${lines.map(({ name }) => name).join(' and ')} of ${whole}`}
      question={question}
      also={Object.fromEntries(
        lines.map(({ name, figure: { spec } }) => [name, figureQuestion(view, spec, window, level)]),
      )}
      answer={answer}
      height={height}
      empty={
        isEmpty ? (
          <NothingInWindow
            what="merged pull requests"
            window={window}
            question={figureQuestion(view, { metric: 'cycle-time', aggregation: 'AVG' }, window)}
          />
        ) : undefined
      }
      onOpen={({ series, category }) => open(series, category)}
    />
  );
}
