import type { Plan } from './plan.ts';
import type { MetricRequest } from './request.ts';

/** What is read and how, in sentences. */
export function planInWords({ window, metrics, order, limit, form }: MetricRequest, plan: Plan): string[] {
  const { from, span, bucket, groupBy, rows, people, least } = plan;
  const { table, sight } = from;
  const [asked] = metrics;
  const sentences = [
    sight === 'organisation'
      ? `Read ${table.name}: the rows of the whole organisation.`
      : `Read ${table.name}: only rows of the people that the key's creator may see.`,
  ];
  if (span && window)
    sentences.push(`Keep rows with ${span.column} from ${window.firstDay} to ${window.lastDay}, both days included.`);
  for (const { finding, values } of rows) {
    const column = 'column' in finding ? finding.column : finding.columns.join(', ');
    sentences.push(`Keep rows by ${column}: ${values.join(', ')}.`);
  }
  for (const [name, values] of Object.entries(people)) {
    sentences.push(`Keep rows of onboarded people by ${name}: ${(values as readonly unknown[]).join(', ')}.`);
  }
  if (Object.keys(people).length === 0 && table.person !== undefined) {
    sentences.push(
      'Leave out rows of people who are known and not onboarded; rows of nobody known, and of bots, count.',
    );
  }
  if (bucket) sentences.push(`Put them into buckets of a ${bucket.level}, in the organisation's time zone.`);
  if (groupBy.length > 0) sentences.push(`Group them by ${groupBy.map(({ name }) => name).join(', ')}.`);
  sentences.push(
    `Tell of each group: ${plan.measures.map(({ as }) => as).join(', ')}${asked?.fold ? ` (${asked.fold})` : ''}.`,
  );
  for (const { leading, least: most } of least)
    if (most > 0) sentences.push(`Leave out groups with ${leading} below ${most}.`);
  if (form === 'rows') {
    sentences.push(
      `Order by ${order ? `${order.column} ${order.direction}` : 'bucket and groups'}, and give ${limit} rows at most.`,
    );
  }
  return sentences;
}
