import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { type FigureSpec, numberIn, pointOf } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { type Aggregation, type MetricName, valueColumn } from '../../ask/metric-facts.ts';
import { ask, askSeveral, type Question } from '../../ask/question.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow } from '../../ask/windows.ts';
import { type SessionUse, toolOf } from './seats.ts';
import { aiFigureWords } from './words.ts';

const adoption = { metric: 'adoption-rate', label: aiFigureWords.aiInUse } satisfies FigureSpec;
const acceptance = { metric: 'ai-acceptance-rate', label: aiFigureWords.acceptedLines } satisfies FigureSpec;
const aiShare = { metric: 'ai-code-ratio', label: aiFigureWords.shareAiLines } satisfies FigureSpec;
const tokens = { metric: 'ai-total-token-usage', aggregation: 'SUM', label: aiFigureWords.tokens } satisfies FigureSpec;
export const keyFigures: readonly FigureSpec[] = [adoption, acceptance, aiShare, tokens];

/** Which tools report their cost, and which were used and do not: an unreported cost is not 0. */
interface ToolsByCost {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}
export function toolsByCost(rows: readonly Row[]): ToolsByCost {
  const used = usageRows(rows, 'tool').filter(({ people, cost }) => people > 0 || cost !== null);
  return {
    known: used.flatMap(({ tool, cost }) => (cost === null ? [] : tool)),
    unknown: used.flatMap(({ tool, cost }) => (cost === null ? tool : [])),
  };
}

/** `github-copilot reports no cost`; nothing where all of them do. */
export const unknownCostWords = (tools: readonly string[]): string | undefined =>
  tools.length === 0
    ? undefined
    : aiFigureWords.noCost(tools.map((tool) => valueLabel('source', tool)).join(' and '), tools.length);

/** Cost and the people who used the tools that report one, asked together so that one divides by the other. */
export const costQuestion = (view: View, tools: ToolsByCost, window: DayWindow): Question =>
  askSeveral(['ai-total-cost', 'adopted-users'], {
    filters: {
      ...view.filtersFor('ai-total-cost', window),
      ...(tools.unknown.length > 0 ? { ai_copilot_sources: tools.known } : {}),
    },
    aggregations: { 'ai-total-cost': 'SUM' },
  });

interface CostPerPerson {
  readonly cost: number | null;
  readonly people: number | null;
  readonly each: number | null;
}
export function costPerPerson(row: Row | undefined): CostPerPerson {
  const cost = valueIn(row, 'sum_ai_total_cost', 'n_ai_total_cost');
  const people = row ? numberIn(row, 'adopted_users') : null;
  return { cost, people, each: cost !== null && people !== null && people > 0 ? cost / people : null };
}

/** A sum of no values is 0 in an answer, and unknown here. */
const valueIn = (row: Row | undefined, column: string, n: string): number | null => pointOf(row, column, n).value;

const usage = [
  'adopted-users',
  'ai-total-cost',
  'ai-total-token-usage',
  'ai-total-loc',
  'ai-acceptance-rate',
] as const satisfies readonly MetricName[];

/** Use, cost and acceptance by tool, or by tool and model. */
export const usageQuestion = (view: View, by: 'tool' | 'model', window = view.windowFor('adopted-users')): Question =>
  askSeveral(usage, {
    filters: view.filtersFor('adopted-users', window),
    group_by: by === 'tool' ? ['source'] : ['source', 'model'],
    aggregations: { 'ai-total-cost': 'SUM', 'ai-total-token-usage': 'SUM', 'ai-total-loc': 'SUM' },
  });

export interface Usage {
  readonly tool: string;
  /** null of a tool as a whole. */
  readonly model: string | null;
  readonly people: number;
  readonly cost: number | null;
  readonly tokens: number | null;
  readonly lines: number | null;
  readonly acceptance: number | null;
}

/**
 * A tool that records days, coding sessions or both. A tool that records sessions alone has no days whose values could
 * be 0.
 */
export interface ToolLine extends Omit<Usage, 'people'> {
  readonly people: number | null;
  readonly sessions: SessionUse | undefined;
}

/**
 * Every tool that has rows: first those that record days, as they come, then those that record sessions alone, by name.
 */
export function toolLines(days: readonly Usage[], sessions: ReadonlyMap<string, SessionUse>): ToolLine[] {
  const known = new Set(days.map(({ tool }) => tool));
  const nothing = { model: null, people: null, cost: null, tokens: null, lines: null, acceptance: null };
  const others = [...sessions.keys()].filter((agent) => !known.has(agent)).toSorted();
  return [
    ...days.map((usage) => ({ ...usage, sessions: sessions.get(usage.tool) })),
    ...others.map((tool) => ({ tool, ...nothing, sessions: sessions.get(tool) })),
  ];
}

/** Days without any use have no model, and form no model of their own. */
export function usageRows(rows: readonly Row[], by: 'tool' | 'model'): Usage[] {
  return rows.flatMap((row) => {
    const people = numberIn(row, 'adopted_users') ?? 0;
    const model = by === 'model' ? textOf(row.model) : null;
    if (by === 'model' && model === null && people === 0) return [];
    return {
      tool: toolOf(row.source),
      model: by === 'model' ? (model ?? aiFigureWords.notSaid) : null,
      people,
      cost: valueIn(row, 'sum_ai_total_cost', 'n_ai_total_cost'),
      tokens: valueIn(row, 'sum_ai_total_token_usage', 'n_ai_total_token_usage'),
      lines: valueIn(row, 'sum_ai_total_loc', 'n_ai_total_loc'),
      acceptance: numberIn(row, 'ai_acceptance_rate'),
    };
  });
}

/** The delivery figures that are shown with and without AI. */
export interface ComparedFigure {
  readonly metric: MetricName;
  readonly aggregation?: Aggregation;
  readonly label: string;
}
const comparedFigures: readonly ComparedFigure[] = [
  { metric: 'cycle-time', aggregation: 'MEDIAN', label: aiFigureWords.cycleTimeMedian },
  { metric: 'pickup-time', aggregation: 'MEDIAN', label: aiFigureWords.firstReviewWaitMedian },
  { metric: 'review-time', aggregation: 'MEDIAN', label: aiFigureWords.reviewMedian },
  { metric: 'lead-time-for-changes-p50', label: aiFigureWords.leadTimeMedian },
  { metric: 'review-rounds', label: aiFigureWords.reviewRoundsAverage },
  { metric: 'rework-rate', aggregation: 'AVG', label: aiFigureWords.reworkedAfterReview },
  { metric: 'review-rate', label: aiFigureWords.reviewed },
  { metric: 'pull-requests-size', aggregation: 'MEDIAN', label: aiFigureWords.linesChangedMedian },
];

/** Both columns use the date of the merge, so that they are about the same pull requests. */
export const comparedQuestion = (view: View): Question =>
  askSeveral(
    comparedFigures.map(({ metric }) => metric),
    {
      filters: view.filtersFor('cycle-time'),
      group_by: ['is_ai_assisted'] as never[],
      aggregations: Object.fromEntries(
        comparedFigures.flatMap(({ metric, aggregation }) => (aggregation ? [[metric, aggregation]] : [])),
      ),
      date_fields: Object.fromEntries(comparedFigures.map(({ metric }) => [metric, 'merged_at'])),
    },
  );

export interface ComparedRow {
  readonly figure: ComparedFigure;
  readonly with: ComparedValue;
  readonly without: ComparedValue;
}
export interface ComparedValue {
  readonly value: number | null;
  readonly n: number | null;
}

export function comparedRows(rows: readonly Row[]): ComparedRow[] {
  const side = (isAssisted: boolean): Row | undefined => rows.find((row) => row.is_ai_assisted === isAssisted);
  const [assisted, plain] = [side(true), side(false)];
  return comparedFigures.map((figure) => {
    const valueIn = (row: Row | undefined): ComparedValue => ({
      value: row ? numberIn(row, valueColumn(figure.metric, figure.aggregation)) : null,
      n: row ? numberIn(row, `n_${figure.metric.replaceAll('-', '_')}`) : null,
    });
    return { figure, with: valueIn(assisted), without: valueIn(plain) };
  });
}

export const sessionsShown = 20;
/** The newest sessions, also those without code: the list shows what happened, not who did most. */
export const sessionsQuestion = (view: View): Question =>
  ask('posthook-sessions-count', {
    filters: view.filtersFor('posthook-sessions-count'),
    group_by: [
      'session_id',
      'started_at',
      'name',
      'agent_slug',
      'model_slug',
      'repo_name',
      'active_minutes',
      'total_tokens',
      'generated_lines',
      'committed_lines',
    ],
    order_by: 'started_at',
    order_direction: 'DESC',
    limit: sessionsShown,
  });
