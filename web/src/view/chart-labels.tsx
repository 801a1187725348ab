import { useLayoutEffect, useState } from 'react';
import type { BandChart, CategoryChart, ChartDescription, ChartSeries } from './chart-description.ts';
import type { Drawing } from './draw-chart.ts';

/** The place of a series' colour among the tokens, as colourOf of the drawing picks it. */
export function colourClass(chart: ChartDescription, at: number): string {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return 'colour-1';
  const series = chart.series[at];
  if (series?.role === 'others') return 'colour-others';
  if (series?.colour) return `colour-${series.colour}`;
  if (series?.role === 'line') return 'colour-text';
  if (series?.role === 'before') return 'colour-1 is-before';
  const own = chart.series.filter(({ role }) => role !== 'before');
  return `colour-${(own.indexOf(series as ChartSeries) % 6) + 1}`;
}

/** The series that need a name beside them: all, as soon as there are two. */
export function seriesToName(chart: ChartDescription): readonly number[] {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return [];
  return chart.series.length > 1 || chart.kind === 'band' ? chart.series.map((_, at) => at) : [];
}

/** Names in a row above the chart, where there is no room beside it. */
export function ChartLegend({ chart }: { readonly chart: ChartDescription }) {
  const named = seriesToName(chart);
  if (named.length === 0) return null;
  const { series } = chart as CategoryChart | BandChart;
  return (
    <ul className="chart-legend">
      {named.map((at) => (
        <li key={series[at]?.name}>
          <span className={`swatch ${colourClass(chart, at)}`} />
          {series[at]?.name}
        </li>
      ))}
      {chart.kind === 'band' && (
        <li>
          <span className="swatch colour-others" />
          {chart.band.name}
        </li>
      )}
    </ul>
  );
}

const lineHeight = 20;

/** Names beside the last whole bucket, moved apart where they would overlap. */
export function ChartLabels({
  chart,
  drawing,
  left,
}: {
  readonly chart: ChartDescription;
  readonly drawing: Drawing;
  readonly left: number;
}) {
  const [tops, setTops] = useState<readonly number[]>([]);
  const named = seriesToName(chart);
  useLayoutEffect(() => {
    // The chart is drawn in an effect of its parent, which runs after this one.
    const frame = requestAnimationFrame(() => setTops(topsOf(chart, named, drawing)));
    return () => cancelAnimationFrame(frame);
  }, [chart, drawing, left]);
  if (named.length === 0 || tops.length !== named.length) return null;
  const { series } = chart as CategoryChart | BandChart;
  return (
    <ul className="chart-labels" aria-hidden="true" style={{ left }}>
      {named.map((at, place) => (
        <li key={series[at]?.name} style={{ top: tops[place] }}>
          <span className={`swatch ${colourClass(chart, at)}`} />
          <span>{series[at]?.name}</span>
        </li>
      ))}
    </ul>
  );
}

function topsOf(chart: ChartDescription, named: readonly number[], drawing: Drawing): number[] {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return [];
  const wanted = named.map((at) => {
    const points = chart.series[at]?.points ?? [];
    const category = Math.max(
      points.findLastIndex(({ value }, i) => value !== null && !chart.categories[i]?.isPartial),
      0,
    );
    const top = drawing.placeOf({ series: at, category })?.y ?? 0;
    const below = chart.kind === 'stacked-bar' && chart.series[at]?.role === undefined;
    const previous = below && at > 0 ? drawing.placeOf({ series: at - 1, category }) : undefined;
    const bottom = below ? (previous?.y ?? drawing.placeOf({ series: at, category: -1 })?.y) : undefined;
    return bottom === undefined ? top - lineHeight / 2 : (top + bottom) / 2 - lineHeight / 2;
  });
  return apart(wanted);
}

/** Moves what overlaps upwards and downwards, keeping the order. */
function apart(wanted: readonly number[]): number[] {
  const order = wanted.map((top, at) => ({ top, at })).sort((a, b) => a.top - b.top);
  for (let i = 1; i < order.length; i += 1) {
    const [above, one] = [order[i - 1], order[i]];
    if (above && one && one.top < above.top + lineHeight) one.top = above.top + lineHeight;
  }
  const places: number[] = [];
  for (const { top, at } of order) places[at] = Math.max(0, top);
  return places;
}
