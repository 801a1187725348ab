import { useMemo } from 'react';
import type { BandChart, CategoryChart } from '../../../../src/charts/chart-description.ts';
import { figureQuestion, useFigure } from '../../ask/figure.ts';
import { measureOf } from '../../ask/metric-facts.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { RequestDetails } from '../../view/request-details.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { type Benchmark, benchmarkName, minOrganisations, trendSpec } from './questions.ts';
import { trendWords } from './words.ts';

interface TrendProps {
  readonly view: View;
  readonly row: Benchmark;
}

/** The own course against the band, where there is one, and the request behind the comparison. */
export function Trend({ view, row }: TrendProps) {
  const title = benchmarkName(row.metric);
  const spec = trendSpec(row);
  if (spec) return <BandOverTime view={view} row={row} />;
  return (
    <section className="card" aria-label={trendWords.overTime(title)}>
      <h2>{trendWords.overTime(title)}</h2>
      <p className="secondary">{trendWords.bandNumberOverWhole(view.level)}</p>
      <RequestDetails summary={trendWords.apiRequest} question={row.question} />
    </section>
  );
}

function BandOverTime({ view, row }: TrendProps) {
  const spec = trendSpec(row) ?? { metric: row.metric };
  const { quartiles } = row;
  const figure = useFigure(view, spec);
  const { buckets, series, level } = figure;
  const name = trendWords.per(benchmarkName(row.metric), level, quartiles !== undefined);
  const chart = useMemo<BandChart | CategoryChart>(() => {
    const own = {
      title: name,
      measure: measureOf(spec.metric, spec.aggregation),
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [{ name: trendWords.you, colour: 1 as const, points: series }],
    };
    if (!quartiles) return { ...own, kind: 'line' };
    const { low, high } = quartiles;
    const band = { name: trendWords.middleHalfOthers, low: buckets.map(() => low), high: buckets.map(() => high) };
    return { ...own, kind: 'band', band };
  }, [name, spec.metric, spec.aggregation, buckets, series, level, quartiles]);
  const question = figureQuestion(view, spec, undefined, level);
  return (
    <ChartCard
      chart={figure.isFirst ? undefined : chart}
      title={name}
      subtitle={
        quartiles
          ? trendWords.greyMiddleHalfOthers
          : trendWords.tooFewOtherOrganisations(row.organisations, minOrganisations)
      }
      question={question}
      also={{ 'The comparison': row.question }}
      answer={figure}
      height={320}
      empty={
        series.every(({ value }) => value === null) ? (
          <NothingInWindow what={trendWords.values} window={view.window} question={question} />
        ) : undefined
      }
      panelOf={({ category }) => {
        const bucket = buckets[category];
        return (
          bucket && {
            metric: spec.metric,
            ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
            ...(spec.dateField ? { where: { date_field: spec.dateField } } : {}),
          }
        );
      }}
    />
  );
}
