import type { ScopedTable } from '../access/scope.ts';
import type { TimeZone } from '../calendar.ts';
import { hasPerson } from '../catalogue/group-columns.ts';
import type { Plan, Span } from './plan.ts';
import type { MetricRequest } from './request.ts';
import { isWholeDays, type Window } from './window.ts';

/** What is read and how, in sentences. */
export function describePlan({ window, zone, metrics, order, limit, form }: MetricRequest, plan: Plan): string[] {
  const { from, span, bucket, groupBy, rows, people, minimumValues } = plan;
  const { table, visibility } = from;
  const [asked] = metrics;
  const sentences = [
    visibility === 'organisation'
      ? `Read ${table.name}: the rows of the whole organisation.`
      : `Read ${table.name}: only rows of the people that the key's creator may see.`,
  ];
  if (span && window) sentences.push(`Keep rows with ${span.column} ${describeWindow(window, span, zone)}.`);
  for (const { predicate, values } of rows) {
    const column = 'column' in predicate ? predicate.column : predicate.columns.join(', ');
    sentences.push(`Keep rows by ${column}: ${values.join(', ')}.`);
  }
  for (const [name, values] of Object.entries(people)) {
    sentences.push(`Keep rows of onboarded people by ${name}: ${(values as readonly unknown[]).join(', ')}.`);
  }
  if (Object.keys(people).length === 0) sentences.push(...whoCounts(from));
  if (from.areAnswersAnonymous && table.anonymous) {
    sentences.push(
      'Answers are anonymous: all of a survey carry the day on which its middle answer was submitted.',
      'Keep whole reporting groups of a survey only. Leave out groups of which a part is seen and chosen, and answers that are in none.',
    );
  }
  if (bucket) sentences.push(`Put them into buckets of a ${bucket.level}, in the organisation's time zone.`);
  if (groupBy.length > 0) sentences.push(`Group them by ${groupBy.map(({ name }) => name).join(', ')}.`);
  sentences.push(
    `Tell of each group: ${plan.measures.map(({ as }) => as).join(', ')}${asked?.aggregation ? ` (${asked.aggregation})` : ''}.`,
  );
  for (const { leading, minimum } of minimumValues)
    if (minimum > 0) sentences.push(`Leave out groups with ${leading} below ${minimum}.`);
  if (form === 'rows') {
    sentences.push(
      `Order by ${order ? `${order.column} ${order.direction}` : 'bucket and groups'}, and give ${limit} rows at most.`,
    );
  }
  return sentences;
}

function describeWindow(window: Window, { type }: Span, zone: TimeZone): string {
  const { firstDay, lastDay, from, until } = window;
  if (type === 'date' || isWholeDays(window, zone)) return `from ${firstDay} to ${lastDay}, both days included`;
  const instant = (seconds: number) => new Date(seconds * 1_000).toISOString();
  return `from ${instant(from)} on and before ${instant(until)}`;
}

function whoCounts({ table, visibility }: ScopedTable): string[] {
  if (table.countsForRepository) return ['They count whether or not the person who started them is onboarded.'];
  if (table.isPeople) return ['Only people who are onboarded count.'];
  if (!hasPerson(table)) return [];
  return visibility === 'organisation'
    ? [
        'Leave out rows of people who are known and not onboarded; rows of people who are not in the directory, and of bots, count where they have a value.',
      ]
    : ['Leave out rows of people who are not onboarded.'];
}
