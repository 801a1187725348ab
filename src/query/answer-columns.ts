import { groupColumnsOf } from '../catalogue/group-columns.ts';
import type { Metric } from '../catalogue/metric.ts';
import type { AnswerColumn, MetricRequest, RequestedMetric } from './request.ts';

/** What the columns of an answer follow from. */
export type ColumnsRequest = Pick<MetricRequest, 'metrics' | 'isMultiple' | 'level' | 'groupBy' | 'showsN'> &
  Partial<Pick<MetricRequest, 'durations'>>;

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
    ...metrics.flatMap((asked) => [...valueColumns(asked), ...countColumns(request, asked.metric)]),
  ];
}

function valueColumns({ metric, values }: RequestedMetric): AnswerColumn[] {
  const type = metric.kind === 'text' ? 'text' : 'number';
  return values.map((value) => ({ role: 'value', name: value.column, type, metric, value }) as const);
}

const countColumns = (request: ColumnsRequest, metric: Metric): AnswerColumn[] =>
  request.showsN ? [{ role: 'n', name: nColumnOf(request, metric), type: 'integer', metric }] : [];

/** Where several metrics stand in one row, each has an n of its own. */
export const nColumnOf = ({ isMultiple }: Pick<MetricRequest, 'isMultiple'>, { name }: Metric): string =>
  isMultiple ? `n_${name.replaceAll('-', '_')}` : 'n';
