import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogueDocument } from '../../src/catalogue/catalogue-document.ts';
import { exampleQuestion } from '../../src/catalogue/example-question.ts';
import { calendar } from '../../src/query/date-details.ts';
import { copyDemo } from '../setup/demo-folder.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { hostedOn } from './hosted-repository.ts';
import { pages, readPage, root } from './page-blocks.ts';
import { ShellSession } from './shell-session.ts';
import { problemsOf, triedElsewhere } from './tried-page.ts';

/** Pages that begin where `npm start` ends: with the demo. They say so. */
const onTheDemo = ['README.md', 'docs/agents.md', 'docs/asking.md', 'docs/client.md'];

const folder = mkdtempSync(join(tmpdir(), 'plumb-documented-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder for the commands of a page, in which the package is installed, and where GitHub has a repository. */
function folderFor(name: string): string {
  const work = join(folder, name);
  mkdirSync(join(work, 'node_modules/@plumb-metrics'), { recursive: true });
  symlinkSync(root, join(work, 'node_modules/@plumb-metrics/plumb'));
  return work;
}

test('What is tried elsewhere is on a page', () => {
  const all = pages.map(readPage).join('\n');
  expect(Object.keys(triedElsewhere).filter((words) => !all.includes(words))).toEqual([]);
});

describe('without any data', () => {
  const others = pages.filter((page) => !onTheDemo.includes(page));

  test.each(others)(
    '%s is true',
    async (page) => {
      const work = folderFor(page.replaceAll('/', '-'));
      const session = ShellSession.in(work, undefined, hostedOn(join(folder, 'hosted')));
      try {
        expect(await problemsOf(page, session, undefined)).toEqual([]);
      } finally {
        await session.close();
        rmSync(work, { recursive: true, force: true });
      }
    },
    180_000,
  );
});

describe('on the demo', () => {
  let server: ServingPlumb;
  let key: string;
  let work: string;
  beforeAll(async () => {
    work = folderFor('demo');
    ({ key } = await copyDemo(join(work, 'data')));
    server = await servePlumb(join(work, 'data'), { PLUMB_RATE_LIMIT: '0' });
    // The first test of a run that wants the demo waits for all of it.
  });
  afterAll(() => server?.stop());

  test.each(onTheDemo)('%s is true', async (page) => {
    expect(readPage(page)).toContain('`npm start`');
    const session = ShellSession.in(work, server.url);
    try {
      expect(await problemsOf(page, session, key)).toEqual([]);
    } finally {
      await session.close();
    }
  });

  const ask = async (path: string, body: unknown) => {
    const headers = { Authorization: key, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, json: (await answer.json()) as unknown };
  };

  test('The example of every metric finds something', async () => {
    const empty: string[] = [];
    for (const metric of catalogueDocument(calendar).metrics) {
      // Asked how many rows have the value: a median may well be 0 seconds. Periods come from the calendar, and have none.
      const counted = metric.kind !== 'calendar';
      const question = `/metrics/${metric.name}${counted ? '?n=true' : ''}`;
      const { status, json } = await ask(question, exampleQuestion(metric, new Date()));
      const rows = status === 200 ? (json as { readonly n?: number }[]) : [];
      if (!rows.some(({ n = 0 }) => !counted || n > 0)) empty.push(`${metric.name}: ${status}`);
    }
    // The demo shows salaries to nobody.
    expect(empty).toEqual(['salary: 403']);
  });

  test('The examples of questions in the OpenAPI document find something', async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<
        string,
        { post: { requestBody: { content: Record<string, { examples: Record<string, { value: object }> }> } } }
      >;
    };
    const found: boolean[] = [];
    for (const path of ['/metrics/{metric}', '/metrics/get-multiple-metrics', '/metrics/benchmark']) {
      const examples = paths[path]?.post.requestBody.content['application/json']?.examples ?? {};
      for (const [name, { value }] of Object.entries(examples)) {
        const metric = 'aggregation' in value ? 'cycle-time' : 'pull-requests-count';
        const { status, json } = await ask(path.replace('{metric}', metric), value);
        const { results, series } = json as { results?: object[]; series?: object[] };
        expect([name, status, (results ?? series ?? (json as object[])).length > 0]).toEqual([name, 200, true]);
        found.push(true);
      }
    }
    expect(found.length).toBeGreaterThan(6);
  });

  test('The pages of questions in an address send one that finds something', async () => {
    for (const operation of [
      'askMetricByAddress',
      'explainMetricByAddress',
      'askMultipleMetricsByAddress',
      'benchmarkMetricByAddress',
      'drawMetric',
    ]) {
      const page = await (await fetch(`${server.url}/docs/operations/${operation}`)).text();
      const path = /name="path" value="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: key } });
      // Of an answer without a value.
      expect([operation, answer.status, answer.headers.get('x-nearest-rows')]).toEqual([operation, 200, null]);
      const text = await answer.text();
      expect([operation, /no values|"rows_read":0|^\[\]|"results":\[\]/.exec(text)]).toEqual([operation, null]);
    }
  });
});
