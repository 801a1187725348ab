import { useMemo } from 'react';
import type { BandChart } from '../../../../src/charts/chart-description.ts';
import { figureQuestion, useFigure } from '../../ask/figure.ts';
import { measureOf } from '../../ask/metric-facts.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { RequestText } from '../../view/shown-request.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { type Benchmark, benchmarkName, trendSpec } from './questions.ts';

interface TrendProps {
  readonly view: View;
  readonly row: Benchmark;
}

/** The own course against the band, and the request behind the comparison. */
export function Trend({ view, row }: TrendProps) {
  const title = benchmarkName(row.metric);
  const spec = trendSpec(row);
  return (
    <>
      {spec && row.quartiles ? (
        <BandOverTime view={view} row={row} />
      ) : (
        <section className="card" aria-label={`${title} over time`}>
          <h2>{title} over time</h2>
          <p className="secondary">
            {spec
              ? 'There is no band to draw your course against: too few other organisations.'
              : `The band is of the number over the whole window, which no single ${view.level} can be held against. It also grows with the size of an organisation.`}
          </p>
        </section>
      )}
      <section className="card" aria-label={`Request for ${title}`}>
        <h2>The request for {title.toLowerCase()}</h2>
        <RequestText question={row.question} />
      </section>
    </>
  );
}

function BandOverTime({ view, row }: TrendProps) {
  const spec = trendSpec(row) ?? { metric: row.metric };
  const { quartiles } = row;
  const figure = useFigure(view, spec);
  const { buckets, series, level } = figure;
  const name = `${benchmarkName(row.metric)} per ${level}, against the band`;
  const chart = useMemo<BandChart>(
    () => ({
      kind: 'band',
      title: name,
      measure: measureOf(spec.metric, spec.aggregation),
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [{ name: 'you', colour: 1, points: series }],
      band: {
        name: 'middle half of the others',
        low: buckets.map(() => quartiles?.low ?? null),
        high: buckets.map(() => quartiles?.high ?? null),
      },
    }),
    [name, spec.metric, spec.aggregation, buckets, series, level, quartiles],
  );
  const question = figureQuestion(view, spec, undefined, level);
  return (
    <ChartCard
      chart={figure.isFirst ? undefined : chart}
      title={name}
      subtitle="grey: the middle half of the others over the whole window"
      question={question}
      answer={figure}
      height={320}
      empty={
        series.every(({ value }) => value === null) ? (
          <NothingInWindow what="values" window={view.window} question={question} />
        ) : undefined
      }
      onOpen={({ category }) => {
        const bucket = buckets[category];
        if (bucket)
          openPanel({
            metric: spec.metric,
            ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
            ...(spec.dateField ? { where: { date_field: spec.dateField } } : {}),
          });
      }}
    />
  );
}
