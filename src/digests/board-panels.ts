import type { Principal } from '../access/principal.ts';
import type { RequestTicket } from '../admission/ticket.ts';
import { whyNotShown } from '../alerts/rule-fields.ts';
import type { Board, BoardPanel, BoardRange } from '../boards/board.ts';
import { boardDays, defaultRange, panelQuestion } from '../boards/board-questions.ts';
import { addDays } from '../calendar.ts';
import { aggregationLabel } from '../catalogue/labels/aggregation-labels.ts';
import { metrics as allMetrics } from '../catalogue/metrics/all-metrics.ts';
import type { ChartMeasure } from '../charts/chart-description.ts';
import { measureOf } from '../charts/measure.ts';
import { type ComparedValue, comparedRow, noPoint, type ResultRow } from '../conclusions/compared.ts';
import type { Aggregation } from '../expression/expression.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { DocumentAnswer, RowsAnswer } from '../query/collect-answer.ts';
import { filterNamesOf } from '../query/reading/read-filters.ts';
import { Refusal } from '../refusal.ts';

/** A panel of a board with its values over the window of the board. */
export interface AnsweredPanel {
  readonly title: string;
  readonly metric: string;
  readonly measure: ChartMeasure;
  /** The value of all, or of each group. */
  readonly values: readonly (ComparedValue & { readonly name: string | null })[];
  /** Why it has none. */
  readonly problem?: string;
}

export const maxPanelsShown = 12;
const maxGroups = 5;

/** Columns that name people. The pull requests of a deployment or a release stand there with their authors. */
const personColumns: readonly string[] = [
  'merged_user_id',
  'name',
  'manager_name',
  'person_login',
  'person_email',
  'person_name',
  'engineer_email',
  'creator_name',
  'main_email',
  'github_username',
  'pull_requests',
];

/** Why a board may not be shown to others as it is; undefined where it may. */
export const whyBoardNotShown = (board: Board): string | undefined =>
  board.panels.map((panel) => whyPanelNotShown(panel, board)).find((why) => why !== undefined);

/** Why a panel may not be shown to others, with the filters of its board over it; undefined where it may. */
export function whyPanelNotShown(
  { metric, request }: BoardPanel,
  { filters }: Pick<Board, 'filters'>,
): string | undefined {
  const groups = [request?.group_by ?? []].flat();
  const named = groups.find((column) => personColumns.includes(String(column)));
  if (named !== undefined) return `a panel is grouped by ${named}, which names people`;
  return whyNotShown({ metric, filters: { ...request?.filters, ...filters } });
}

interface BoardQuestion {
  readonly filters: Readonly<Record<string, unknown>>;
  /** The last day that is over and whose data are there. */
  readonly lastWholeDay: string;
  readonly ticket: RequestTicket;
}

/** The days that a board is about. */
export const daysOfBoard = ({ range }: { readonly range?: BoardRange | undefined }, lastWholeDay: string) =>
  boardDays(range ?? defaultRange, lastWholeDay);

/** The last day whose data a digest of a board needs, on the day on which it is due. */
export function lastDayOfBoard(board: { readonly range?: BoardRange | undefined }, dueDay: string): string {
  const lastWholeDay = addDays(dueDay, -1);
  const { end_date: end } = daysOfBoard(board, lastWholeDay);
  return end < lastWholeDay ? end : lastWholeDay;
}

/** Asks the first panels of a board, as numbers over its whole window, in the rights of one person. */
export async function answerPanels(
  metrics: Pick<Metrics, 'single'>,
  principal: Principal,
  board: Board & { readonly panels: readonly BoardPanel[] },
  { filters, lastWholeDay, ticket }: BoardQuestion,
): Promise<AnsweredPanel[]> {
  const days = daysOfBoard(board, lastWholeDay);
  const answered: AnsweredPanel[] = [];
  for (const panel of board.panels.slice(0, maxPanelsShown)) {
    const metric = allMetrics.get(panel.metric);
    if (!metric) continue;
    const known = filterNamesOf(metric);
    const takes = (name: string): boolean => known.includes(name === 'team_ids' ? 'team' : name);
    const asked = panelQuestion(panel, { days, filters: { ...board.filters, ...filters }, takes });
    // A mail has no charts: of a course over time it says the whole window.
    const {
      date_level: _level,
      time_series_data: _series,
      order_by: _order,
      order_direction: _direction,
      ...body
    } = asked as typeof asked & Readonly<Record<string, unknown>>;
    const aggregation = typeof body.aggregation === 'string' ? body.aggregation.toUpperCase() : undefined;
    const measure = measureOf(metric, aggregation);
    const title = panel.title ?? titleOf(metric.label, aggregation, measure);
    const about = { title, metric: panel.metric, measure };
    try {
      const question = metric.dates.length === 0 ? body : { ...body, include_previous_period: true };
      const options = { ticket, showsVerdict: metric.dates.length > 0 };
      const { answer } = await metrics.single(principal, panel.metric, question, options);
      const group = [body.group_by ?? []].flat()[0];
      answered.push({
        ...about,
        values: answer.form === 'rows' ? flatValues(answer, group) : valuesIn(answer as DocumentAnswer, group),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answered.push({ ...about, values: [], problem: 'It cannot be shown to you.' });
    }
  }
  return answered;
}

function titleOf(label: string, aggregation: string | undefined, measure: ChartMeasure): string {
  if (aggregation === undefined) return label;
  return `${label}, ${aggregationLabel(aggregation.toLowerCase() as Aggregation, measure === 'duration')}`;
}

function valuesIn(answer: DocumentAnswer, group: unknown): AnsweredPanel['values'] {
  const { results = [] } = answer.document as { readonly results?: readonly ResultRow[] };
  const rows = results.map((row) => ({ ...comparedRow(row), name: nameIn(row, group) }));
  if (group === undefined) return rows.slice(-1);
  return rows.toSorted((a, b) => (b.now.value ?? 0) - (a.now.value ?? 0)).slice(0, maxGroups);
}

/** Of people as they are now: nothing is compared, and the value comes last. */
function flatValues({ columns, rows }: RowsAnswer, group: unknown): AnsweredPanel['values'] {
  const at = columns.findIndex(({ name }) => name === group);
  return rows.slice(0, maxGroups).map((row) => {
    const value = row.at(-1);
    const now = { value: typeof value === 'number' ? value : null, n: null };
    return {
      now,
      before: noPoint,
      verdict: null,
      isBetter: null,
      name: at === -1 ? null : String(row[at] ?? '(none)'),
    };
  });
}

function nameIn({ group_by: groups }: ResultRow, group: unknown): string | null {
  if (group === undefined || typeof groups !== 'object' || groups === null || Array.isArray(groups)) return null;
  const value = (groups as ResultRow)[String(group)];
  return value === null || value === undefined ? '(none)' : String(value);
}
