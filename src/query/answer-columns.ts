import { groupColumnsOf } from '../catalogue/group-columns.ts';
import type { AnswerColumn, MetricRequest, RequestedMetric } from './request.ts';

/** The columns of an answer: the bucket, the columns to group by, and the values of every metric. */
export function answerColumns({
  metrics,
  level,
  groupBy,
  durations,
}: Pick<MetricRequest, 'metrics' | 'level' | 'groupBy'> & Partial<Pick<MetricRequest, 'durations'>>): AnswerColumn[] {
  const table = metrics[0]?.metric.table;
  const known = table ? groupColumnsOf(table) : undefined;
  return [
    ...(level ? [{ role: 'bucket', name: `${level}_date`, type: 'date' } as const] : []),
    ...groupBy.map((name) => {
      const type = known?.get(name)?.type ?? 'text';
      // Kept as seconds, intervals are shown as such where they are taken for plain numbers.
      return { role: 'group', name, type: type === 'duration' && durations === 'seconds' ? 'number' : type } as const;
    }),
    ...metrics.flatMap(valueColumns),
  ];
}

function valueColumns({ metric, values }: RequestedMetric): AnswerColumn[] {
  const type = metric.kind === 'text' ? 'text' : 'number';
  return values.map((value) => ({ role: 'value', name: value.column, type, metric, value }) as const);
}
