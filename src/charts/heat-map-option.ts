import type { EChartsCoreOption } from 'echarts/core';
import { type ChartRoom, categoryAxis } from './chart-axes.ts';
import type { ChartPoint, HeatMapChart } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { isFew } from './drawn-chart.ts';

/** Names longer than this stand upright below their column: beside each other only a few of them would fit. */
const shortName = 4;

/** Every column that has a name shows it, cut where it is very long; the whole one is shown with the cell. */
function columnAxis(theme: ChartTheme, { columns }: HeatMapChart, room: ChartRoom) {
  const axis = categoryAxis(theme, columns, (room.width - 60) / 44);
  if (columns.every(({ label }) => label.length <= shortName)) return axis;
  const upright = { interval: 0, hideOverlap: false, rotate: 90, width: longNames, overflow: 'truncate' };
  return { ...axis, axisLabel: { ...axis.axisLabel, ...upright } };
}

/** How much room names that stand upright may take below the chart. */
export const longNames = 150;

interface HeatScale {
  readonly low: number;
  readonly high: number;
  readonly isLogarithmic: boolean;
}

/** The value that a colour can stand for: nothing has none, and what rests on too few rows has none either. */
export const colouredValue = (point: ChartPoint): number | null => (isFew(point) ? null : point.value || null);

/** The lowest and the highest value of a map that has any: the ends of its scale. */
export function heatMapScale({ cells, isLogarithmic = false }: HeatMapChart): HeatScale | undefined {
  const values = cells.flat().flatMap((point) => colouredValue(point) ?? []);
  return values.length === 0 ? undefined : { low: Math.min(...values), high: Math.max(...values), isLogarithmic };
}

/** Which of the colours from little to much a value has; undefined for nothing, which is no colour at all. */
function heatStep(value: number | null, scale: HeatScale | undefined, steps: number): number | undefined {
  if (value === null || !scale) return undefined;
  // Where all values are alike, each of them is the most.
  if (scale.high === scale.low) return steps - 1;
  const on = (one: number): number => (scale.isLogarithmic ? Math.log(one) : one);
  const share = (on(value) - on(scale.low)) / (on(scale.high) - on(scale.low));
  return Math.min(steps - 1, Math.max(0, Math.ceil(share * steps) - 1));
}

/** What the drawing library gives for one cell, as far as it is needed. */
interface CellApi {
  readonly value: (at: number) => number;
  readonly coord: (place: readonly [number, number]) => readonly [number, number];
  readonly size: (place: readonly [number, number]) => readonly [number, number];
}

const cellGap = 2;

export function heatMapOption(chart: HeatMapChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const scale = heatMapScale(chart);
  const { lit } = room;
  const bare = { axisLine: { show: false }, splitLine: { show: false } };
  const style = (point: ChartPoint | undefined) => {
    const step = heatStep(point ? colouredValue(point) : null, scale, theme.sequential.length);
    // Nothing is outlined: the palest colour would say that there is a little.
    return step === undefined
      ? { fill: theme.surface, stroke: theme.border, lineWidth: 1 }
      : { fill: theme.sequential[step] };
  };
  const drawCell = (_: unknown, api: CellApi) => {
    const place = [api.value(0), api.value(1)] as const;
    const [[x, y], [width, height]] = [api.coord(place), api.size([1, 1])];
    return {
      type: 'rect',
      shape: {
        x: x - width / 2 + cellGap / 2 + 0.5,
        y: y - height / 2 + cellGap / 2 + 0.5,
        width: Math.max(1, width - cellGap - 1),
        height: Math.max(1, height - cellGap - 1),
        r: 3,
      },
      style: {
        ...style(chart.cells[place[1]]?.[place[0]]),
        ...(lit?.series === place[1] && lit.category === place[0] ? { stroke: theme.text, lineWidth: 2 } : {}),
      },
    };
  };
  return {
    xAxis: { ...columnAxis(theme, chart, room), ...bare },
    yAxis: { ...categoryAxis(theme, chart.rows, 30), ...bare, inverse: true },
    series: [
      {
        type: 'custom',
        cursor: 'pointer',
        renderItem: drawCell,
        data: chart.cells.flatMap((row, at) => row.map(({ value }, column) => [column, at, value ?? 0])),
      },
    ],
  };
}
