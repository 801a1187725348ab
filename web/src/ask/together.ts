import type { DateLevel } from '../../../src/calendar.ts';
import { type Aggregation, aboutMetric, type MetricName, valueColumn } from './metric-facts.ts';
import { ask, askSeveral, comparedWith, type Question, type RequestFilters } from './question.ts';
import type { DayWindow } from './windows.ts';

/** One metric that is asked alone or together with others. */
export interface MetricPart {
  readonly metric: MetricName;
  readonly aggregation?: Aggregation | undefined;
  readonly dateField?: string | undefined;
  readonly filters: RequestFilters;
  readonly level?: DateLevel | undefined;
  readonly by?: string | undefined;
  /** The window to compare with. With it the answer has results, each with its verdict. */
  readonly before?: DayWindow | undefined;
}

/** Where the answer to a part is: in which request, and in which columns of its rows. */
export interface PartPlace {
  readonly question: number;
  readonly value: string;
  readonly n: string;
}

/**
 * Puts parts into as few requests as possible: those with the same filters, buckets and grouping go together. What may
 * be refused for reasons of its own stays alone, so that a refusal takes no other figure along.
 */
export function askTogether(parts: readonly MetricPart[]): {
  readonly questions: readonly Question[];
  readonly places: readonly PartPlace[];
} {
  const batches: { readonly key: string; readonly parts: MetricPart[] }[] = [];
  const batchOf = parts.map((part) => {
    const { filters, level, by, before, metric } = part;
    const key = JSON.stringify([filters, level, by, before]);
    const found = standsAlone(metric)
      ? -1
      : batches.findIndex((batch) => batch.key === key && batch.parts.every((other) => other.metric !== metric));
    if (found !== -1) batches[found]?.parts.push(part);
    else batches.push({ key: standsAlone(metric) ? '' : key, parts: [part] });
    return found === -1 ? batches.length - 1 : found;
  });
  return {
    questions: batches.map((batch) => questionFor(batch.parts)),
    places: parts.map(({ metric, aggregation }, at) => {
      const question = batchOf[at] as number;
      const isAlone = batches[question]?.parts.length === 1;
      const value = valueColumn(metric, aggregation);
      return { question, value, n: isAlone ? 'n' : `n_${metric.replaceAll('-', '_')}` };
    }),
  };
}

/** Gated metrics, metrics without time, texts, and the metric that is always by hour of day. */
function standsAlone(metric: MetricName): boolean {
  const { gate, dateField, kind } = aboutMetric(metric);
  return gate !== null || dateField === null || kind === 'text' || metric === 'reviews-by-time-of-day';
}

function questionFor(parts: readonly MetricPart[]): Question {
  const [first] = parts as readonly [MetricPart];
  const { filters, level, by, before } = first;
  const shared = {
    filters,
    ...(before ? comparedWith(before) : {}),
    ...(by ? { group_by: [by] as never[] } : {}),
    ...(level ? { date_level: level } : {}),
  };
  if (parts.length === 1) {
    const { metric, aggregation, dateField } = first;
    return ask(metric, {
      ...shared,
      ...(aggregation ? { aggregation } : {}),
      ...(dateField ? { date_field: dateField } : {}),
    });
  }
  const of = <T>(read: (part: MetricPart) => T | undefined) =>
    Object.fromEntries(parts.flatMap((part) => (read(part) === undefined ? [] : [[part.metric, read(part)]])));
  const [aggregations, date_fields] = [of(({ aggregation }) => aggregation), of(({ dateField }) => dateField)];
  return askSeveral(
    parts.map(({ metric }) => metric),
    {
      ...shared,
      ...(Object.keys(aggregations).length > 0 ? { aggregations } : {}),
      ...(Object.keys(date_fields).length > 0 ? { date_fields } : {}),
    },
  );
}
