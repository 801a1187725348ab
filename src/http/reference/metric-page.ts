import type { CatalogueDocument, MetricEntry } from '../../catalogue/catalogue-document.ts';
import { exampleQuestion } from '../../catalogue/example-question.ts';
import { type Html, type HtmlPart, html } from '../../escaped-html.ts';
import { tableOf } from './markdown.ts';
import { tryForm } from './operation-page.ts';

export const metricPath = (name: string): string => `/docs/metrics/${name}`;

const code = (text: string): Html => html`<code>${text}</code>`;
const codes = (names: readonly string[]): readonly Html[] =>
  names.map((name, i) => html`${i > 0 ? ', ' : ''}${code(name)}`);

/** A metric: what it is, what it is asked with, and a question to try. */
export function metricPage(metric: MetricEntry, catalogue: CatalogueDocument, now: Date): Html {
  const table = catalogue.tables.find(({ name }) => name === metric.group_columns_of);
  const filters = catalogue.filters.filter(({ name }) => metric.filters.includes(name));
  const gate = catalogue.gates.find(({ name }) => name === metric.gate);
  const dateFields = [...new Set(metric.date_fields.map(({ name }) => name))];
  const facts: Readonly<Record<string, HtmlPart>> = {
    Name: code(metric.name),
    Unit: metric.unit ?? 'none: a count, a rate, a score or a text',
    Better: metric.better,
    Table: metric.table && code(metric.table),
    'Columns of the answer': codes(metric.columns),
    Aggregation: metric.needs_aggregation
      ? codes(catalogue.aggregations.map(({ name }) => name))
      : 'built in: none is needed',
    'Date fields, the default first': dateFields.length > 0 ? codes(dateFields) : undefined,
    'Who may ask': gate?.meaning,
  };
  return html`<h1>${metric.label}</h1>
<p class="lead">${metric.meaning}</p>
<dl class="metric-facts">${Object.entries(facts).map(([term, fact]) => fact && html`<dt>${term}</dt><dd>${fact}</dd>`)}</dl>
<h2 id="try">Try it</h2>
${tryForm({ method: 'POST', path: `/metrics/${metric.name}`, body: JSON.stringify(exampleQuestion(metric, now), null, 1) })}
<h2 id="filters">Filters</h2>
${tableOf(
  ['Filter', 'Means', 'Values'],
  filters.map(({ name, meaning, form, one_of, aliases }) => [
    html`${code(name)}${aliases.length > 0 ? html` or ${codes(aliases)}` : ''}`,
    meaning,
    one_of === null ? form : codes(one_of.map(String)),
  ]),
)}
${
  table &&
  html`<h2 id="columns">Columns to group by</h2>
${tableOf(
  ['Column', 'Shown as', 'Type', 'Means'],
  table.group_columns.map(({ name, label, type, meaning }) => [code(name), label, type, meaning]),
)}`
}`;
}
