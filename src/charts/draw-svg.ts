import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent, TitleComponent } from 'echarts/components';
import { format, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { CategoryChart } from './chart-description.ts';
import { optionOf } from './chart-option.ts';
import { type ChartTheme, colourInTheme, lightTheme } from './chart-theme.ts';
import { drawnChart, fewNote } from './drawn-chart.ts';
import { drawnWords } from './drawn-words.ts';
import { goalGutter, listedAnnotations, marksInWords, roomForFlags } from './mark-lines.ts';
import { escaped } from './words-svg.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, SVGRenderer]);

const size = { width: 760, height: 328 };
/** The lines below the title. */
const lineHeight = 16;
const theme = lightTheme;

/**
 * Draws a description as a picture on its own: with its title, the rows that the caller sees where that is not all,
 * and the names of its series below.
 */
export function drawSvg(described: CategoryChart, notice: string | null = null): string {
  const { chart, skipped } = drawnChart(described);
  const below = saidBelow(chart, skipped, notice);
  const legend = chart.series.length > 1 ? legendOf(chart, theme, size.width) : { height: 0, legends: [] };
  // Names take nothing from the room of the chart.
  const noticeHeight = notice === null ? 0 : lineHeight;
  const room = { width: size.width - 32, right: goalGutter(chart) };
  const flags = roomForFlags(chart, room);
  const list = listOf(chart);
  const listHeight = list.length === 0 ? 0 : list.length * lineHeight + 12;
  const height = size.height + legend.height + noticeHeight + flags + listHeight;
  const drawn = init(null, undefined, { renderer: 'svg', ssr: true, width: size.width, height });
  try {
    const option = optionOf(chart, theme, room);
    drawn.setOption({
      ...option,
      backgroundColor: theme.surface,
      grid: {
        left: 16,
        right: 16 + room.right,
        top: 64 + noticeHeight + flags,
        bottom: 12 + legend.height + listHeight,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      title: [
        {
          text: chart.title,
          subtext: below.join('\n'),
          left: 12,
          top: 8,
          textStyle: { color: theme.text, fontSize: 16, fontWeight: 600, fontFamily: theme.font },
          subtextStyle: {
            color: theme.secondary,
            fontSize: 12,
            ...(notice === null ? {} : { lineHeight }),
            fontFamily: theme.font,
          },
        },
        ...(list.length === 0
          ? []
          : [
              {
                text: list.join('\n'),
                left: 12,
                bottom: 8,
                padding: [0, 5],
                textStyle: {
                  color: theme.secondary,
                  fontSize: 12,
                  fontWeight: 400,
                  lineHeight,
                  fontFamily: theme.font,
                },
              },
            ]),
      ],
      legend: legend.legends.map((one) => ({ ...one, bottom: one.bottom + listHeight })),
    });
    return named(settled(drawn.renderToSVGString()), chart, [...below, ...marksInWords(chart)]);
  } finally {
    drawn.dispose();
  }
}

/** What the numbers of flags stand for, below the chart. */
function listOf(chart: CategoryChart): readonly string[] {
  const listed = listedAnnotations(chart);
  const left = (listed[0]?.number ?? 1) - 1;
  const lines = listed.map(({ number, days, title }) => `${number}  ${days}  ${title}`);
  return left > 0 ? [drawnWords.moreMarks(left), ...lines] : lines;
}

/** The lines below the title. Where the first period is cut and left out, they say with which one the picture begins. */
function saidBelow(chart: CategoryChart, skipped: number, notice: string | null): readonly string[] {
  const [first] = chart.categories;
  const begins = skipped > 0 && first ? drawnWords.drawnFrom(first.name ?? first.label) : undefined;
  const line = [chart.subtitle, begins, fewNote(chart)].filter(Boolean).join(' · ');
  return [line, notice].flatMap((said) => (said ? [said] : []));
}

/**
 * The library numbers all that it ever drew, for styles of a pointer that a picture does not have. Without the numbers, the
 * same chart is the same bytes.
 */
const settled = (svg: string): string =>
  svg
    .replace(/ class="zr\d+-cls-\d+"/g, '')
    .replace(/<style[^>]*>.*?<\/style>/gs, '')
    .replace(/(id="|url\(#|href="#)zr\d+-/g, '$1zr-');

/** Screen readers read the name. */
const named = (svg: string, chart: CategoryChart, below: readonly string[]): string =>
  svg.replace(/^<svg [^>]*>/, (start) => {
    const open = start.replace(/>$/, ' role="img">');
    return `${open}<title>${escaped([chart.title, ...below].join(': '))}</title>`;
  });

const fontSize = 12;
const swatch = { itemWidth: 16, itemHeight: 12 } as const;
const rowHeight = 20;
const margin = { side: 16, bottom: 12 } as const;
/** Between a swatch and its name, and between two names. */
const gap = { inside: 5, between: 16 } as const;
/** How much wider texts can be than is reckoned here: the font is the reader's own, and DejaVu Sans is the widest. */
const slack = 1.2;

/** Three dashes, as the line of the period before has them. */
const dashes = 'path://M0 0h3v1.5H0zM6 0h3v1.5H6zM12 0h3v1.5H12z';

interface SvgLegend {
  readonly height: number;
  /** A legend of its own for each name: the library puts names of one legend as close as its own idea of their width. */
  readonly legends: readonly (Readonly<Record<string, unknown>> & { readonly bottom: number })[];
}

/** The names of the series below the chart with a swatch each, in as many rows as they need. */
function legendOf(chart: CategoryChart, theme: ChartTheme, width: number): SvgLegend {
  const places: { readonly left: number; readonly row: number; readonly maxWidth: number }[] = [];
  let [left, row] = [margin.side, 0];
  for (const { name } of chart.series) {
    const text = Math.ceil(slack * format.getTextRect(name, `${fontSize}px ${theme.font}`).width);
    const needed = swatch.itemWidth + gap.inside + text;
    if (left > margin.side && left + needed > width - margin.side) [left, row] = [margin.side, row + 1];
    places.push({ left, row, maxWidth: width - margin.side - left - swatch.itemWidth - gap.inside });
    left += needed + gap.between;
  }
  const legends = chart.series.map(({ name, role }, at) => {
    const { left: x = 0, row: y = 0, maxWidth = 0 } = places[at] ?? {};
    const isBefore = role === 'before';
    const itemStyle = {
      color: colourInTheme(theme, chart.series, at),
      borderWidth: 0,
      decal: 'none',
    };
    return {
      left: x,
      bottom: margin.bottom + (row - y) * rowHeight,
      padding: 0,
      ...swatch,
      icon: isBefore ? dashes : 'roundRect',
      textStyle: {
        ...{ color: theme.text, fontSize, fontFamily: theme.font },
        ...{ width: maxWidth / slack, overflow: 'truncate' },
      },
      data: [{ name, itemStyle }],
    };
  });
  return { height: margin.bottom + (row + 1) * rowHeight, legends };
}
