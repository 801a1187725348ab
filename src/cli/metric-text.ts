import type { MetricEntry } from '../catalogue/catalogue-document.ts';
import { groupColumnsOf } from '../catalogue/group-columns.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { metricsCalled } from '../catalogue/synonyms.ts';
import { aggregations } from '../expression/expression.ts';
import { alternatives, didYouMean } from '../nearest.ts';
import { catalogue } from '../query/date-details.ts';
import { Refusal } from '../refusal.ts';
import { cutToWidth } from './display-width.ts';

/** All metrics, the one of that name, or those that a word leads to. */
export function metricsAbout(word: string | undefined): readonly MetricEntry[] {
  const { metrics: all } = catalogue();
  const wanted = word?.trim().toLowerCase().replaceAll('_', '-') ?? '';
  const named = all.filter(({ name }) => name === wanted);
  if (wanted === '' || named.length > 0) return named.length > 0 ? named : all;
  const known = metricsCalled(wanted);
  const phrase = wanted.replaceAll('-', ' ');
  const found = all.filter(
    ({ name, title, domain, meaning }) =>
      known.includes(name) ||
      name.includes(wanted) ||
      [title, domain, meaning].some((text) => text.toLowerCase().includes(phrase)),
  );
  if (found.length > 0) return found;
  // The words of their names as well: of cycle-time also cycle.
  const words = all.flatMap(({ name }) => [name, ...name.split('-')]);
  const hint = didYouMean(wanted, new Set(words));
  throw new Refusal('not-found', `No metric is about '${word}'.${hint} \`plumb metrics\` lists all of them.`);
}

/** A line for each metric, under its domain: its name and the beginning of its definition. */
export function metricsList(found: readonly MetricEntry[], width: number): string {
  const nameWidth = Math.max(...found.map(({ name }) => name.length));
  const domains = [...new Set(found.map(({ domain }) => domain))];
  return domains
    .map((domain) => {
      const lines = found
        .filter((metric) => metric.domain === domain)
        .map(({ name, meaning }) => cutToWidth(`  ${name.padEnd(nameWidth)}  ${meaning}`, width));
      return [domain, ...lines].join('\n');
    })
    .join('\n\n');
}

/** Everything that a person needs to know to ask one metric. */
export function metricText(metric: MetricEntry): string {
  const { name, title, domain, meaning, unit, better, columns, date_fields, filters, gate, table } = metric;
  const facts: readonly (readonly [string, string])[] = [
    ['Domain', domain],
    ['Unit', unit ?? ''],
    ['Better', better ?? ''],
    ['Columns', columns.join(', ')],
    ['Aggregation', metric.needs_aggregation ? alternatives(aggregations) : ''],
    ['Dates', [...new Set(date_fields.map(({ column }) => column))].join(', ')],
    ['Filters', filters.join(', ')],
    ['Groups', groupNames(name).join(', ')],
    ['Gate', gate ?? ''],
    ['Table', table ?? ''],
  ];
  return [
    `${title} (${name})`,
    meaning,
    '',
    ...facts.flatMap(([label, text]) => (text === '' ? [] : [`  ${label.padEnd(11)}  ${text}`])),
    '',
    `  ${exampleOf(metric)}`,
  ].join('\n');
}

function groupNames(name: string): string[] {
  const table = metrics.get(name)?.table;
  return table ? [...groupColumnsOf(table).keys()] : [];
}

function exampleOf({ name, date_fields }: MetricEntry): string {
  const window = date_fields.length > 0 ? ' --since 90d' : '';
  const by = groupNames(name).includes('team_name') ? ' --by team' : '';
  return `plumb query ${name} --org ORGANISATION --as EMAIL${window}${by}`;
}
