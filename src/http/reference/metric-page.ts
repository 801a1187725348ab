import type { CatalogueDocument, MetricEntry } from '../../catalogue/catalogue-document.ts';
import { exampleQuestion } from '../../catalogue/example-question.ts';
import { type Html, html, joined } from '../page.ts';
import { tableOf } from './markdown.ts';
import { tryForm } from './try-form.ts';

export const metricPath = (name: string): string => `/docs/metrics/${name}`;

const code = (text: string): Html => html`<code>${text}</code>`;
const codes = (names: readonly string[]): Html =>
  joined(names.map((name, i) => (i === 0 ? code(name) : html`, ${code(name)}`)));

/** A metric: what it is, what it is asked with, and a question to try. */
export function metricPage(metric: MetricEntry, catalogue: CatalogueDocument, now: Date): Html {
  const table = catalogue.tables.find(({ name }) => name === metric.group_columns_of);
  const filters = catalogue.filters.filter(({ name }) => metric.filters.includes(name));
  const gate = catalogue.gates.find(({ name }) => name === metric.gate);
  const facts: readonly (readonly [string, Html])[] = [
    ['Name', code(metric.name)],
    ['Unit', html`${metric.unit ?? 'none: a count, a rate, a score or a text'}`],
    ...(metric.better ? ([['Better', html`${metric.better}`]] as const) : []),
    ...(metric.table ? ([['Table', code(metric.table)]] as const) : []),
    ['Columns of the answer', codes(metric.columns)],
    [
      'Aggregation',
      metric.needs_aggregation ? codes(catalogue.aggregations.map(({ name }) => name)) : html`built in: none is needed`,
    ],
    ...(metric.date_fields.length > 0
      ? ([['Date fields, the default first', codes([...new Set(metric.date_fields.map(({ name }) => name))])]] as const)
      : []),
    ...(gate ? ([['Who may ask', html`${gate.meaning}`]] as const) : []),
  ];
  return html`<h1>${metric.title}</h1>
<p class="lead">${metric.meaning}</p>
<dl class="metric-facts">${joined(facts.map(([term, fact]) => html`<dt>${term}</dt><dd>${fact}</dd>`))}</dl>
<h2 id="try">Try it</h2>
${tryForm({ method: 'POST', path: `/metrics/${metric.name}`, body: JSON.stringify(exampleQuestion(metric, now), null, 1) })}
<h2 id="filters">Filters</h2>
${tableOf(
  [html`Filter`, html`Means`, html`Values`],
  filters.map(({ name, meaning, form, one_of, aliases }) => [
    html`${code(name)}${aliases.length > 0 ? html` or ${codes(aliases)}` : html``}`,
    html`${meaning}`,
    one_of === null ? html`${form}` : codes(one_of.map(String)),
  ]),
)}
${
  table === undefined
    ? html``
    : html`<h2 id="columns">Columns to group by</h2>
${tableOf(
  [html`Column`, html`Type`, html`Means`],
  table.group_columns.map(({ name, type, meaning }) => [code(name), html`${type}`, html`${meaning}`]),
)}`
}`;
}
