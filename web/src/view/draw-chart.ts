import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { ChartRoom } from '../../../src/charts/chart-axes.ts';
import type { ChartDescription, ChartMark } from '../../../src/charts/chart-description.ts';
import { optionOf } from '../../../src/charts/chart-option.ts';
import { chartTheme } from '../theme/page-chart-theme.ts';
import { type PictureHead, pictureOf } from './chart-picture.ts';
import { drawingTurn } from './drawing-turn.ts';

use([BarChart, LineChart, GridComponent, MarkLineComponent, CanvasRenderer]);

/** Enough for screens with small pixels. */
const pictureScale = 2;

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A chart on the page. No other file knows the drawing library, which is loaded with the first chart. */
export interface Drawing {
  /** Draws at once where the chart is in sight, else when the browser is idle. */
  readonly draw: (chart: ChartDescription, room: ChartRoom) => void;
  /** Calls back after every drawing, until the caller stops it. */
  readonly onDrawn: (listener: () => void) => () => void;
  readonly resize: () => void;
  /** Draws what waits until it is in sight: a printer does not scroll. */
  readonly drawNow: () => void;
  /** The mark at a place of the element. */
  readonly markAt: (place: Place) => ChartMark | undefined;
  /** Where a mark is: its own place on a line, the top of its part in bars. */
  readonly placeOf: (mark: ChartMark) => Place | undefined;
  /** The chart as a picture of its own; undefined before it is drawn. */
  readonly png: (head: PictureHead) => string | undefined;
  readonly dispose: () => void;
}

export function drawingOn(element: HTMLElement): Drawing {
  const drawn = init(element, undefined, { renderer: 'canvas' });
  const turn = drawingTurn(element);
  const listeners = new Set<() => void>();
  let shown: ChartDescription | undefined;

  const pixel = (value: readonly [number, number]): Place | undefined => {
    const [x, y] = (drawn.convertToPixel({ gridIndex: 0 }, [...value]) as number[] | undefined) ?? [];
    // What goes beyond a capped axis is at its edge.
    return x === undefined || y === undefined || Number.isNaN(x + y) ? undefined : { x, y: Math.max(0, y) };
  };
  const placeOf = (mark: ChartMark): Place | undefined => {
    if (!shown) return undefined;
    turn.now();
    if (shown.kind === 'heat-map') return pixel([mark.category, mark.series]);
    if (shown.kind === 'scatter') {
      const dot = shown.dots[mark.category];
      return dot && pixel([dot.x, dot.y]);
    }
    const top = heightOf(shown, mark);
    const isHorizontal = shown.kind !== 'band' && shown.isHorizontal === true;
    return pixel(isHorizontal ? [top, mark.category] : [mark.category, top]);
  };

  return {
    draw: (chart, room) => {
      shown = chart;
      turn.take(() => {
        drawn.setOption(optionOf(chart, chartTheme(), room), { notMerge: true });
        for (const listener of listeners) listener();
      });
    },
    onDrawn: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resize: () => drawn.resize(),
    drawNow: () => turn.now(),
    placeOf,
    markAt: (place) => {
      turn.now();
      return shown && markAt(shown, place, placeOf, (at) => categoryAt(drawn, shown, at));
    },
    png: (head) => {
      turn.now();
      const theme = chartTheme();
      const canvas = drawn.renderToCanvas({ pixelRatio: pictureScale, backgroundColor: theme.surface });
      return shown && pictureOf(shown, canvas, theme, { head, scale: pictureScale });
    },
    dispose: () => {
      turn.end();
      // Many dots are painted over several frames, even after the chart is removed: an empty picture replaces them
      // before that.
      drawn.clear();
      drawn.getZr().refreshImmediately();
      drawn.dispose();
    },
  };
}

/** The height of a mark: in a stack, its value and all parts below. */
function heightOf(
  chart: Exclude<ChartDescription, { kind: 'heat-map' | 'scatter' }>,
  { series, category }: ChartMark,
): number {
  const own = chart.series[series];
  const value = own?.points[category]?.value ?? 0;
  if (chart.kind !== 'stacked-bar' || own?.role === 'line' || own?.role === 'before') return value;
  return chart.series.slice(0, series + 1).reduce((sum, { role, points }) => {
    return role === 'line' || role === 'before' ? sum : sum + (points[category]?.value ?? 0);
  }, 0);
}

type Drawn = ReturnType<typeof init>;

function categoryAt(
  drawn: Drawn,
  chart: ChartDescription | undefined,
  { x, y }: Place,
): readonly [number, number] | undefined {
  if (!chart || !drawn.containPixel({ gridIndex: 0 }, [x, y])) return undefined;
  const [across, up] = drawn.convertFromPixel({ gridIndex: 0 }, [x, y]) as [number, number];
  const isHorizontal =
    (chart.kind === 'bar' || chart.kind === 'stacked-bar' || chart.kind === 'histogram') && chart.isHorizontal;
  return isHorizontal ? [Math.round(up), across] : [Math.round(across), up];
}

/** The mark nearest to the pointer, within its column; of dots, one within reach. */
function markAt(
  chart: ChartDescription,
  place: Place,
  placeOf: (mark: ChartMark) => Place | undefined,
  valueAt: (place: Place) => readonly [number, number] | undefined,
): ChartMark | undefined {
  const far = (mark: ChartMark): number => {
    const at = placeOf(mark);
    return at ? Math.hypot(at.x - place.x, at.y - place.y) : Number.POSITIVE_INFINITY;
  };
  if (chart.kind === 'scatter') {
    const marks = chart.dots.map((_, category) => ({ series: 0, category }));
    const nearest = nearestOf(marks, far);
    return nearest && far(nearest) < 24 ? nearest : undefined;
  }
  const [category, value] = valueAt(place) ?? [];
  if (category === undefined || value === undefined) return undefined;
  if (chart.kind === 'heat-map') return { series: Math.round(value), category };
  const marks = chart.series.flatMap(({ points }, series) =>
    points[category]?.value == null ? [] : { series, category },
  );
  if (chart.kind === 'stacked-bar') {
    const inside = marks.find((mark) => {
      const { role } = chart.series[mark.series] ?? {};
      return role !== 'line' && role !== 'before' && value <= heightOf(chart, mark);
    });
    if (inside && !marks.some((mark) => chart.series[mark.series]?.role === 'line' && far(mark) < 10)) return inside;
  }
  return nearestOf(marks, far);
}

function nearestOf(marks: readonly ChartMark[], far: (mark: ChartMark) => number): ChartMark | undefined {
  let best: ChartMark | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const mark of marks) {
    const distance = far(mark);
    if (distance < least) [best, least] = [mark, distance];
  }
  return best;
}
