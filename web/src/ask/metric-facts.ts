import { aggregationLabel } from '../../../src/catalogue/labels/aggregation-labels.ts';
import { addsUp as adds, measureOf as measure } from '../../../src/charts/measure.ts';
import { type aggregations, type ColumnsOfTable, metrics } from './catalogue.ts';

export type MetricName = keyof typeof metrics;
export type Aggregation = (typeof aggregations)[number];
type TableOf<M extends MetricName> = (typeof metrics)[M]['table'];
/** The columns that a metric can be grouped by. */
export type ColumnOf<M extends MetricName> =
  TableOf<M> extends keyof ColumnsOfTable ? ColumnsOfTable[TableOf<M>] : never;

/** How the values of a metric are written. */
export type Measure = 'duration' | 'percent' | 'count' | 'number' | 'usd' | 'bytes';
export type Better = 'lower' | 'higher' | null;

/** What the pages know of a metric, all of it from the catalogue. */
interface MetricAbout {
  readonly label: string;
  readonly domain: string;
  readonly table: string;
  readonly kind: string;
  readonly meaning: string;
  readonly unit: string | null;
  readonly better: Better;
  readonly column: string;
  /** The column of a record that the metric is computed from, where there is one. */
  readonly value?: string;
  readonly needsAggregation: boolean;
  readonly dateField: string | null;
  readonly gate: string | null;
  /** The tables whose data its values need, where its own is not the only one: deployments say what was live when. */
  readonly tables?: readonly string[];
  readonly filters: readonly string[];
}

export const aboutMetric = (metric: MetricName): MetricAbout => metrics[metric];
export const isMetric = (name: string): name is MetricName => Object.hasOwn(metrics, name);

/** The column of a flat answer that holds the metric's value. */
export const valueColumn = (metric: MetricName, aggregation?: Aggregation): string =>
  aboutMetric(metric).column.replace('{aggregation}', (aggregation ?? '').toLowerCase());

export const measureOf = (metric: MetricName, aggregation?: Aggregation): Measure =>
  measure({ name: metric, ...aboutMetric(metric) }, aggregation);

/** Whether the value is a count or a sum, so that parts of it add up and n says nothing more. */
export const addsUp = (metric: MetricName, aggregation?: Aggregation): boolean =>
  adds(aboutMetric(metric), aggregation);

/**
 * The aggregation that pages use: the median of durations and sizes, which a few extreme rows do not move, and the
 * average of shares.
 */
export function defaultAggregation(metric: MetricName): Aggregation | undefined {
  if (!aboutMetric(metric).needsAggregation) return undefined;
  const measure = measureOf(metric);
  if (measure === 'duration' || /-sizes?$/.test(metric)) return 'MEDIAN';
  return measure === 'percent' ? 'AVG' : 'SUM';
}

export const wordFor = (aggregation: Aggregation, measure?: Measure): string =>
  aggregationLabel(aggregation.toLowerCase() as Lowercase<Aggregation>, measure === 'duration');
