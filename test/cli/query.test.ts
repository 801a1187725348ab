import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { type Finished, runPlumb } from '../setup/plumb-process.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-query-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const count = 2_500;
const people = [
  { name: 'Ada', main_email: 'ada@acme.example', access_role: 'Owner', onboarded: true, teams: ['Core'] },
  { name: 'Bo', main_email: 'bo@acme.example', access_role: 'Engineer', onboarded: true, teams: ['Core', 'Web'] },
];
const pullRequests = Array.from({ length: count }, (_, n) => ({
  pr_id: `pr-${String(n).padStart(4, '0')}`,
  pr_title: n === 0 ? 'Two\nlines, \u001b[31mred\u001b[0m' : `Change ${n}`,
  repository: 'acme/web',
  person_email: n % 5 === 0 ? 'bo@acme.example' : 'ada@acme.example',
  pr_state: 'merged',
  first_commit_at: '2024-03-04T08:00:00Z',
  pr_created_at: '2024-03-04T09:00:00Z',
  pr_merged_at: '2024-03-04T11:00:00Z',
}));

const filled = join(folder, 'filled');
beforeAll(async () => {
  const file = (name: string, rows: readonly object[]) => {
    const path = join(folder, name);
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
    return path;
  };
  await copyAcme(filled);
  const server = await callServer(filled);
  const imported = (table: string, path: string) =>
    callPlumb(filled, ['import', '--org', 'Acme', '--table', table, path]);
  await imported('people', file('people.ndjson', people));
  expect((await imported('pull_requests', file('pull-requests.ndjson', pullRequests))).code).toBe(0);
  await server.stop();
});

/** The one promise of every command: the same with a server on the folder and without. */
describe.each([{ running: false }, { running: true }])('plumb query, server running: $running', ({ running }) => {
  const data = join(folder, `data-${running}`);
  const march = ['--start', '2024-03-01', '--end', '2024-03-31'];
  const isThorough = running || isLong;
  let server: CalledServer | undefined;
  const query = (...args: string[]): Promise<Finished> =>
    callPlumb(data, ['query', ...args, '--org', 'Acme', '--as', 'ada@acme.example']);
  const asBo = (...args: string[]): Promise<Finished> =>
    callPlumb(data, ['query', ...args, '--org', 'Acme', '--as', 'bo@acme.example']);

  beforeAll(async () => {
    cpSync(filled, data, { recursive: true });
    if (running) server = await callServer(data);
  });
  afterAll(async () => {
    await server?.abandon();
  });

  test('plumb query prints a table for people', async () => {
    const { code, stdout } = await query('pull-requests-count', ...march, '--group-by', 'name,team_name');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'Person  Team  Pull requests\nAda     Core           2000\nBo      Core            500\nBo      Web             500\n',
    );
  });

  // Text is made of an answer in the same way with a server and without, which takes a second more each time.
  if (isThorough) {
    test('plumb query prints the JSON answer, and nothing else on standard output', async () => {
      const answer = await query('cycle-time', ...march, '--aggregation', 'avg', '--date-level', 'month', '--json');
      expect(answer.stdout).toBe('[{"month_date":"2024-03-01","avg_cycle_time":10800}]\n');
    });

    test('plumb query writes durations as people say them, and chooses the aggregation aloud', async () => {
      const { code, stdout, stderr } = await query(
        'cycle-time',
        '--since',
        '2024-03-01',
        '--by',
        'team',
        '--per',
        'week',
      );
      expect([code, stdout]).toEqual([
        0,
        'Week        Team  Cycle time, median\n2024-03-04  Core                  3h\n2024-03-04  Web                   3h\n',
      ]);
      expect(stderr).toBe('Asked as MEDIAN: --agg chooses otherwise.\n');
      const rate = await query('review-rate', ...march);
      expect(rate.stdout).toBe('Review rate\n         0%\n');
    });

    test('plumb query draws the whole window on a screen, and no days to come', async () => {
      const asked = ['query', 'pull-requests-count', '--per', 'year', '--org', 'Acme', '--as', 'ada@acme.example'];
      const drawn = async (...window: string[]) =>
        (await callPlumb(data, [...asked, ...window], { screen: 80 })).stdout.trimEnd().split('\n').at(-1);
      expect(await drawn('--since', '2022-05-01', '--until', '2025-02-01')).toBe('▁▁█▁  0 → 0');
      const years = new Date().getUTCFullYear() - 2024;
      expect(await drawn('--since', '2023-05-01', '--until', '2031-12-31')).toBe(`▁█${'▁'.repeat(years)}  0 → 0`);
    });

    test('plumb query asks for the last 90 days up to the last one, and says which rows are nearest to none', async () => {
      const nothing = await query('pull-requests-count', '--until', '2024-02-29', '--json');
      expect(nothing.json()).toEqual([{ date_level_not_set: true, pr_count: 0 }]);
      expect(nothing.stderr).toBe(
        'Asked for the last 90 days, since 2023-12-02: --since chooses otherwise.\n' +
          'There is nothing in this window. The nearest rows are of 2024-03-04 after it.\n',
      );
      const later = await query('cycle-time', '--agg', 'avg', '--since', '10d', '--until', '2024-03-31');
      expect(later.stderr).toBe('There is nothing in this window. The nearest rows are of 2024-03-04 before it.\n');
      const week = await query('pull-requests-count', '--since', '1w', '--until', '2024-03-10', '--json');
      expect([week.json(), week.stderr]).toEqual([[{ date_level_not_set: true, pr_count: count }], '']);
    });

    test('plumb query filters, sorts, cuts and compares as its options say', async () => {
      const counted = (...args: string[]) => query('pull-requests-count', ...march, '--json', ...args);
      expect((await counted('--team', 'Web')).json()).toMatchObject([{ pr_count: 500 }]);
      expect((await counted('--team', 'Web,Nobody')).stderr).toBe('Nothing matches team: "Nobody".\n');
      expect((await counted('--repo', 'web', '--member', 'Bo')).json()).toMatchObject([{ pr_count: 500 }]);
      const top = await counted('--by', 'member', '--order', 'pr_count:desc', '--limit', '1');
      expect(top.json()).toMatchObject([{ name: 'Ada', pr_count: 2000 }]);
      expect((await counted('--compare')).json()).toMatchObject({ results: [{ value: count, previous_value: 0 }] });
    });

    test('plumb query names options, and the nearest column in the place of all, in what it refuses', async () => {
      const refused = async (...args: string[]) => {
        const { code, stderr } = await query('cycle-time', ...args);
        expect(code).toBe(2);
        return stderr;
      };
      expect(await refused('--by', 'week')).toMatch(
        /^'week' is not a column of \w+\. For a row each week write --per week\.\n$/,
      );
      expect(await refused('--by', 'reposotory')).toMatch(
        /^'reposotory' is not a column of \w+\. Did you mean 'repository'\? `plumb metrics cycle-time` lists all columns\.\n$/,
      );
      // Where none is near, eighty are no help either.
      expect(await refused('--by', 'qqq')).toMatch(
        /^'qqq' is not a column of \w+\. `plumb metrics cycle-time` lists all columns\.\n$/,
      );
      expect(await refused('--by', 'weeks')).toContain('For a row each week write --per week.');
      expect(await refused('--per', 'fortnight')).toMatch(/^--per must be one of day, week/);
      expect(await refused('--agg', 'p50')).toMatch(/^--agg must be one of .*not 'p50'/);
      expect(await refused('--since', '2024-02-31')).toMatch(/^--since /);
      // A body of the caller's own is spoken of in its words.
      const file = join(folder, 'wrong.json');
      writeFileSync(file, JSON.stringify({ date_level: 'fortnight' }));
      expect(await refused('--body', file)).toMatch(/^date_level must be one of day, week/);
    });

    test('plumb query takes the body from a file, and what is said beside it wins', async () => {
      const file = join(folder, 'body.json');
      writeFileSync(file, JSON.stringify({ filters: { start_date: '2023-01-01', pr_states: ['merged'] }, limit: 2 }));
      const plain = await query('pull-requests-count', '--body', file, '--group-by', 'pr_id', '--json');
      expect(plain.json()).toHaveLength(2);
      expect(plain.stderr).toContain('There are 2500 in all');
      const later = await query('pull-requests-count', '--body', file, '--start', '2024-04-01', '--json');
      expect(later.json()).toEqual([{ date_level_not_set: true, pr_count: 0 }]);
    });

    test('plumb query takes the body from standard input', async () => {
      const stdin = JSON.stringify({ filters: { start_date: '2024-03-01' } });
      const args = [
        'query',
        'pull-requests-count',
        '--body',
        '-',
        '--org',
        'Acme',
        '--as',
        'bo@acme.example',
        '--json',
      ];
      const { json } = await callPlumb(data, args, { stdin });
      expect(json()).toEqual([{ date_level_not_set: true, pr_count: 500 }]);
    });

    test('plumb query shows results, charts and comparisons as tables', async () => {
      const body = (value: object) => {
        const file = join(folder, 'shape.json');
        writeFileSync(file, JSON.stringify(value));
        return ['--body', file];
      };
      const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };
      const compared = await query(
        'pull-requests-count',
        ...body({ filters, group_by: ['name'], include_previous_period: true }),
      );
      expect(compared.stdout.split('\n')[1]).toMatch(/^Pull requests {2}Ada +2000 +0 +-$/);
      // Nothing is known of February.
      const judged = await query('pull-requests-count', '--compare', ...body({ filters, group_by: ['name'] }));
      expect(judged.stdout.split('\n')[1]).toMatch(/^Pull requests {2}Ada +2000 +0 +- {2}no comparison$/);
      const chart = await query('pull-requests-count', ...body({ filters, time_series_data: true }));
      expect(chart.stdout).toContain('Mar 2024');
      const charts = await query(
        'get-multiple-metrics',
        ...body({ filters, metrics: ['pull-requests-count', 'reviews-count'], time_series_data: true }),
      );
      expect(charts.stdout).toMatch(/^Pull requests\n\n[\s\S]*\n\nReviewed pull requests\n\n/);
      const benchmark = await query(
        'benchmark',
        ...body({ filters, benchmark_metric: 'cycle-time', date_field: 'merged_at' }),
      );
      expect(benchmark.stdout).toMatch(/^Metric +Value +Lower quartile of others/);
      const asCsv = await query('pull-requests-count', ...body({ filters, time_series_data: true }), '--format', 'csv');
      expect([asCsv.code, asCsv.stdout]).toEqual([2, '']);
    });

    test('plumb query explains', async () => {
      const text = await query('cycle-time', ...march, '--aggregation', 'avg', '--explain');
      expect(text.stdout).toContain('Cycle time: First commit (else creation) to merged. Promotions have none.');
      expect(text.stdout).toContain('Rows read: 2500');
      expect(text.stdout).toMatch(/^Values used: \d+$/m);
      const json = await query('cycle-time', ...march, '--aggregation', 'avg', '--explain', '--json');
      expect(json.json()).toMatchObject({ metric: 'cycle-time', rows_read: 2500 });
    });
  }

  test('plumb query asks several metrics, with more rows than one answer holds, in every format', async () => {
    const file = join(folder, 'several.json');
    writeFileSync(file, JSON.stringify({ metrics: ['pull-requests-count'], group_by: ['pr_id'] }));
    const several = (...args: string[]) => query('get-multiple-metrics', '--body', file, ...march, ...args);
    const rows = (await several('--json')).json<{ pr_id: string }[]>();
    expect([rows.length, rows[0]?.pr_id, rows[count - 1]?.pr_id]).toEqual([count, 'pr-0000', 'pr-2499']);
    if (!isThorough) return;
    expect(JSON.parse((await several('--format', 'json')).stdout)).toEqual(rows);
    const lines = (await several('--format', 'ndjson')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    const csv = (await several('--format', 'CSV')).stdout.split('\r\n');
    expect([csv.length, csv[0], csv[1]]).toEqual([count + 2, 'date_level_not_set,pr_id,pr_count', 'true,pr-0000,1']);
    const table = await several();
    expect(table.stdout.split('\n')).toHaveLength(1_002);
    expect(table.stderr).toContain('These are 1000 of 2500 rows.');
  });

  test('plumb query sees what the person sees', async () => {
    const answer = await asBo('contributors-count', ...march, '--group-by', 'name', '--json');
    expect(answer.json()).toEqual([{ date_level_not_set: true, name: 'Bo', contributors_count: 1 }]);
  });

  if (isThorough)
    test('plumb query puts nothing on the screen that moves the cursor', async () => {
      const file = join(folder, 'first.json');
      writeFileSync(file, JSON.stringify({ order_by: 'pr_title', order_direction: 'desc', limit: 3 }));
      const { stdout } = await query('pull-requests-count', ...march, '--body', file, '--group-by', 'pr_title');
      expect(stdout).toContain('Two lines, [31mred[0m');
      expect(stdout).not.toContain('\u001b');
    });

  const refusals: [string, number, string, ...string[]][] = [
    ['an unknown metric', 3, "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?", 'cycle-tme', ...march],
    [
      'a metric behind a gate',
      4,
      'Salaries are not visible in this organisation. `plumb org set salary_visibility=true` shows them to people with the permission can-view-salaries.',
      'salary',
      '--aggregation',
      'avg',
    ],
    ['an unknown aggregation', 2, '--agg must be one of', 'cycle-time', ...march, '--agg', 'p50'],
    ['a bad date', 2, '--since must be a date', 'pull-requests-count', '--start', 'soon'],
    ['a bad order', 2, '--order must be COLUMN', 'pull-requests-count', ...march, '--order', 'pr_count:up'],
    ['a bad limit', 2, '--limit must be a whole number', 'pull-requests-count', ...march, '--limit', 'few'],
    ['an unknown format', 2, 'The format must be one of', 'pull-requests-count', ...march, '--format', 'xml'],
    ['a missing file', 3, 'there is no such file', 'pull-requests-count', '--body', '/nowhere/body.json'],
    ['two formats at once', 2, '--json prints JSON', 'pull-requests-count', ...march, '--format', 'csv', '--json'],
  ];
  test.each(isThorough ? refusals : refusals.slice(1, 2))('%s ends with %i', async (_name, code, words, ...args) => {
    const finished = await query(...args);
    expect([finished.code, finished.stderr]).toEqual([code, expect.stringContaining(words)]);
    if (isThorough && !args.includes('--json')) {
      const asJson = await query(...args, ...(args.includes('--format') ? [] : ['--json']));
      if (!args.includes('--format')) expect(asJson.json().detail).toContain(words);
    }
  });

  // Without a server that is said in commands.test.ts.
  if (isThorough) {
    test('plumb query unknown people and organisations end with 3', async () => {
      const nobody = await callPlumb(data, ['query', 'reviews-count', '--org', 'Acme', '--as', 'x@y.z', ...march]);
      expect(nobody.code).toBe(3);
      const nowhere = await callPlumb(data, ['query', 'reviews-count', '--org', 'Acne', '--as', 'x@y.z', ...march]);
      expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining("Did you mean 'Acme'?")]);
    });

    test('A survey metric asked as an engineer ends with 4', async () => {
      expect((await asBo('survey-responses-count', ...march)).code).toBe(4);
    });

    // That a process says the same without a server is tried in commands.test.ts.
    test('The real command says the same', async () => {
      const args = ['query', 'pull-requests-count', '--org', 'Acme', '--as', 'ada@acme.example', ...march, '--json'];
      expect((await runPlumb(data, args)).json()).toEqual([{ date_level_not_set: true, pr_count: count }]);
    });
  }
});
