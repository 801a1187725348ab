import { addDays, addMonths, startOfBucket, utcDay } from '../calendar.ts';
import type { MetricEntry } from './catalogue-document.ts';

/** The three whole months before a day, as a request has them: where there is data at all, there is most often some here. */
export function exampleDays(today: Date): { readonly start_date: string; readonly end_date: string } {
  const thisMonth = startOfBucket('month', utcDay(today));
  return { start_date: addMonths(thisMonth, -3), end_date: addDays(thisMonth, -1) };
}

interface ExampleQuestion {
  readonly filters: object;
  readonly aggregation?: string;
  readonly date_level?: string;
}

/** A question that the metric answers on data of the last months, as the body of a request. */
export function exampleQuestion(
  { needs_aggregation, date_fields, kind, unit }: MetricEntry,
  today: Date,
): ExampleQuestion {
  const isDated = date_fields.length > 0 || kind === 'calendar';
  return {
    filters: isDated ? exampleDays(today) : {},
    ...(needs_aggregation ? { aggregation: isTypical(unit) ? 'MEDIAN' : 'SUM' } : {}),
    ...(isDated ? { date_level: 'month' } : {}),
  };
}

/** Of durations and sizes people ask for the usual value; of everything else for the total. */
const isTypical = (unit: MetricEntry['unit']): boolean => unit === 'seconds' || unit === 'lines' || unit === 'bytes';
