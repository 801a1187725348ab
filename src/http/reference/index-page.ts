import type { CatalogueDocument, MetricEntry } from '../../catalogue/catalogue-document.ts';
import { exampleQuestion } from '../../catalogue/example-question.ts';
import { metricWords } from '../../catalogue/synonyms.ts';
import { type Html, html } from '../../escaped-html.ts';
import { answerFormats } from '../../formats/answer-formats.ts';
import { alternatives } from '../../nearest.ts';
import { type Guide, guidePath, isListed } from './guides.ts';
import { metricPath } from './metric-page.ts';
import { type DescribedOperation, operationPath } from './openapi-document.ts';
import { queryText } from './sample-questions.ts';

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

/** The text with which a language model can ask: the way, an example, and where to read on (llmstxt.org). */
export function llmsText({ metrics }: CatalogueDocument, guides: Iterable<Guide>, now: Date): string {
  const cycleTime = metrics.find(({ name }) => name === 'cycle-time');
  const { filters = {}, ...fields } = cycleTime ? exampleQuestion(cycleTime, now) : {};
  const body = { filters, ...fields, group_by: ['team_name'] };
  const query = queryText(Object.entries({ ...filters, ...fields, group_by: ['team_name'], format: 'csv' }));
  const domains = [...new Set(metrics.map(({ domain }) => domain))];
  return `# Plumb

> Engineering metrics of one organisation through one query grammar: pull requests, reviews, cycle time, DORA, issues, CI, AI usage, people and surveys.

Ask with \`POST /metrics/{metric}\` and the API key alone in the header \`Authorization\`. Only \`filters\` has to be in the body, with \`start_date\` in it. Durations are seconds, rates are fractions. Errors are \`{"detail": "…"}\` and name the fix.

\`\`\`
POST /metrics/cycle-time
${JSON.stringify(body)}
\`\`\`

The same question can stand in an address: each field and each filter is a parameter, lists have commas, and \`format\` is ${alternatives(answerFormats.map((format) => `\`${format}\``))}. \`/explain\` behind the path tells how the number comes about, \`/chart.svg\` draws it.

\`\`\`
GET /metrics/cycle-time?${query}
\`\`\`

Agents can ask by the Model Context Protocol at \`POST /mcp\` (streamable HTTP, stateless), with the same key in \`Authorization\`, alone or after \`Bearer\`. Its tools find and describe metrics, query and explain them, and list teams, people, repositories and records.

- [OpenAPI 3.1](/openapi.json): every operation with its schemas
- \`GET /catalogue\` (with a key): every table, column, metric and filter as data

## Guides

${[...guides]
  .filter(isListed)
  .map(({ name, title }) => `- [${title}](${guidePath(name)}.md)`)
  .join('\n')}

${domains
  .map((domain) => {
    const some = metrics.filter((metric) => metric.domain === domain);
    const lines = some.map(({ name, meaning }) => `- [${name}](${metricPath(name)}): ${meaning}`);
    return `## Metrics: ${domain}\n\n${lines.join('\n')}`;
  })
  .join('\n\n')}
`;
}
