import { type ChartDescription, type ChartMark, extentOf } from '../../../src/charts/chart-description.ts';
import { type PanelState, panelText } from './view-state.ts';

/** The records behind a mark; undefined where it has none to open. */
export type PanelOfMark = (mark: ChartMark) => PanelState | undefined;

/** The mark whose records the open panel lists: the one that leads there, also after a reload or a step to the next period. */
export function litMark(
  chart: ChartDescription,
  panelOf: PanelOfMark | undefined,
  open: PanelState | undefined,
): ChartMark | undefined {
  if (!panelOf || !open) return undefined;
  const wanted = panelText(open);
  const { series, categories } = extentOf(chart);
  for (let at = 0; at < series; at += 1) {
    for (let category = 0; category < categories; category += 1) {
      const mark = { series: at, category };
      const panel = hasValue(chart, mark) ? panelOf(mark) : undefined;
      if (panel && panelText(panel) === wanted) return mark;
    }
  }
  return undefined;
}

function hasValue(chart: ChartDescription, { series, category }: ChartMark): boolean {
  if (chart.kind === 'scatter') return true;
  const points = chart.kind === 'heat-map' ? chart.cells[series] : chart.series[series]?.points;
  return points?.[category]?.value != null;
}
