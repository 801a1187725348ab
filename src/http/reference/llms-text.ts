import type { CatalogueDocument } from '../../catalogue/catalogue-document.ts';
import { exampleQuestion } from '../../catalogue/example-question.ts';
import { answerFormats } from '../../formats/answer-formats.ts';
import { alternatives } from '../../nearest.ts';
import { type Guide, guidePath, isListed } from './guides.ts';
import { metricPath } from './metric-page.ts';
import { queryText } from './sample-questions.ts';

/** The text with which a language model can ask: the way, an example, and where to read on (llmstxt.org). */
export function llmsText({ metrics }: CatalogueDocument, guides: Iterable<Guide>, now: Date): string {
  const cycleTime = metrics.find(({ name }) => name === 'cycle-time');
  const { filters = {}, ...fields } = cycleTime ? exampleQuestion(cycleTime, now) : {};
  const body = { filters, ...fields, group_by: ['team_name'] };
  const query = queryText(Object.entries({ ...filters, ...fields, group_by: ['team_name'], format: 'csv' }));
  const domains = [...new Set(metrics.map(({ domain }) => domain))];
  return `# Plumb

> Engineering metrics of one organisation through one query grammar: pull requests, reviews, cycle time, DORA, issues, CI, AI usage, people and surveys.

Ask with \`POST /metrics/{metric}\` and the API key alone in the header \`Authorization\`. Only \`filters\` has to be in the body; \`start_date\` stands in it. Durations are seconds, rates are fractions. Errors are \`{"detail": "…"}\` and name the fix.

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
