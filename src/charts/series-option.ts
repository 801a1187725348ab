import type {
  BandChart,
  CategoryChart,
  ChartCategory,
  ChartMark,
  ChartPoint,
  ChartSeries,
} from './chart-description.ts';
import { type ChartTheme, colourInTheme, paled } from './chart-theme.ts';
import { isFew, isMostlyFew } from './drawn-chart.ts';

/** The period under way is not over: its bars are as pale as that. */
const underWay = 0.38;

interface BarLook {
  readonly colour: string;
  readonly theme: ChartTheme;
  /** The one bar of the series that stays lit. */
  readonly lit: number | undefined;
}

export function barSeries(series: ChartSeries, chart: CategoryChart, { colour: full, theme, lit }: BarLook): object {
  const isStacked = chart.kind === 'stacked-bar';
  const isHistogram = chart.kind === 'histogram';
  return {
    type: 'bar',
    name: series.name,
    ...(isStacked ? { stack: 'all' } : {}),
    barCategoryGap: isHistogram ? '12%' : '24%',
    barMaxWidth: 56,
    cursor: 'pointer',
    // The bars of a distribution are few, and each is a number that one wants to read.
    ...(isHistogram ? { label: { show: true, position: 'top', color: theme.text, fontSize: 12 } } : {}),
    data: series.points.map((point, at) => {
      const isHollow = !isStacked && isFew(point);
      const quiet = chart.categories[at]?.isQuiet ? (theme.sequential[1] ?? full) : full;
      const colour = lit === undefined || lit === at ? quiet : paled(quiet, theme);
      return {
        value: point.value,
        itemStyle: {
          color: isHollow ? theme.surface : colour,
          // The gap between parts of a stack is a line in the colour of the page.
          borderColor: isHollow ? colour : theme.surface,
          borderWidth: isHollow ? 1.5 : isStacked ? 1 : 0,
          borderRadius: chart.isHorizontal ? [0, 3, 3, 0] : isStacked ? 0 : [3, 3, 0, 0],
          ...(chart.categories[at]?.part ? { opacity: underWay } : {}),
        },
      };
    }),
  };
}

interface LineLook {
  readonly colour: string;
  readonly theme: ChartTheme;
  /** A pale area down to the zero of the axis. */
  readonly hasArea: boolean;
}

const dots = { whole: 5, open: 8 } as const;

/**
 * A course, in the pieces that look different: whole periods are joined, a dotted step leads to the one under way, and a
 * value of few rows is an open dot, joined to nothing. Where most are of few rows, there are dots only.
 */
export function lineSeries(series: ChartSeries, all: readonly ChartCategory[], look: LineLook): readonly object[] {
  const { colour, theme, hasArea } = look;
  const { points, name } = series;
  const isBefore = series.role === 'before';
  const isJoined = (point: ChartPoint | undefined): boolean =>
    point !== undefined && point.value !== null && !isFew(point) && !isMostlyFew(points);
  const isWhole = (at: number): boolean => isJoined(points[at]) && all[at]?.part === undefined;
  const isUnderWay = (at: number): boolean => isJoined(points[at]) && all[at]?.part !== undefined;
  const isAlone = (at: number): boolean => !isWhole(at - 1) && !isWhole(at + 1);
  const base = { type: 'line', connectNulls: false, showAllSymbol: true, cursor: 'pointer', z: isBefore ? 2 : 3 };
  const openDot = {
    symbol: 'circle',
    symbolSize: dots.open,
    itemStyle: { color: theme.surface, borderColor: colour, borderWidth: 2, opacity: 1 },
  };
  const wholeDot = { symbol: 'circle', symbolSize: dots.whole, itemStyle: { color: colour, opacity: 1 } };
  const pieces: object[] = [
    {
      ...base,
      name,
      symbol: 'none',
      lineStyle: { color: colour, width: isBefore ? 1.5 : 2, type: isBefore ? [3, 3] : 'solid' },
      itemStyle: { color: colour },
      ...(hasArea ? { areaStyle: { color: colour, opacity: 0.07 } } : {}),
      data: points.map(({ value }, at) =>
        isWhole(at) ? { value, ...(isAlone(at) ? wholeDot : { symbol: 'none' }) } : null,
      ),
    },
  ];
  const dotted = points.map(({ value }, at) => {
    if (isUnderWay(at)) return { value, ...openDot };
    return isWhole(at) && isUnderWay(at + 1) ? { value, symbol: 'none' } : null;
  });
  if (dotted.some((point) => point !== null)) {
    pieces.push({ ...base, lineStyle: { color: colour, width: 2, type: [1, 4], cap: 'round' }, data: dotted });
  }
  const single = points.map((point, at) => {
    const { value } = point;
    if (value === null || isJoined(point)) return null;
    return { value, ...(isFew(point) || all[at]?.part !== undefined ? openDot : wholeDot) };
  });
  if (single.some((point) => point !== null)) {
    pieces.push({ ...base, lineStyle: { opacity: 0 }, data: single });
  }
  return pieces;
}

/** The dot of the one value of a line that stays lit. */
export function litDot(chart: CategoryChart | BandChart, { series, category }: ChartMark, theme: ChartTheme): object {
  const value = chart.series[series]?.points[category]?.value ?? null;
  const itemStyle = { color: colourInTheme(theme, chart.series, series), borderColor: theme.surface, borderWidth: 2 };
  return {
    type: 'line',
    silent: true,
    showAllSymbol: true,
    z: 4,
    lineStyle: { opacity: 0 },
    data: chart.categories.map((_, at) =>
      at === category && value !== null ? { value, symbol: 'circle', symbolSize: 11, itemStyle } : null,
    ),
  };
}
