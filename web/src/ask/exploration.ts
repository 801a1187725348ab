import { type DateLevel, dateLevels } from '../../../src/calendar.ts';
import { aggregations, textFilters } from './catalogue.ts';
import { type Aggregation, aboutMetric, addsUp, isMetric, type MetricName } from './metric-facts.ts';
import { pageFilterNames, pageFilterOf, pageFilters } from './page-filters.ts';
import { comparedWith, type Question } from './question.ts';
import type { View } from './view.ts';
import type { ViewFilters, ViewState } from './view-state.ts';

export type ExploredValues = readonly (string | number)[];

/** The question besides the range and the filters of every page. */
export interface Exploration {
  readonly metric: MetricName;
  readonly aggregation?: Aggregation;
  readonly level?: DateLevel;
  readonly by: readonly string[];
  readonly dateField?: string;
  /** Filters that only some metrics have, by name. */
  readonly filters: Readonly<Record<string, ExploredValues>>;
  readonly least?: number;
  readonly orderBy?: string;
  readonly isDescending?: boolean;
  readonly limit?: number;
}

/** The fields of the form, and how a changed one is passed on. */
export interface FormProps {
  readonly asked: Exploration;
  readonly onChange: (asked: Exploration) => void;
}

/** Filters that stand above every page. */
export const filtersAbove: readonly string[] = [
  'start_date',
  'end_date',
  ...pageFilterNames.map((name) => pageFilters[name].request),
];

/** A link may set a filter in `where` that stands above the page: links of earlier versions set departments there. */
export function withFiltersAbove(state: ViewState): ViewState {
  const filters: { -readonly [N in keyof ViewFilters]: ViewFilters[N] } = { ...state.filters };
  const own = filtersIn(state.own.where);
  const moved = Object.entries(own).flatMap(([name, values]) => {
    const above = pageFilterOf(name);
    if (above) filters[above] = [...new Set([...filters[above], ...values.map(String)])];
    return above ? name : [];
  });
  if (moved.length === 0) return state;
  const { where: _moved, ...others } = state.own;
  const left = Object.fromEntries(Object.entries(own).filter(([name]) => !moved.includes(name)));
  return { ...state, filters, own: { ...others, ...whereText(left) } };
}

const whereText = (filters: Exploration['filters']): { readonly where?: string } =>
  Object.keys(filters).length === 0 ? {} : { where: JSON.stringify(filters) };

/** Metrics of people as they are now have no dates. */
export const hasDates = (metric: MetricName): boolean => aboutMetric(metric).dateField !== null;

const first: Exploration = { metric: 'cycle-time', aggregation: 'MEDIAN', level: 'week', by: [], filters: {} };

const listed = (text: string | undefined): string[] =>
  (text ?? '').split(',').filter((one) => /^[a-z_]{1,60}$/.test(one));

/** Reads the address. Parts that are not understood are left out. */
export function explorationIn(own: Readonly<Record<string, string>>): Exploration {
  const metric = own.metric;
  if (metric === undefined || !isMetric(metric)) return first;
  const chosen = aggregations.find((one) => one === own.agg);
  const level = own.level === undefined ? undefined : dateLevels.find((one) => one === own.level);
  return whole({
    metric,
    by: listed(own.by),
    filters: filtersIn(own.where),
    ...(chosen ? { aggregation: chosen } : {}),
    ...(level ? { level } : {}),
    ...(listed(own.date)[0] ? { dateField: own.date } : {}),
    ...(numberIn(own.least) === undefined ? {} : { least: numberIn(own.least) }),
    ...(own.order ? { orderBy: own.order } : {}),
    ...(own.down ? { isDescending: true } : {}),
    ...(numberIn(own.limit) === undefined ? {} : { limit: numberIn(own.limit) }),
  } as Exploration);
}

/** Keeps what the metric takes: an aggregation where it needs one, only its own filters, no level without dates. */
export function whole(asked: Exploration): Exploration {
  const { aggregation, level, filters, ...rest } = asked;
  const about = aboutMetric(asked.metric);
  return {
    ...rest,
    filters: Object.fromEntries(
      Object.entries(filters).filter(([name]) => about.filters.includes(name) && !filtersAbove.includes(name)),
    ),
    ...(about.needsAggregation ? { aggregation: aggregation ?? 'MEDIAN' } : {}),
    ...(level && hasDates(asked.metric) ? { level } : {}),
  };
}

function numberIn(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function filtersIn(text: string | undefined): Exploration['filters'] {
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return {};
    return Object.fromEntries(
      Object.entries(read).flatMap(([name, values]) =>
        Array.isArray(values) && values.every((value) => ['string', 'number'].includes(typeof value))
          ? [[name, values as ExploredValues]]
          : [],
      ),
    );
  } catch {
    return {};
  }
}

/** Writes the address; an empty text removes a choice. */
export const ownOf = (asked: Exploration): Record<string, string> => ({
  metric: asked.metric,
  agg: asked.aggregation ?? '',
  level: asked.level ?? '',
  by: asked.by.join(','),
  date: asked.dateField ?? '',
  where: whereText(asked.filters).where ?? '',
  least: asked.least === undefined ? '' : String(asked.least),
  order: asked.orderBy ?? '',
  down: asked.isDescending ? '1' : '',
  limit: asked.limit === undefined ? '' : String(asked.limit),
});

/** The request, with the range and filters of the page. */
export function exploredQuestion(view: View, asked: Exploration): Question {
  const { metric, aggregation, level, by, dateField, filters, least, orderBy, isDescending, limit } = asked;
  const { start_date, end_date, ...others } = view.filtersFor(metric);
  const own = Object.entries(filters).map(([name, values]) => [name, textFilters.includes(name) ? values[0] : values]);
  return {
    path: `/metrics/${metric}`,
    body: {
      filters: { ...(hasDates(metric) ? { start_date, end_date } : {}), ...others, ...Object.fromEntries(own) },
      ...(by.length > 0 ? { group_by: by } : {}),
      ...(level ? { date_level: level } : {}),
      ...(aggregation ? { aggregation } : {}),
      ...(dateField ? { date_field: dateField } : {}),
      ...(least === undefined ? {} : { metric_min_value: least }),
      ...(orderBy ? { order_by: orderBy, order_direction: isDescending ? 'DESC' : 'ASC' } : {}),
      ...(limit === undefined ? {} : { limit }),
    },
  };
}

const personColumns =
  /^(name|creator_name|manager_name|merged_user_id|person_\w+|main_email|engineer_email|github_username)$/;
/** People are listed by name, never by a number. */
export const isAboutPeople = ({ by }: Exploration): boolean => by.some((column) => personColumns.test(column));

/**
 * The question about the window before: per period the same question again, else the change with the server's verdict.
 * Undefined where nothing is compared: texts, people as they are now, parts of a stack, and surveys, of whose groups
 * fewer may have answered then.
 */
export const earlierQuestion = (view: View, asked: Exploration): Question | undefined =>
  earlierOf(view, asked, exploredQuestion(view, asked));

/** The same of a question that is there already. */
export function earlierOf(view: View, asked: Exploration, { path, body }: Question): Question | undefined {
  const { metric, level, by, aggregation } = asked;
  const { kind, gate } = aboutMetric(metric);
  const before = view.beforeFor(metric);
  if (!before || !hasDates(metric) || kind === 'text' || gate === 'survey') return undefined;
  if (level && by.length > 0 && addsUp(metric, aggregation)) return undefined;
  if (!level) return { path, body: { ...body, ...comparedWith(before) } };
  return { path, body: { ...body, filters: { ...body.filters, start_date: before.start, end_date: before.end } } };
}
