import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { CategoryChart } from './chart-description.ts';
import { optionOf } from './chart-option.ts';
import { lightTheme } from './chart-theme.ts';
import { legendOf } from './svg-legend.ts';
import { escaped } from './words-svg.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const size = { width: 760, height: 328 };
/** Of the lines below the title. */
const lineHeight = 16;
const theme = lightTheme;

/**
 * A description as a picture of its own: with its title, what is seen where that is not everything, and the names of its
 * series below.
 */
export function drawSvg(chart: CategoryChart, notice: string | null = null): string {
  const legend = chart.series.length > 1 ? legendOf(chart, theme, size.width) : { height: 0, legends: [] };
  // Names take nothing from the room of the chart.
  const noticeHeight = notice === null ? 0 : lineHeight;
  const height = size.height + legend.height + noticeHeight;
  const drawn = init(null, undefined, { renderer: 'svg', ssr: true, width: size.width, height });
  try {
    const option = optionOf(chart, theme, { width: size.width - 32, right: 0 });
    drawn.setOption({
      ...option,
      backgroundColor: theme.background,
      grid: {
        left: 16,
        right: 16,
        top: 64 + noticeHeight,
        bottom: 12 + legend.height,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      title: {
        text: chart.title,
        subtext: saidBelow(chart, notice).join('\n'),
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
      legend: legend.legends,
    });
    return named(settled(drawn.renderToSVGString()), chart, notice);
  } finally {
    drawn.dispose();
  }
}

const saidBelow = ({ subtitle }: CategoryChart, notice: string | null): string[] =>
  [subtitle, notice].flatMap((line) => (line ? [line] : []));

/**
 * The library numbers all that it ever drew, for styles of a pointer that a picture does not have. Without the numbers, the
 * same chart is the same bytes.
 */
const settled = (svg: string): string =>
  svg
    .replace(/ class="zr\d+-cls-\d+"/g, '')
    .replace(/<style[^>]*>.*?<\/style>/gs, '')
    .replace(/(id="|url\(#|href="#)zr\d+-/g, '$1zr-');

/** With a name for those who do not see it. */
const named = (svg: string, chart: CategoryChart, notice: string | null): string =>
  svg.replace(/^<svg [^>]*>/, (start) => {
    const open = start.replace(/>$/, ' role="img">');
    return `${open}<title>${escaped([chart.title, ...saidBelow(chart, notice)].join(': '))}</title>`;
  });
