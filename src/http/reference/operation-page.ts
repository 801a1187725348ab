import { type Html, html } from '../../escaped-html.ts';
import { markdown, tableOf } from './markdown.ts';
import type { DescribedContent, DescribedOperation, DescribedSchema, OpenApiDocument } from './openapi-document.ts';
import { queryText } from './sample-questions.ts';

/** The beginning of the list of all metrics, which have pages of their own. */
const listed = /\n\n(?=\*\*)/;

type DocumentSchemas = OpenApiDocument['components']['schemas'];

/** An operation: what it takes, what it answers, and a request to try. */
export function operationPage(operation: DescribedOperation, schemas: DocumentSchemas): Html {
  const { method, path, summary, description, parameters = [], requestBody, responses } = operation;
  const [contentType = '', body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const answers = Object.entries(responses).map(([status, { description: words, content = {} }]) => ({
    status,
    words,
    content: content['application/json'],
  }));
  const used = reached([body?.schema, ...answers.map(({ content }) => content?.schema)], schemas);
  return html`<h1>${summary}</h1>
<p class="lead"><code>${method} ${path}</code></p>
${markdown(description.split(listed)[0] ?? '')}
${listed.test(description) ? html`<p>Each metric has <a href="/docs">a page of its own</a>.</p>` : ''}
<h2 id="try">Try it</h2>
${tryForm({
  method,
  path: `${path.replace('{metric}', 'pull-requests-count').replace('{table}', 'people')}${exampleQuery(parameters)}`,
  ...(requestBody && { body: exampleOf(body), contentType }),
})}
${parameters.length > 0 ? html`<h2 id="parameters">Parameters</h2>${parametersTable(parameters)}` : ''}
<h2 id="answers">Answers</h2>
${answers.map(
  ({ status, words, content }) =>
    html`<h3>${status}</h3><p>${words}${content?.schema && html` ${typeOf(content.schema)}`}</p>
<pre tabindex="0"><code>${exampleOf(content)}</code></pre>\n`,
)}
<h2 id="schemas">Schemas</h2>
${[...used].map(([name, schema]) => schemaSection(name, schema))}`;
}

const parametersTable = (parameters: NonNullable<DescribedOperation['parameters']>): Html =>
  tableOf(
    ['Name', 'In', 'Type', 'Means'],
    parameters.map(({ name, in: place, description, schema = {} }) => [
      html`<code>${name}</code>`,
      place,
      typeOf(schema),
      description,
    ]),
  );

function exampleOf(content: DescribedContent | undefined): string {
  const [named] = Object.values(content?.examples ?? {});
  const value = named?.value ?? content?.example;
  return typeof value === 'string' ? value : JSON.stringify(value ?? {}, null, 1);
}

/** The examples of parameters as the query of an address: of an object each field by its own name. */
function exampleQuery(parameters: NonNullable<DescribedOperation['parameters']>): string {
  const values = parameters.flatMap(({ name, example }): [string, unknown][] => {
    if (example === undefined) return [];
    return typeof example === 'object' && !Array.isArray(example) ? Object.entries(example ?? {}) : [[name, example]];
  });
  return values.length === 0 ? '' : `?${queryText(values)}`;
}

const nameOf = (reference: string): string => reference.replace('#/components/schemas/', '');

/** The schemas that some refer to, also by others. */
function reached(from: readonly unknown[], schemas: DocumentSchemas): ReadonlyMap<string, DescribedSchema> {
  const found = new Map<string, DescribedSchema>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as DescribedSchema;
    if ($ref !== undefined && !found.has(nameOf($ref))) {
      const schema = schemas[nameOf($ref)] ?? {};
      found.set(nameOf($ref), schema);
      look(schema);
    }
    Object.values(value).forEach(look);
  };
  from.forEach(look);
  return found;
}

function typeOf({ $ref, type, items, anyOf, enum: values }: DescribedSchema): Html {
  if ($ref !== undefined) return html`<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (anyOf) return html`${anyOf.map((one, i) => [i > 0 ? ' or ' : '', typeOf(one)])}`;
  if (items && [type].flat().includes('array')) return html`list of ${typeOf(items)}`;
  if (values && values.length <= 8) return html`${values.map(String).join(', ')}`;
  return html`${[type ?? 'anything'].flat().join(' or ')}`;
}

function schemaSection(name: string, { description, properties = {}, required = [], items }: DescribedSchema): Html {
  const fields = Object.entries(properties).map(([field, schema]) => [
    html`<code>${field}</code>`,
    typeOf(schema),
    required.includes(field) ? 'yes' : 'no',
    schema.description,
  ]);
  return html`<h3 id="schema-${name}">${name}</h3>
${description && html`<p>${description}</p>`}
${items && html`<p>List of ${typeOf(items)}.</p>`}
${fields.length > 0 ? tableOf(['Field', 'Type', 'Always there', 'Means'], fields) : ''}`;
}

/** A request that can be sent from the page. */
interface TriedRequest {
  readonly method: string;
  readonly path: string;
  /** JSON text; absent for requests without a body. */
  readonly body?: string;
  readonly contentType?: string;
}

/** The request as a command to paste, and a form that sends it. */
export function tryForm({ method, path, body, contentType = 'application/json' }: TriedRequest): Html {
  const sent =
    body === undefined ? '' : ` \\\n  -H 'Content-Type: ${contentType}' -d '${body.replaceAll("'", "'\\''")}'`;
  const verb = method === 'GET' || method === 'POST' ? '' : ` -X ${method}`;
  const lines = (body ?? '').split('\n').length;
  return html`<pre tabindex="0"><code>curl -s${verb} "$PLUMB${path}" -H "Authorization: $KEY"${sent}</code></pre>
<form class="try" data-method="${method}" data-type="${contentType}">
<label class="field"><span>Path</span><input class="input" name="path" value="${path}" spellcheck="false"></label>
${body && html`<label class="field"><span>Body</span><textarea class="input" name="body" rows="${String(Math.min(16, lines + 1))}" spellcheck="false">${body}</textarea></label>`}
<label class="field"><span>API key. Leave it empty where you are signed in. It stays in this tab.</span><input class="input" name="key" type="password" autocomplete="off"></label>
<p><button class="button primary" type="submit">Send</button> <span class="secondary" role="status"></span></p>
<pre class="answer" tabindex="0" aria-label="Answer" hidden></pre>
</form>`;
}
