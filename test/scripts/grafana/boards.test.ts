import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { boardFiles } from '../../../scripts/grafana/files.ts';
import { copyDemo } from '../../setup/demo-folder.ts';
import { type ServingPlumb, servePlumb } from '../../setup/plumb-process.ts';

const grafana = join(import.meta.dirname, '..', '..', '..', 'grafana');
const read = (path: string) => readFileSync(join(grafana, path), 'utf8');

interface InfinityQuery {
  readonly type: string;
  readonly format: string;
  readonly url: string;
  readonly url_options: { readonly method: string; readonly data: string; readonly body_content_type?: string };
  readonly columns: readonly { readonly selector: string; readonly type: string }[];
}
interface Board {
  readonly uid: string;
  readonly panels: readonly { readonly id: number; readonly title: string; readonly targets: [InfinityQuery] }[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly current: { readonly value: string };
      readonly query: { readonly infinityQuery: InfinityQuery };
    }[];
  };
}
const boards = [...boardFiles().keys()].map((path) => ({ path, board: JSON.parse(read(path)) as Board }));

test('Boards are what the catalogue makes of them (npm run docs)', () => {
  expect(boards.map(({ path }) => path)).toEqual(
    ['delivery', 'cycle-time', 'reviews', 'ci', 'ai'].map((name) => `dashboards/${name}.json`),
  );
  for (const [path, text] of boardFiles()) expect(read(path)).toBe(text);
});

test('Boards find the provisioned data source', () => {
  const { datasources } = parse(read('provisioning/datasources/plumb.yaml'));
  expect(datasources).toMatchObject([{ uid: 'plumb', type: 'yesoreyeram-infinity-datasource', url: '$METRICS_URL' }]);
  expect(datasources[0].jsonData).toMatchObject({ auth_method: 'apiKey', apiKeyKey: 'Authorization' });
  for (const { board } of boards) expect(board.templating.list[0]?.current.value).toBe('plumb');
  expect(parse(read('provisioning/dashboards/plumb.yaml')).providers).toHaveLength(1);
});

describe('on the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-grafana-'));
  let server: ServingPlumb;
  let key: string;
  beforeAll(async () => {
    ({ key } = await copyDemo(join(folder, 'data')));
    server = await servePlumb(join(folder, 'data'));
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const today = new Date();
  const ago = (days: number) => new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);

  /** What the data source does: fills variables in, asks, and takes the columns out of the rows. */
  async function answered(query: InfinityQuery, chosen: Readonly<Record<string, string>> = {}) {
    const { method, data, body_content_type: type } = query.url_options;
    const values = {
      '__from:date:YYYY-MM-DD': ago(90),
      '__to:date:YYYY-MM-DD': ago(0),
      'team:json': '[]',
      'repository:json': '[]',
      ...chosen,
    };
    const body = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`\${${name}}`, value), data);
    const response = await fetch(`${server.url}${query.url}`, {
      method,
      headers: { authorization: key, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(method === 'POST' ? { body } : {}),
    });
    expect({ status: response.status, body: response.ok ? '' : await response.text(), asked: body }).toMatchObject({
      status: 200,
    });
    return (await response.json()) as Readonly<Record<string, unknown>>[];
  }

  /** Columns that have a value in some row. */
  const filledColumns = (rows: readonly Readonly<Record<string, unknown>>[], { columns }: InfinityQuery) =>
    columns.map(({ selector }) => selector).filter((column) => rows.some((row) => (row[column] ?? null) !== null));

  test.each(boards)('Every panel of $path has something to show', async ({ board }) => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    for (const { title, targets } of board.panels) {
      const [query] = targets;
      expect(query.url).toMatch(/^\/metrics\//);
      const rows = await answered(query);
      expect({ title, filled: filledColumns(rows, query) }).toEqual({
        title,
        filled: query.columns.map(({ selector }) => selector),
      });
      if (query.format === 'timeseries') expect(rows.length).toBeGreaterThan(5);
    }
  });

  test('Variables list teams and repositories, which panels take as filters', async () => {
    const [delivery] = boards;
    const [, team, repository] = delivery?.board.templating.list ?? [];
    const [teams, repositories] = [
      await answered(team?.query.infinityQuery as InfinityQuery),
      await answered(repository?.query.infinityQuery as InfinityQuery),
    ];
    const panel = boards[1]?.board.panels.find(({ title }) => title === 'Teams')?.targets[0] as InfinityQuery;
    const name = String(teams[0]?.team_name);
    const chosen = {
      'team:json': JSON.stringify([name]),
      'repository:json': JSON.stringify([repositories[0]?.repository]),
    };
    const [all, some] = [await answered(panel), await answered(panel, { 'team:json': chosen['team:json'] })];
    expect(all.length).toBeGreaterThan(1);
    expect(some.map(({ team_name }) => team_name)).toEqual([name]);
    await answered(panel, chosen);
  });
});
