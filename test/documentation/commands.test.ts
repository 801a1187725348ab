import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogueDocument } from '../../src/catalogue/catalogue-document.ts';
import { exampleBody } from '../../src/http/reference/metric-page.ts';
import { calendar } from '../../src/query/described-calendar.ts';
import { copyDemo } from '../setup/demo-folder.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Command {
  readonly page: string;
  readonly words: string;
  /** What the page says that it prints; undefined where it does not. */
  readonly answer: string | undefined;
}

/** The commands of a page: those behind a `$` with what they print, and blocks of shell that ask a server. */
function commandsOf(page: string): Command[] {
  const blocks = [...read(page).matchAll(/^```(\w*)\n(.*?)^```/gms)];
  return blocks.flatMap(([, language, block = '']) => {
    if (language === 'sh') return block.startsWith('curl ') ? [{ page, words: block, answer: undefined }] : [];
    if (!block.startsWith('$ ')) return [];
    const lines = block.slice(2).trimEnd().split('\n');
    // A command goes on where a line ends with a backslash or within quotes.
    const isOpen = (words: string) => words.endsWith('\\') || words.split("'").length % 2 === 0;
    const last = lines.findIndex((_, i) => !isOpen(lines.slice(0, i + 1).join('\n')));
    const answer = lines.slice(last + 1).join('\n');
    return [{ page, words: lines.slice(0, last + 1).join('\n'), answer: answer === '' ? undefined : answer }];
  });
}

const commands = ['README.md', 'docs/asking.md'].flatMap(commandsOf);

describe('on the demo', () => {
  let folder: string;
  let server: ServingPlumb;
  let key: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumb-documented-'));
    ({ key } = await copyDemo(folder));
    server = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0' });
    // The first test of a run that wants the demo waits for all of it.
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('there are commands to try, in the README in four ways', () => {
    expect(commands.length).toBeGreaterThan(12);
    expect(commands.filter(({ page }) => page === 'README.md')).toHaveLength(4);
    expect(commands.filter(({ answer }) => answer !== undefined)).toHaveLength(3);
  });

  test.each(commands)('$page: $words', async ({ words, answer }) => {
    const script = words
      .replaceAll('http://127.0.0.1:4400', '$PLUMB')
      .replaceAll('curl -s ', 'curl -sS --fail-with-body ')
      .replaceAll('npx plumb ', `PLUMB_DATA=${folder} ${process.execPath} bin/plumb.cjs `);
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: root,
      env: { PATH: process.env.PATH, PLUMB: server.url, KEY: key },
      maxBuffer: 2 ** 27,
    });
    expect(stdout.length).toBeGreaterThan(10);
    if (answer !== undefined) expect(stdout.trim().replaceAll('\r', '')).toBe(answer.trim());
  });

  const ask = async (path: string, body: unknown) => {
    const headers = { Authorization: key, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, json: (await answer.json()) as unknown };
  };

  test('the example of every metric finds something', async () => {
    const empty: string[] = [];
    for (const metric of catalogueDocument(calendar).metrics) {
      const { status, json } = await ask(`/metrics/${metric.name}`, exampleBody(metric, new Date()));
      const values = status === 200 ? (json as object[]).flatMap((row) => Object.values(row).slice(1)) : [];
      if (values.every((value) => value === null || value === 0)) empty.push(`${metric.name}: ${status}`);
    }
    // The demo shows salaries to nobody.
    expect(empty).toEqual(['salary: 403']);
  }, 120_000);

  test('the examples of questions in the OpenAPI document find something', async () => {
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
});
