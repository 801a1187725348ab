/** The types of values. Durations are whole seconds in every engine. */
export type ValueKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'duration'
  | 'text[]'
  | 'json';
export type Numeric = 'integer' | 'number' | 'duration';

/** Percentiles by the names that callers know them by, each with the share of the sorted values that lies below it. */
export const percentiles = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95 } as const;
export const percentileNames = Object.keys(percentiles) as (keyof typeof percentiles)[];
export const plainAggregations = ['sum', 'avg', 'min', 'max'] as const;
/** How the caller of a metric wants the values of many rows made into one. */
export const aggregations = [...plainAggregations, ...percentileNames] as const;
export type Aggregation = (typeof aggregations)[number];
export const isPercentile = (aggregation: Aggregation): aggregation is keyof typeof percentiles =>
  Object.hasOwn(percentiles, aggregation);

/** A value of one row. Closed on purpose: a new node does not compile until every engine can say it. */
export type RowNode =
  | { readonly op: 'column'; readonly name: string }
  | { readonly op: 'literal'; readonly value: string | number }
  | { readonly op: 'coalesce'; readonly options: readonly RowNode[] }
  | { readonly op: 'add'; readonly terms: readonly RowNode[] }
  | { readonly op: 'isAnyOf'; readonly value: RowNode; readonly list: readonly string[] }
  | { readonly op: 'isMoreThan'; readonly value: RowNode; readonly than: number }
  | { readonly op: 'isPresent'; readonly value: RowNode }
  | { readonly op: 'isTrue'; readonly value: RowNode }
  | { readonly op: 'not'; readonly value: RowNode }
  | { readonly op: 'and'; readonly all: readonly RowNode[] }
  | { readonly op: 'or'; readonly any: readonly RowNode[] }
  | { readonly op: 'when'; readonly condition: RowNode; readonly value: RowNode }
  | { readonly op: 'oneOrZero'; readonly value: RowNode };

/** The rank for a number of values. */
export interface RankAmong {
  readonly values: number;
  readonly rank: number;
}

/** A value of many rows. */
export type AggregateNode =
  | { readonly op: 'count'; readonly where?: RowNode | undefined }
  | { readonly op: 'countDistinct'; readonly value: RowNode; readonly where?: RowNode | undefined }
  | { readonly op: 'aggregate'; readonly aggregation: Aggregation; readonly value: RowNode }
  /** One of the sorted values: the first is at rank 1. Null where no rank is given for that number of values. */
  | { readonly op: 'atRank'; readonly value: RowNode; readonly ranks: readonly RankAmong[] }
  | { readonly op: 'plus'; readonly terms: readonly AggregateNode[] }
  | { readonly op: 'ratio'; readonly part: AggregateNode; readonly whole: AggregateNode }
  | { readonly op: 'mode'; readonly value: RowNode };

declare const kind: unique symbol;

/** A value in a query, as plain data: no SQL, no engine, safe to print, compare and keep. */
export interface RowValue<K extends ValueKind = ValueKind> {
  readonly [kind]?: K;
  readonly row: RowNode;
}
/** Apart from a value of one row, so that an average of averages does not compile. A ratio is apart from other numbers. */
export interface Aggregate<K extends ValueKind | 'ratio' = ValueKind> {
  readonly [kind]?: K;
  readonly aggregate: AggregateNode;
}
type Truth = RowValue<'boolean'>;

const ofRow = <K extends ValueKind>(row: RowNode): RowValue<K> => ({ row });
const ofMany = <K extends ValueKind | 'ratio'>(aggregate: AggregateNode): Aggregate<K> => ({ aggregate });

export const column = <K extends ValueKind>(name: string): RowValue<K> => ofRow({ op: 'column', name });
export const literal = <K extends 'text' | 'integer'>(value: K extends 'text' ? string : number): RowValue<K> =>
  ofRow({ op: 'literal', value });
export const coalesce = <K extends ValueKind>(...options: readonly RowValue<K>[]): RowValue<K> =>
  ofRow({ op: 'coalesce', options: options.map(({ row }) => row) });
/** Missing when one of the terms is. */
export const add = <K extends Numeric>(...terms: readonly RowValue<K>[]): RowValue<K> =>
  ofRow({ op: 'add', terms: terms.map(({ row }) => row) });

/** A missing value is none of them: conditions are never themselves missing. */
export const isAnyOf = (value: RowValue<'text'>, ...list: readonly string[]): Truth =>
  ofRow({ op: 'isAnyOf', value: value.row, list });
export const isMoreThan = (value: RowValue<Numeric>, than: number): Truth =>
  ofRow({ op: 'isMoreThan', value: value.row, than });
export const isPresent = (value: RowValue): Truth => ofRow({ op: 'isPresent', value: value.row });
export const isTrue = (value: RowValue<'boolean'>): Truth => ofRow({ op: 'isTrue', value: value.row });
export const not = (value: Truth): Truth => ofRow({ op: 'not', value: value.row });
export const and = (...all: readonly Truth[]): Truth => ofRow({ op: 'and', all: all.map(({ row }) => row) });
export const or = (...any: readonly Truth[]): Truth => ofRow({ op: 'or', any: any.map(({ row }) => row) });

/** The value where the condition holds, and nothing elsewhere. */
export const when = <K extends ValueKind>(condition: Truth, value: RowValue<K>): RowValue<K> =>
  ofRow({ op: 'when', condition: condition.row, value: value.row });
/** 1 for true, 0 for false, nothing for missing: the average is the share of those that are true. */
export const oneOrZero = (value: RowValue<'boolean'>): RowValue<'integer'> =>
  ofRow({ op: 'oneOrZero', value: value.row });

/** The condition of a count sits inside it: groups in which it never holds are there, with 0. */
export const count = (where?: Truth): Aggregate<'integer'> => ofMany({ op: 'count', where: where?.row });
export const countDistinct = (value: RowValue, where?: Truth): Aggregate<'integer'> =>
  ofMany({ op: 'countDistinct', value: value.row, where: where?.row });
export const aggregate = (aggregation: Aggregation, value: RowValue<Numeric>): Aggregate<'number'> =>
  ofMany({ op: 'aggregate', aggregation, value: value.row });
export const sum = (value: RowValue<Numeric>): Aggregate<'number'> => aggregate('sum', value);
export const average = (value: RowValue<Numeric>): Aggregate<'number'> => aggregate('avg', value);
/** Interpolated linearly between the two nearest values. */
export const median = (value: RowValue<Numeric>): Aggregate<'number'> => aggregate('median', value);
export const plus = (...terms: readonly Aggregate<'integer' | 'number'>[]): Aggregate<'number'> =>
  ofMany({ op: 'plus', terms: terms.map(({ aggregate }) => aggregate) });
/** Null where the denominator is zero. */
export const ratio = (
  part: Aggregate<'integer' | 'number'>,
  whole: Aggregate<'integer' | 'number'>,
): Aggregate<'ratio'> => ofMany({ op: 'ratio', part: part.aggregate, whole: whole.aggregate });
/** The most frequent value; of several the first by name. */
export const mode = (value: RowValue<'text'>): Aggregate<'text'> => ofMany({ op: 'mode', value: value.row });
