import { groupColumnsOf } from '../catalogue/group-columns.ts';
import type { AnswerColumn, AskedMetric, MetricRequest } from './request.ts';

/** The columns of an answer: the bucket, what it is grouped by, and what every metric tells of a group. */
export function answerColumns({
  metrics,
  level,
  groupBy,
}: Pick<MetricRequest, 'metrics' | 'level' | 'groupBy'>): AnswerColumn[] {
  const table = metrics[0]?.metric.table;
  const known = table ? groupColumnsOf(table) : undefined;
  return [
    ...(level ? [{ role: 'bucket', name: `${level}_date`, type: 'date' } as const] : []),
    ...groupBy.map((name) => ({ role: 'group', name, type: known?.get(name)?.type ?? 'text' }) as const),
    ...metrics.flatMap(valueColumns),
  ];
}

function valueColumns({ metric, values }: AskedMetric): AnswerColumn[] {
  const type = metric.kind === 'text' ? 'text' : 'number';
  return values.map((value) => ({ role: 'value', name: value.column, type, metric, value }) as const);
}
