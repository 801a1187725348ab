import { dateLevels } from '../../../../src/calendar.ts';
import { aggregations } from '../../ask/catalogue.ts';
import { type Exploration, type ExploredValues, filtersAbove, whole } from '../../ask/exploration.ts';
import { isMetric } from '../../ask/metric-facts.ts';
import type { ViewState } from '../../ask/view-state.ts';
import { requestPartsWords } from './request-editor-words.ts';

/** An edited request, as the form and the controls of the page understand it; or its mistake. */
type ReadRequest =
  | { readonly exploration: Exploration; readonly view: Partial<ViewState>; readonly problem?: undefined }
  | { readonly problem: string };

const wrong = (problem: string): ReadRequest => ({ problem });
const known = [
  'filters',
  'group_by',
  'date_level',
  'aggregation',
  'date_field',
  'metric_min_value',
  'order_by',
  'order_direction',
  'limit',
];

/** Reads a curl command, as the page writes it or as people change it. */
export function readRequest(text: string, today: string): ReadRequest {
  const words = shellWords(text);
  if (!words) return wrong(requestPartsWords.quoteNotClosed);
  const url = words.find((word) => word.includes('/metrics/'));
  const metric = url?.replace(/^.*\/metrics\//, '').split(/[?#]/)[0];
  if (!metric) return wrong(requestPartsWords.thereNoAddress);
  if (metric === 'get-multiple-metrics' || metric === 'benchmark')
    return wrong(requestPartsWords.exploreAsksOneMetric(metric));
  if (!isMetric(metric)) return wrong(requestPartsWords.metricDoesNotExist(metric));
  const at = words.findIndex((word) => /^(-d|--data(-raw|-binary)?|--json)$/.test(word));
  const sent = at === -1 ? undefined : words[at + 1];
  if (sent === undefined) return wrong(requestPartsWords.thereNoBodyD);
  const body = objectIn(sent);
  if (!body) return wrong(requestPartsWords.bodyBehindDNot);
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown) return wrong(requestPartsWords.exploreDoesNotTake(unknown, known.join(', ')));
  return readBody(metric, body, today);
}

function readBody(metric: Exploration['metric'], body: Record<string, unknown>, today: string): ReadRequest {
  const filters = objectOf(body.filters);
  if (!filters) return wrong(requestPartsWords.filtersMustBeObject);
  const by = body.group_by ?? [];
  if (!Array.isArray(by) || !by.every((one) => typeof one === 'string')) return wrong(requestPartsWords.groupByMust);
  const aggregation = aggregations.find((one) => one === upper(body.aggregation));
  if (body.aggregation !== undefined && !aggregation)
    return wrong(requestPartsWords.aggregation(aggregations.join(', ')));
  const level = dateLevels.find((one) => one === lower(body.date_level));
  if (body.date_level !== undefined && !level) return wrong(requestPartsWords.dateLevel(dateLevels.join(', ')));
  const [start, end] = [filters.start_date, filters.end_date ?? today];
  const isDay = (day: unknown): day is string => typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day);
  if (start !== undefined && (!isDay(start) || !isDay(end) || start > end))
    return wrong(requestPartsWords.startDateAndEnd);
  const view: Partial<ViewState> = {
    ...(isDay(start) && isDay(end) ? { range: { start, end } } : {}),
    filters: {
      team: texts(filters.team),
      repository: texts(filters.repositories),
      person: texts(filters.member),
      department: texts(filters.departments),
      squad: texts(filters.squad_ids),
    },
  };
  const own = Object.entries(filters).flatMap(([name, value]) =>
    filtersAbove.includes(name) ? [] : [[name, valuesOf(value)] as const],
  );
  return {
    view,
    exploration: whole({
      metric,
      by,
      filters: Object.fromEntries(own),
      ...(aggregation ? { aggregation } : {}),
      ...(level ? { level } : {}),
      ...(typeof body.date_field === 'string' ? { dateField: body.date_field } : {}),
      ...(typeof body.metric_min_value === 'number' ? { least: body.metric_min_value } : {}),
      ...(typeof body.order_by === 'string' ? { orderBy: body.order_by } : {}),
      ...(upper(body.order_direction) === 'DESC' ? { isDescending: true } : {}),
      ...(typeof body.limit === 'number' ? { limit: body.limit } : {}),
    }),
  };
}

const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

const valuesOf = (value: unknown): ExploredValues =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' || typeof one === 'number');
/** Repositories may be objects with their name. */
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map((one) =>
    String(objectOf(one)?.repository_name ?? one),
  );

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Words as a shell would split them; undefined where a quote is not closed. */
export function shellWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) return undefined;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (sign === '"') {
      const [inside, end] = doubleQuoted(text, at + 1);
      if (end === -1) return undefined;
      word = (word ?? '') + inside;
      at = end;
    } else if (sign === '\\') {
      at += 1;
      if (text[at] !== '\n') word = (word ?? '') + (text[at] ?? '');
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + sign;
  }
  return word === undefined ? words : [...words, word];
}

function doubleQuoted(text: string, start: number): [inside: string, end: number] {
  let inside = '';
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return [inside, at];
    if (text[at] === '\\' && '"\\$`'.includes(text[at + 1] ?? ' ')) at += 1;
    inside += text[at] ?? '';
  }
  return [inside, -1];
}
