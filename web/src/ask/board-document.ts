import { panelQuestion } from '../../../src/boards/board-questions.ts';
import { dateLevels } from '../../../src/calendar.ts';
import { aggregations } from './catalogue.ts';
import { type Exploration, type ExploredValues, earlierOf, hasDates } from './exploration.ts';
import { aboutMetric, isMetric, type MetricName } from './metric-facts.ts';
import type { BoardFilters, Panel } from './panel-of.ts';
import type { Question, RequestFilters } from './question.ts';
import type { VisibleTo } from './stored-documents.ts';
import type { View } from './view.ts';
import { isUnitRange, type Range } from './windows.ts';

/** A board as people write it, teams by name. */
export interface BoardDocument {
  readonly board?: string;
  readonly title: string;
  readonly visible_to?: VisibleTo;
  readonly range?: string | { readonly start_date: string; readonly end_date: string };
  readonly filters?: BoardFilters;
  readonly panels: readonly Panel[];
}

/** The days that a board shows unless its reader picks others. */
export function rangeOf({ range = '90d' }: Pick<BoardDocument, 'range'>): Range {
  if (typeof range !== 'string') return { start: range.start_date, end: range.end_date };
  return isUnitRange(range) ? range : '90d';
}

/** The question of a panel as a page asks and draws it. */
export interface AskedPanel {
  readonly asked: Exploration;
  readonly question: Question;
  /** The same about the window before, where the panel compares. */
  readonly earlier: Question | undefined;
}

/** Undefined where the catalogue has no such metric any more. */
export function askedPanel(view: View, board: Pick<BoardDocument, 'filters'>, panel: Panel): AskedPanel | undefined {
  const { metric, request, compare = false } = panel;
  if (!isMetric(metric)) return undefined;
  const known = aboutMetric(metric).filters;
  const takes = (filter: string): boolean => known.includes(filter === 'team_ids' ? 'team' : filter);
  const { start_date, end_date, ...chosen } = view.filtersFor(metric);
  const days = { start_date: String(start_date ?? ''), end_date: String(end_date ?? '') };
  const lay = (body: Panel['request'], filters: BoardFilters) =>
    panelQuestion({ metric, view: panel.view, ...(body ? { request: body } : {}) }, { days, filters, takes });
  // First the filters of the board, then those of its reader, each in the place of what is below.
  const body = lay(lay(request, board.filters ?? {}), chosen);
  const { start_date: _start, end_date: _end, ...undated } = body.filters;
  const question: Question = {
    path: `/metrics/${metric}`,
    body: { ...body, filters: (hasDates(metric) ? body.filters : undated) as RequestFilters },
  };
  const asked = explorationOf(metric, question.body);
  return { asked, question, earlier: compare ? earlierOf(view, asked, question) : undefined };
}

/** The parts of a body that its answer is drawn by. */
function explorationOf(metric: MetricName, body: Readonly<Record<string, unknown>>): Exploration {
  const by = Array.isArray(body.group_by) ? body.group_by.map(String) : [];
  const aggregation = aggregations.find((one) => one === String(body.aggregation ?? '').toUpperCase());
  const level = dateLevels.find((one) => one === String(body.date_level ?? '').toLowerCase());
  const filters = Object.entries((body.filters ?? {}) as BoardFilters).filter(
    ([name]) => !/^(start|end)_date$/.test(name),
  );
  return {
    metric,
    by,
    filters: Object.fromEntries(filters.map(([name, value]) => [name === 'team_ids' ? 'team' : name, valuesOf(value)])),
    ...(aggregation ? { aggregation } : {}),
    ...(level && hasDates(metric) ? { level } : {}),
    ...(typeof body.date_field === 'string' ? { dateField: body.date_field } : {}),
    ...(typeof body.order_by === 'string' ? { orderBy: body.order_by } : {}),
    ...(String(body.order_direction ?? '').toUpperCase() === 'DESC' ? { isDescending: true } : {}),
  };
}

/** Repositories may be objects with their name. */
const valuesOf = (value: unknown): ExploredValues =>
  [value].flat().flatMap((one) => {
    if (typeof one === 'string' || typeof one === 'number') return [one];
    const name = typeof one === 'object' && one !== null && 'repository_name' in one ? one.repository_name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
