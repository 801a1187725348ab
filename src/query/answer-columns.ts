import { groupColumnsOf } from '../catalogue/group-columns.ts';
import type { Metric, ValueColumn } from '../catalogue/metric.ts';
import type { FieldType, Json } from '../catalogue/record.ts';
import type { AnswerRow, Cell } from './plan.ts';
import type { AnswerColumn, MetricRequest, RequestedMetric } from './request.ts';
import { cellReader } from './shape/cell.ts';

/** The parts of a question that decide the columns of an answer. */
export type ColumnsRequest = Pick<MetricRequest, 'metrics' | 'isMultiple' | 'level' | 'groupBy' | 'showsN'> &
  Partial<Pick<MetricRequest, 'durations' | 'showsVerdict'>>;

/** The columns of an answer: the bucket, the columns to group by, and the values of every metric. */
export function answerColumns(request: ColumnsRequest): AnswerColumn[] {
  const { metrics, level, groupBy, durations } = request;
  const table = metrics[0]?.metric.table;
  const known = table ? groupColumnsOf(table) : undefined;
  return [
    ...(level ? [{ role: 'bucket', name: `${level}_date`, type: 'date' } as const] : []),
    ...groupBy.map((name) => {
      const type = known?.get(name)?.type ?? 'text';
      // Kept as seconds, intervals are shown as such where they are taken for plain numbers.
      return { role: 'group', name, type: type === 'duration' && durations === 'seconds' ? 'number' : type } as const;
    }),
    ...metrics.flatMap((asked) => [...valueColumns(asked), ...countColumns(request, asked)]),
  ];
}

function valueColumns({ metric, values }: RequestedMetric): AnswerColumn[] {
  const type = metric.kind === 'text' ? 'text' : 'number';
  return values.map((value) => ({ role: 'value', name: value.column, type, metric, value }) as const);
}

function countColumns(request: ColumnsRequest, { metric, values }: RequestedMetric): AnswerColumn[] {
  if (countsValues(request)) {
    return values.map((value) => {
      const name = judgedNColumnOf(request, metric, value);
      return { role: 'n', name, type: 'integer', metric, value } as const;
    });
  }
  return request.showsN ? [{ role: 'n', name: nColumnOf(request, metric), type: 'integer', metric }] : [];
}

/** Whether n says how many values a value is made of, and not how many rows have it. */
export const countsValues = ({ showsN, showsVerdict }: Partial<Pick<MetricRequest, 'showsN' | 'showsVerdict'>>) =>
  showsVerdict === true || showsN === 'values';

/** Where values are counted, each value of a metric has an n of its own; that of the value that leads is known as n. */
export function judgedNColumnOf(
  request: Pick<MetricRequest, 'isMultiple'>,
  metric: Metric,
  value: ValueColumn,
): string {
  const isLeading =
    value.part === undefined || (metric.kind === 'aggregated' && metric.values.at(-1)?.name === value.part);
  return isLeading ? nColumnOf(request, metric) : `n of ${value.column}`;
}

/** Where several metrics share one row, each has its own n. */
export const nColumnOf = ({ isMultiple }: Pick<MetricRequest, 'isMultiple'>, { name }: Metric): string =>
  isMultiple ? `n_${name.replaceAll('-', '_')}` : 'n';

/** One column of a flat row: a cell of the engine's row, or a value that is the same in every row. */
export type FlatColumn =
  | { readonly name: string; readonly type: FieldType; readonly at: number; readonly ofNothing: 0 | null }
  | { readonly name: string; readonly type: 'boolean'; readonly always: true };

/** One row of a flat answer, its keys in the documented order. */
type FlatRow = Readonly<Record<string, Json>>;

/** The columns of a flat answer, in the order in which every format writes them. */
export function flatColumns(columns: readonly AnswerColumn[]): FlatColumn[] {
  const flat = columns.map((column, at): FlatColumn => {
    const { name } = column;
    if (column.role === 'n') return { name, type: column.type, at, ofNothing: 0 };
    if (column.role !== 'value') return { name, type: column.type, at, ofNothing: null };
    return { name, type: valueType(column), at, ofNothing: column.value.ofNothing };
  });
  const isBucketed = columns.some(({ role }) => role === 'bucket');
  const all: FlatColumn[] = isBucketed
    ? flat
    : [{ name: 'date_level_not_set', type: 'boolean', always: true }, ...flat];
  // The rounds of reviews are a column of pull requests and a metric of the same name: an object has room for one only.
  return all.filter(({ name }, i) => !all.some((other, j) => j > i && other.name === name));
}

function valueType({ type, metric }: AnswerColumn & { readonly role: 'value' }): FieldType {
  return metric.kind === 'count' ? 'integer' : type;
}

/** The cell of a column in a row, before it is formatted. */
export const cellIn = (column: FlatColumn, row: AnswerRow): Cell =>
  'always' in column ? column.always : (row[column.at] ?? column.ofNothing);

/** Makes objects of rows. */
export function rowReader(columns: readonly FlatColumn[]): (row: AnswerRow) => FlatRow {
  const parts = columns.map((column) => ({ name: column.name, column, read: cellReader(column.type) }));
  return (row) => {
    const shown: Record<string, Json> = {};
    for (const { name, column, read } of parts) shown[name] = read(cellIn(column, row));
    return shown;
  };
}
