import type { panelViews } from '../../../src/boards/board.ts';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import { metricOf, type Question, singleQuestions } from './question.ts';

export type PanelView = (typeof panelViews)[number];

export type BoardFilters = Readonly<Record<string, unknown>>;

/** A question on a board: the body of a request without its days, and how the answer is shown. */
export interface Panel {
  readonly title?: string;
  readonly metric: string;
  readonly request?: { readonly filters?: BoardFilters; readonly [field: string]: unknown };
  readonly view: PanelView;
  readonly compare?: boolean;
  readonly wide?: boolean;
}

/** Fields that a panel says elsewhere: whether it compares, and which days the board shows. */
const notInPanels = ['filters', 'include_previous_period', 'previous_start_date', 'previous_end_date'];

/** A question that a page has asked, as a panel; undefined where it is about several metrics at once. */
export function panelOf(
  question: Question,
  shown: { readonly title: string; readonly view: PanelView; readonly compare?: boolean },
): Panel | undefined {
  const [single, ...others] = singleQuestions(question);
  const metric = single && others.length === 0 ? metricOf(single) : undefined;
  if (!single || !metric) return undefined;
  const { start_date: _start, end_date: _end, ...filters } = single.body.filters as BoardFilters;
  const body = Object.entries(single.body).filter(([name]) => !notInPanels.includes(name));
  const request = {
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    ...Object.fromEntries(body),
  };
  return {
    title: shown.title,
    metric,
    ...(Object.keys(request).length > 0 ? { request } : {}),
    view: shown.view,
    ...(shown.compare ? { compare: true } : {}),
  };
}

const viewsOfCharts: Readonly<Partial<Record<ChartDescription['kind'], PanelView>>> = {
  line: 'line',
  bar: 'bar',
  'stacked-bar': 'stacked',
  'heat-map': 'heat',
};

/** A chart as a panel: where it draws the answer to one question as it is, and at most the window before beside it. */
export function panelOfChart(
  chart: ChartDescription,
  title: string,
  question: Question,
  also: Readonly<Record<string, Question>>,
): Panel | undefined {
  const view = viewsOfCharts[chart.kind];
  const others = Object.values(also);
  const compare = others.length > 0 && others.every((other) => undated(other) === undated(question));
  if (!view || chart.isAddedUp || (others.length > 0 && !compare)) return undefined;
  return panelOf(question, { title, view, compare });
}

/** The question whatever its days. */
function undated({ path, body }: Question): string {
  const { start_date: _start, end_date: _end, ...filters } = body.filters;
  return JSON.stringify([path, { ...body, filters }]);
}
