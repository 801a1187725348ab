import type { CatalogueDocument, MetricEntry } from '../../catalogue/catalogue-document.ts';
import { metricWords } from '../../catalogue/synonyms.ts';
import { type Html, html } from '../pages/html-page.ts';
import { type Guide, guidePath, isListed } from './guides.ts';
import { metricPath } from './metric-page.ts';
import { type DescribedOperation, operationPath } from './openapi-document.ts';

/** The list of all pages of the reference, with a field to find a metric. */
export function indexPage(
  { metrics }: CatalogueDocument,
  operations: readonly DescribedOperation[],
  guides: Iterable<Guide>,
): Html {
  const domains = [...new Set(metrics.map(({ domain }) => domain))];
  return html`<h1>Reference</h1>
<p class="lead">Every number comes from one grammar: a metric, a window of time, filters, columns to group by and an aggregation. Each metric below has a page with its definition and a question to try. <a href="${guidePath('asking')}">Asking</a> explains the grammar.</p>
<label class="field search"><span>Find a metric by name, meaning, unit or column</span><input class="input" type="search" id="search" autocomplete="off" placeholder="cycle time, dora, lines …"></label>
<p class="secondary" id="found" role="status"></p>
${domains.map((domain) => {
  const some = metrics.filter((metric) => metric.domain === domain);
  return html`<section class="domain"><h2>${domain}</h2><ul class="entries">${some.map(metricItem)}</ul></section>\n`;
})}
<h2 id="operations">Operations</h2>
<ul class="entries">${operations.map(operationItem)}</ul>
<h2 id="guides">Guides</h2>
<ul class="entries">${[...guides].filter(isListed).map(({ name, title }) => html`<li><a href="${guidePath(name)}">${title}</a></li>`)}</ul>
<p>For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>, and <code>GET /catalogue</code> with a key.</p>`;
}

/** The words by which the metric is found besides those that are shown. */
function wordsOf({ name, columns, table }: MetricEntry): string {
  const synonyms = Object.entries(metricWords).flatMap(([word, names]) => (names.includes(name) ? [word] : []));
  return [name.replaceAll('-', ' '), ...synonyms, ...columns, table ?? ''].join(' ');
}

const metricItem = (metric: MetricEntry): Html =>
  html`<li data-words="${wordsOf(metric)}"><a href="${metricPath(metric.name)}">${metric.label}</a> <code>${metric.name}</code>${metric.unit && html` <span class="secondary">${metric.unit}</span>`}<p>${metric.meaning}</p></li>\n`;

const operationItem = (operation: DescribedOperation): Html =>
  html`<li><a href="${operationPath(operation)}">${operation.summary}</a> <code>${operation.method} ${operation.path}</code></li>\n`;
