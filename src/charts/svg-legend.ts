import { format } from 'echarts/core';
import type { CategoryChart } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { colourInTheme } from './series-colours.ts';

const fontSize = 12;
const swatch = { itemWidth: 16, itemHeight: 12 } as const;
const rowHeight = 20;
const margin = { side: 16, bottom: 12 } as const;
/** Between a swatch and its name, and between two names. */
const gap = { inside: 5, between: 16 } as const;
/** How much wider texts can be than is reckoned here: the font is the reader's own, and DejaVu Sans is the widest. */
const slack = 1.2;

/** Three dashes, as the line of the period before has them. */
const dashes = 'path://M0 0h4v1.5H0zM6 0h4v1.5H6zM12 0h4v1.5H12z';

interface SvgLegend {
  readonly height: number;
  /** A legend of its own for each name: the library puts names of one legend as close as its own idea of their width. */
  readonly legends: readonly object[];
}

/** The names of the series below the chart with a swatch each, in as many rows as they need. */
export function legendOf(chart: CategoryChart, theme: ChartTheme, width: number): SvgLegend {
  const places: { readonly left: number; readonly row: number; readonly textMost: number }[] = [];
  let [left, row] = [margin.side, 0];
  for (const { name } of chart.series) {
    const text = Math.ceil(slack * format.getTextRect(name, `${fontSize}px ${theme.font}`).width);
    const needed = swatch.itemWidth + gap.inside + text;
    if (left > margin.side && left + needed > width - margin.side) [left, row] = [margin.side, row + 1];
    places.push({ left, row, textMost: width - margin.side - left - swatch.itemWidth - gap.inside });
    left += needed + gap.between;
  }
  const legends = chart.series.map(({ name, role }, at) => {
    const { left: x = 0, row: y = 0, textMost = 0 } = places[at] ?? {};
    const isBefore = role === 'before';
    const itemStyle = {
      color: colourInTheme(theme, chart.series, at),
      borderWidth: 0,
      decal: 'none',
      opacity: isBefore ? 0.75 : 1,
    };
    return {
      left: x,
      bottom: margin.bottom + (row - y) * rowHeight,
      padding: 0,
      ...swatch,
      icon: isBefore ? dashes : 'roundRect',
      textStyle: {
        ...{ color: theme.text, fontSize, fontFamily: theme.font },
        ...{ width: textMost / slack, overflow: 'truncate' },
      },
      data: [{ name, itemStyle }],
    };
  });
  return { height: margin.bottom + (row + 1) * rowHeight, legends };
}
