import type { EChartsCoreOption } from 'echarts/core';
import { type ChartRoom, categoryAxis } from './chart-axes.ts';
import type { HeatMapChart } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';

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

export function heatMapOption(chart: HeatMapChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const values = chart.cells.flat().map(({ value }) => value ?? 0);
  const bare = { axisLine: { show: false }, splitLine: { show: false } };
  return {
    xAxis: { ...columnAxis(theme, chart, room), ...bare },
    yAxis: { ...categoryAxis(theme, chart.rows, 30), ...bare, inverse: true },
    visualMap: {
      show: false,
      min: 0,
      max: Math.max(1e-9, ...values),
      inRange: { color: [theme.surface, theme.series[0] ?? theme.accent] },
    },
    series: [
      {
        type: 'heatmap',
        cursor: 'pointer',
        itemStyle: { borderColor: theme.background, borderWidth: 2, borderRadius: 3 },
        data: chart.cells.flatMap((row, at) => row.map(({ value }, column) => [column, at, value ?? '-'])),
      },
    ],
  };
}
