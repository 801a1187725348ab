import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { filters } from '../../../src/catalogue/filters.ts';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { singleFields } from '../../../src/catalogue/request-fields.ts';
import { type Service, serveBeside } from '../../setup/running-app.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: Readonly<Record<string, Media>> }>
  >;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object; readonly schemas: Readonly<Record<string, unknown>> };
}

const unchanged = unchangedService();
let service: Service;
let document: Document;
let text: string;
beforeAll(async () => {
  service = unchanged();
  const answer = await service.request('GET', '/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  text = answer.text;
  document = answer.json as Document;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

/** The operations on documents of one kind. */
const ofDocuments = (plural: string) => ({
  [`GET /${plural}`]: '200 304 400 401 405 429 500 503 504',
  [`GET /${plural}/{slug}`]: '200 304 400 401 404 405 429 500 503 504',
  [`PUT /${plural}/{slug}`]: '200 201 400 401 403 405 409 412 413 415 428 429 500 503 504',
  [`DELETE /${plural}/{slug}`]: '204 400 401 403 404 405 412 429 500 503 504',
});
/** Their parameters: the name, the format, and the headers with a condition. */
const parametersOf = (plural: string) => ({
  [`GET /${plural}`]: 1,
  [`GET /${plural}/{slug}`]: 2,
  [`PUT /${plural}/{slug}`]: 4,
  [`DELETE /${plural}/{slug}`]: 2,
});
const documentParameters: Readonly<Record<string, number>> = {
  ...parametersOf('boards'),
  ...parametersOf('goals'),
  // Whether the state of each is wanted.
  'GET /goals': 2,
  'GET /goals/{slug}/history': 2,
  ...parametersOf('annotations'),
  ...parametersOf('alerts'),
  'POST /alerts/{slug}/test': 1,
  'GET /alerts/{slug}/deliveries': 1,
  ...parametersOf('digests'),
  // The days of which annotations are listed.
  'GET /annotations': 3,
};

test('The OpenAPI document is OpenAPI 3.1 and describes every operation with every status', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const statuses = Object.fromEntries(
    operations().map(({ name, operation }) => [name, Object.keys(operation.responses).join(' ')]),
  );
  expect(statuses).toEqual({
    ...ofDocuments('boards'),
    ...ofDocuments('goals'),
    'GET /goals/{slug}/history': '200 400 401 404 405 429 500 503 504',
    ...ofDocuments('annotations'),
    ...ofDocuments('alerts'),
    'POST /alerts/{slug}/test': '202 400 401 403 404 405 429 500 503',
    'GET /alerts/{slug}/deliveries': '200 400 401 403 404 405 429 500 503',
    ...ofDocuments('digests'),
    'GET /catalogue': '200 400 401 405 429 500 503',
    'GET /data-quality': '200 400 401 403 405 429 500 503 504',
    'GET /livez': '200 405',
    'GET /metrics/benchmark': '200 304 400 401 403 404 405 414 429 500 503 504',
    'GET /metrics/get-multiple-metrics': '200 304 400 401 403 404 405 414 429 500 503 504',
    'GET /metrics/{metric}': '200 304 400 401 403 404 405 414 429 500 503 504',
    'GET /metrics/{metric}/chart.svg': '200 304 400 401 403 404 405 414 429 500 503 504',
    'GET /metrics/{metric}/explain': '200 304 400 401 403 404 405 414 429 500 503 504',
    'GET /readyz': '200 405 503',
    'GET /teams': '200 400 401 429 500 503 504',
    'GET /users/onboarded-users-by-attributes': '200 400 401 429 500 503 504',
    'POST /ingest/{table}': '200 400 401 403 404 408 413 415 429 500 503 504',
    'POST /metrics/benchmark': '200 400 401 403 404 405 413 415 429 500 503 504',
    'POST /metrics/get-multiple-metrics': '200 400 401 403 404 405 413 415 429 500 503 504',
    'POST /metrics/{metric}': '200 400 401 403 404 405 413 415 429 500 503 504',
    'POST /metrics/{metric}/explain': '200 400 401 403 404 405 413 415 429 500 503 504',
    'POST /posthook/ingest': '200 400 401 408 413 415 429 500 503 504',
    'POST /webhooks/{source}/{id}': '202 400 401 408 413 500 503',
    'POST /users/onboarded-users-by-attributes': '200 400 401 403 404 413 415 429 500 503 504',
    'POST /users/offboarded-users-by-attributes': '200 400 401 403 404 413 415 429 500 503 504',
  });
});

test('The OpenAPI document has the version of the release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(document.info.version).toBe(version);
});

test('Every body that is JSON has a name, and says which of its fields are always there', () => {
  const bodies = operations().flatMap(({ operation }) => [
    // Said of what is still the same: it has no body.
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      status === '304' || status === '204' || content['image/svg+xml'] ? [] : [content['application/json']?.schema],
    ),
    ...(operation.requestBody ? [operation.requestBody.content['application/json']?.schema] : []),
  ]);
  const unnamed = bodies.filter(
    (schema) =>
      schema !== undefined && !/^\{("type":"array",.*"items":|"anyOf":\[)?\{?"\$ref"/.test(JSON.stringify(schema)),
  );
  // Records and payloads of the hook have the shapes of the catalogue.
  expect(unnamed.map((schema) => Object.keys(schema ?? {}))).toEqual([
    ['type', 'description', 'items'],
    ['type', 'required', 'properties'],
  ]);
  const named = Object.entries(document.components.schemas as Record<string, { type: string; required?: string[] }>);
  const answers = named.filter(
    ([name, { type }]) => type === 'object' && !['Row', 'Filters', 'IdentifierLists'].includes(name),
  );
  expect(answers.length).toBeGreaterThan(30);
  expect(answers.filter(([, { required = [] }]) => required.length === 0)).toEqual([]);
});

test('The linter has nothing to say, by its recommended rules', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  const words = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--extends=recommended', '--format=json', file];
  // Nothing leaves this machine: neither the question for a newer version nor what was linted.
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, maxBuffer: 2 ** 26 });
  rmSync(folder, { recursive: true });
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: { message: string }[] };
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
});

test('Every operation is described, has its own name, and an example of every answer', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { name, operation } of operations()) {
    expect([name, operation.description.length > 30]).toEqual([name, true]);
    const isJudged = name === 'POST /metrics/{metric}' || name === 'POST /metrics/get-multiple-metrics';
    const queried = name.startsWith('POST /metrics/') ? (isJudged ? 4 : 3) : 0;
    // A tool that cannot sign sends its token in the address.
    const tokens = name.startsWith('POST /webhooks/') ? 1 : 0;
    const parameters = documentParameters[name] ?? name.split('{').length - 1 + queried + tokens;
    // A question in an address has its whole body there.
    if (!name.startsWith('GET /metrics/'))
      expect([name, operation.parameters?.length ?? 0]).toEqual([name, parameters]);
    for (const [status, response] of Object.entries(operation.responses)) {
      const isPicture = name.endsWith('chart.svg') && (status === '200' || status === '401');
      if (status === '304' || status === '204' || isPicture) continue;
      const media = response.content['application/json'];
      expect([name, status, response.description.length > 5]).toEqual([name, status, true]);
      expect([name, status, Object.values(media?.examples ?? {}).length > 0]).toEqual([name, status, true]);
      if (Number(status) >= 400) expect(media?.schema).toEqual({ $ref: '#/components/schemas/Detail' });
    }
  }
});

test('The key goes alone into the Authorization header, where one is needed', () => {
  expect(document.components.securitySchemes).toMatchObject({
    apiKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
  });
  for (const { name, operation } of operations()) {
    expect([name, operation.security]).toEqual([name, /livez|readyz|webhooks/.test(name) ? [] : [{ apiKey: [] }]]);
  }
});

test('The body that is described is the body that is checked', () => {
  const body = document.paths['/users/onboarded-users-by-attributes']?.post?.requestBody?.content['application/json'];
  expect(body?.schema).toEqual({ $ref: '#/components/schemas/IdentifierLists' });
  expect(document.components.schemas.IdentifierLists).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: {
      email_addresses: { type: ['array', 'null'], maxItems: 10_000, items: { type: 'string', pattern: '\\S' } },
      github_usernames: { type: ['array', 'null'], maxItems: 10_000 },
    },
  });
});

test('Records are described in both of their forms, and the tables by name', () => {
  const operation = document.paths['/ingest/{table}']?.post;
  expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(['application/x-ndjson', 'application/json']);
  expect(operation?.parameters).toMatchObject([
    { in: 'path', name: 'table', schema: { enum: expect.arrayContaining(['people', 'pull_requests', 'incidents']) } },
  ]);
});

test('Metrics are described from the catalogue', () => {
  const operation = document.paths['/metrics/{metric}']?.post;
  expect(operation?.parameters).toMatchObject([
    { in: 'query', name: 'durations', required: false, schema: { enum: ['seconds'] } },
    { in: 'query', name: 'n', required: false, schema: { enum: ['true'] } },
    { in: 'query', name: 'verdict', required: false, schema: { enum: ['true'] } },
    { in: 'query', name: 'format', required: false, schema: { enum: ['json', 'ndjson', 'csv', 'parquet'] } },
    { in: 'path', name: 'metric', schema: { enum: [...metrics.keys(), 'date-details'] } },
  ]);
  for (const { name, meaning } of metrics.values()) {
    expect([name, operation?.description.includes(`- \`${name}\`: ${meaning}`)]).toEqual([name, true]);
  }
  expect(document.components.schemas.Filters).toMatchObject({
    additionalProperties: false,
    properties: { start_date: {}, end_date: {}, ...Object.fromEntries(Object.keys(filters).map((name) => [name, {}])) },
  });
  const body = operation?.requestBody?.content['application/json'];
  expect(body?.schema).toEqual({ $ref: '#/components/schemas/MetricQuestion' });
  expect(document.components.schemas.MetricQuestion).toMatchObject({
    required: ['filters'],
    properties: { filters: { $ref: '#/components/schemas/Filters' } },
  });
  expect(Object.keys(body?.examples ?? {}).length).toBeGreaterThan(3);
});

test('A question in an address is described with every field and filter of the body', () => {
  const parametersOf = (path: string) =>
    (document.paths[path]?.get?.parameters ?? []) as readonly { name: string; in: string; required?: boolean }[];
  for (const path of ['/metrics/{metric}', '/metrics/{metric}/explain', '/metrics/{metric}/chart.svg']) {
    const names = parametersOf(path).map(({ name }) => name);
    // A picture has one form and one format.
    const unsaid = path.endsWith('/chart.svg') ? ['time_series_data', 'format'] : [];
    const fields = Object.keys(singleFields).filter((name) => name !== 'filters' && !unsaid.includes(name));
    expect(names).toEqual(expect.arrayContaining([...fields, 'start_date', 'end_date', ...Object.keys(filters)]));
    const beside = ['format', 'durations', 'n', 'team_ids'].filter((name) => !unsaid.includes(name));
    expect(names).toEqual(expect.arrayContaining(beside));
    expect(names.filter((name) => unsaid.includes(name))).toEqual([]);
    expect(names).not.toContain('filters');
  }
  const required = (path: string) => parametersOf(path).flatMap(({ name, required: is }) => (is ? [name] : []));
  expect(required('/metrics/get-multiple-metrics')).toEqual(['metrics']);
  expect(required('/metrics/benchmark')).toEqual(['benchmark_metric', 'date_field']);
});

test('Values for each metric are described as parameters of their own', () => {
  const parameters = (document.paths['/metrics/get-multiple-metrics']?.get?.parameters ?? []) as readonly {
    readonly name: string;
    readonly schema: {
      readonly propertyNames?: { readonly enum: readonly string[] };
      readonly additionalProperties?: object;
    };
    readonly example?: unknown;
  }[];
  const each = parameters.filter(({ name }) => name.endsWith('.<metric>'));
  expect(each.map(({ name }) => name).sort()).toEqual([
    'aggregation.<metric>',
    'date_field.<metric>',
    'metric_min_value.<metric>',
  ]);
  const aggregation = each.find(({ name }) => name === 'aggregation.<metric>');
  expect(aggregation?.example).toEqual({ 'aggregation.cycle-time': 'AVG' });
  expect(aggregation?.schema.propertyNames?.enum).toEqual([...metrics.keys()].map((name) => `aggregation.${name}`));
  expect(aggregation?.schema.additionalProperties).toMatchObject({ enum: expect.arrayContaining(['AVG', 'p95']) });
  expect(parameters.filter(({ name }) => /^(aggregation|date_field|metric_min_value)s$|per_metric/.test(name))).toEqual(
    [],
  );
});

test('Every question that an operation page sends is answered', async () => {
  const paths = operations().filter(({ name }) => name.startsWith('GET /metrics/'));
  expect(paths).toHaveLength(5);
  for (const { name, operation } of paths) {
    const { text: page } = await service.request('GET', `/docs/operations/${operation.operationId}`);
    const path = /name="path" value="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect([name, page.includes(`curl -s "$PLUMB${path.replaceAll('&', '&amp;')}"`)]).toEqual([name, true]);
    const answer = await service.request('GET', path, { key: service.keys.owner });
    expect([name, path, answer.status]).toEqual([name, expect.stringContaining('start_date=20'), 200]);
  }
});

test('Every example of a question about metrics can be asked', async () => {
  const asked = ['/metrics/{metric}', '/metrics/get-multiple-metrics', '/metrics/benchmark'].flatMap((path) => {
    const examples = document.paths[path]?.post?.requestBody?.content['application/json']?.examples ?? {};
    return Object.entries(examples).map(([name, { value }]) => ({ path, name, value }));
  });
  expect(asked.length).toBeGreaterThan(6);
  for (const { path, name, value } of asked) {
    const metric = 'aggregation' in (value as object) ? 'cycle-time' : 'pull-requests-count';
    const at = path.replace('{metric}', metric);
    const answer = await service.request('POST', at, { key: service.keys.owner, body: value });
    expect([name, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([name, 200, '']);
  }
});

test('The answer of a benchmark tells of values of filters that match nothing', () => {
  const schema = document.paths['/metrics/benchmark']?.post?.responses['200']?.content['application/json']?.schema;
  expect(schema).toEqual({ $ref: '#/components/schemas/Benchmark' });
  expect(document.components.schemas.BenchmarkMeta).toMatchObject({
    properties: { unmatched_filters: { type: 'object' } },
  });
});

test('Answers about metrics come in every format, with the headers that tell about them', () => {
  for (const path of ['/metrics/{metric}', '/metrics/get-multiple-metrics']) {
    const answer = document.paths[path]?.post?.responses['200'];
    expect(Object.keys(answer?.content ?? {})).toEqual([
      'application/json',
      'application/x-ndjson',
      'text/csv',
      'application/vnd.apache.parquet',
    ]);
    const { headers } = answer as unknown as { headers: object };
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-Cache', 'Age', 'X-Truncated', 'X-Total-Rows', 'X-RateLimit-Limit']),
    );
  }
});

test('Every reference leads somewhere', () => {
  const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference]) => reference ?? '');
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const target = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
    expect([reference, typeof target]).toEqual([reference, 'object']);
  }
});

test('Real answers have exactly the fields that are described', async () => {
  const key = service.keys.owner;
  const listed = await service.request('GET', '/users/onboarded-users-by-attributes', { key });
  const { OnboardedUsers: all, OnboardedUser: one } = document.components.schemas as Record<
    string,
    { required: object }
  >;
  expect(Object.keys(listed.json as object)).toEqual(all?.required);
  const [first] = (listed.json as { users: object[] }).users;
  expect(Object.keys(first ?? {})).toEqual(one?.required);
});

test('The same server and another one give the same bytes', async () => {
  expect((await service.request('GET', '/openapi.json')).text).toBe(text);
  const other = await serveBeside(service, {});
  expect((await other.request('GET', '/openapi.json')).text).toBe(text);
  await other.close();
});

test('A session of the coding-agent hook is described with every way of naming its engineer', () => {
  const { requestBody, description } = document.paths['/posthook/ingest']?.post ?? {};
  expect(requestBody?.content['application/json']?.schema).toMatchObject({
    properties: {
      tables: {
        properties: {
          sessions: {
            items: {
              properties: {
                engineer_email: { type: ['string', 'null'] },
                person_email: { type: ['string', 'null'], description: 'The same as engineer_email.' },
                person_login: { type: ['string', 'null'] },
              },
            },
          },
        },
      },
    },
  });
  expect(description).toContain('an address or a login of the person');
});
