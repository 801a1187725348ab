import { groupColumnsOf } from '../catalogue/group-columns.ts';
import type { Metric, ValueColumn } from '../catalogue/metric.ts';
import type { AnswerColumn, MetricRequest, RequestedMetric } from './request.ts';

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
  if (request.showsVerdict) {
    return values.map((value) => {
      const name = judgedNColumnOf(request, metric, value);
      return { role: 'n', name, type: 'integer', metric, value } as const;
    });
  }
  return request.showsN ? [{ role: 'n', name: nColumnOf(request, metric), type: 'integer', metric }] : [];
}

/** Where changes are judged, each value of a metric has an n of its own; that of the value that leads is known as n. */
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
