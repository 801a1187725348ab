import { rowReader } from '../query/shape/rows.ts';
import type { ToolCaller, ToolParts } from './tool.ts';

type ValueRow = Readonly<Record<string, unknown>>;

/** A metric grouped by one column: which values of it there are in rows that the caller may see. */
export async function* rowsByColumn(
  { metrics }: ToolParts,
  { principal, ticket }: ToolCaller,
  metric: string,
  column: string,
  filters: object,
): AsyncGenerator<ValueRow> {
  const body = { metrics: [metric], filters, group_by: [column] };
  const { answer } = await metrics.multiple(principal, body, { ticket });
  if (answer.form === 'document') throw new Error(`there are no rows by ${column}`);
  const read = rowReader(answer.columns);
  const batches = answer.form === 'rows' ? [answer.rows] : answer.batches;
  for await (const batch of batches) for (const row of batch) yield read(row) as ValueRow;
}
