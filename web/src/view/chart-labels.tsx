import { useLayoutEffect, useState } from 'react';
import type {
  BandChart,
  CategoryChart,
  ChartDescription,
  HeatMapChart,
} from '../../../src/charts/chart-description.ts';
import { lightTheme, seriesColour } from '../../../src/charts/chart-theme.ts';
import { listedAnnotations, markedChart } from '../../../src/charts/mark-lines.ts';
import { scaleWords, seriesToName } from './chart-words.ts';
import type { Drawing } from './draw-chart.ts';

/** The class with the colour in which a series is drawn. */
export function colourClass(chart: ChartDescription, at: number): string {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return 'colour-1';
  const isBefore = chart.series[at]?.role === 'before';
  return `colour-${seriesColour(chart.series, at)}${isBefore ? ' is-before' : ''}`;
}

const isLine = ({ kind, series }: CategoryChart | BandChart, at: number): boolean =>
  kind === 'line' || kind === 'band' || series[at]?.role === 'line';

/** Names in a row above the chart, in the order in which they are drawn. */
export function ChartLegend({ chart }: { readonly chart: ChartDescription }) {
  const named = seriesToName(chart);
  if (named.length === 0) return null;
  const { series } = chart as CategoryChart | BandChart;
  return (
    <ul className="chart-legend">
      {named.map((at) => (
        <li key={series[at]?.name}>
          <span
            className={`swatch ${colourClass(chart, at)} ${isLine(chart as CategoryChart | BandChart, at) ? 'is-line' : ''}`}
          />
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

/** The colours of a heat map, with the least and the most at their ends. */
export function HeatScale({ chart }: { readonly chart: HeatMapChart }) {
  const words = scaleWords(chart);
  if (!words) return null;
  return (
    <p className="heat-scale">
      <span>{words.low}</span>
      <span className="heat-steps" aria-hidden="true">
        {lightTheme.sequential.map((colour, at) => (
          <span key={colour} className={`heat-step heat-${at}`} />
        ))}
      </span>
      <span>{words.high}</span>
    </p>
  );
}

/** What the numbers of flags stand for, where there are too many for titles. */
export function ChartEvents({ chart }: { readonly chart: ChartDescription }) {
  const marked = markedChart(chart);
  const listed = marked ? listedAnnotations(marked) : [];
  if (listed.length === 0) return null;
  return (
    <ol className="chart-events" start={listed[0]?.number ?? 1}>
      {listed.map(({ number, days, title }) => (
        <li key={number}>
          <span className="secondary">{days}</span> <span data-record>{title}</span>
        </li>
      ))}
    </ol>
  );
}

const lineHeight = 20;

/** Names of many lines, each beside its last whole bucket, moved apart where they would overlap. */
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
