import type { ChartMeasure } from './chart-description.ts';

/** The facts about a metric that decide how its numbers are written. */
interface MeasuredMetric {
  readonly name: string;
  readonly kind: string;
  readonly unit?: string | null | undefined;
}

/** The catalogue has no word for shares between 0 and 1: their names end in one of these. */
const isShare = (name: string): boolean => /-(rate|ratio)$|-percent-/.test(name);

/** How numbers of a metric are written. Aggregations are in upper case. */
export function measureOf({ name, kind, unit }: MeasuredMetric, aggregation: string | undefined): ChartMeasure {
  if (unit === 'seconds') return 'duration';
  if (unit === 'usd' || unit === 'bytes') return unit;
  if (isShare(name)) return 'percent';
  const isWhole = kind === 'count' || (kind === 'aggregated' && (aggregation ?? 'SUM') === 'SUM');
  return isWhole ? 'count' : 'number';
}

/** Whether the value is a count or a sum, so that parts of it add up and n says nothing more. */
export const addsUp = ({ kind }: Pick<MeasuredMetric, 'kind'>, aggregation: string | undefined): boolean =>
  kind === 'count' || (kind === 'aggregated' && aggregation === 'SUM');
