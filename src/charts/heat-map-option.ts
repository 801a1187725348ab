import type { EChartsCoreOption } from 'echarts/core';
import { type ChartRoom, categoryAxis } from './chart-axes.ts';
import type { HeatMapChart } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';

export function heatMapOption(chart: HeatMapChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const values = chart.cells.flat().map(({ value }) => value ?? 0);
  const bare = { axisLine: { show: false }, splitLine: { show: false } };
  return {
    xAxis: { ...categoryAxis(theme, chart.columns, (room.width - 60) / 44), ...bare },
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
