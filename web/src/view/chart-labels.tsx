import { useLayoutEffect, useState } from 'react';
import type { BandChart, CategoryChart, ChartDescription } from '../../../src/charts/chart-description.ts';
import { seriesColour } from '../../../src/charts/chart-theme.ts';
import { seriesToName } from './chart-words.ts';
import type { Drawing } from './draw-chart.ts';

/** The class with the colour in which a series is drawn. */
export function colourClass(chart: ChartDescription, at: number): string {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return 'colour-1';
  const isBefore = chart.series[at]?.role === 'before';
  return `colour-${seriesColour(chart.series, at)}${isBefore ? ' is-before' : ''}`;
}

/** Names in a row above the chart, where there is no space beside it. */
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

/**
 * Names beside the chart: those of lines beside their last whole bucket, moved apart where they would overlap; those of
 * a stack in its order.
 */
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
  // The chart is drawn in an effect of its parent, which runs after this one, or later where the chart is out of sight.
  useLayoutEffect(() => drawing.onDrawn(() => setTops(topsOf(chart, named, drawing))), [chart, drawing, left]);
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
  if (chart.kind === 'stacked-bar') return inOrderOfStack(chart, named);
  const wanted = named.map((at) => {
    const points = chart.series[at]?.points ?? [];
    const category = Math.max(
      points.findLastIndex(({ value }, i) => value !== null && chart.categories[i]?.part === undefined),
      0,
    );
    return (drawing.placeOf({ series: at, category })?.y ?? 0) - lineHeight / 2;
  });
  return apart(wanted);
}

/** Names of a stack stay together: lines first, then its parts from the top. */
function inOrderOfStack({ series }: CategoryChart, named: readonly number[]): number[] {
  const isLine = (at: number): boolean => series[at]?.role === 'line' || series[at]?.role === 'before';
  const order = [...named.filter(isLine), ...named.filter((at) => !isLine(at)).toReversed()];
  return named.map((at) => 4 + order.indexOf(at) * lineHeight);
}

/** Moves overlapping names up and down without changing their order. */
function apart(wanted: readonly number[]): number[] {
  const order = wanted.map((top, at) => ({ top: Math.max(0, top), at })).sort((a, b) => a.top - b.top);
  for (let i = 1; i < order.length; i += 1) {
    const [above, one] = [order[i - 1], order[i]];
    if (above && one && one.top < above.top + lineHeight) one.top = above.top + lineHeight;
  }
  const places: number[] = [];
  for (const { top, at } of order) places[at] = top;
  return places;
}
