import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRecordFile } from '../../src/ingest/read/open-record-file.ts';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { runPlumb } from '../setup/plumb-process.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-export-'));
const data = join(folder, 'data');
const place = (name: string) => join(folder, name);
let server: CalledServer | undefined;
const plumb = (...args: string[]) => callPlumb(data, args);
const exported = (...args: string[]) => plumb('export', '--org', 'Acme', '--table', 'pull_requests', ...args);

const records = [
  {
    pr_id: 'p1',
    pr_title: 'A "quoted" title, with a comma\nand a line',
    labels: ['a', 'b'],
    files: [{ path: 'x', additions: 1 }],
    pr_created_at: '2026-01-05T09:00:00Z',
    pr_merged_at: '2026-01-05T11:00:00Z',
    additions: 9_007_199_254_740_991,
    complexity_score: 0.1,
    is_draft: false,
    person_email: 'ada@acme.example',
  },
  { pr_id: 'p2', pr_title: ' spaced ', pr_created_at: '2026-01-04T09:00:00Z' },
  { pr_id: 'p3', pr_title: '' },
];

beforeAll(async () => {
  await copyAcme(data);
  server = await callServer(data);
  writeFileSync(place('in.ndjson'), records.map((record) => JSON.stringify(record)).join('\n'));
  expect((await plumb('import', '--org', 'Acme', '--table', 'pull_requests', place('in.ndjson'))).code).toBe(0);
});
afterAll(async () => {
  await server?.abandon();
  rmSync(folder, { recursive: true, force: true });
});

const parsed = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
async function readBack(path: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const line of openRecordFile(path).lines()) values.push('value' in line ? line.value : line.problem);
  return values;
}

test('The extension tells the format, --format wins over it, and .gz packs', async () => {
  const packed = await exported('--out', place('out.ndjson.gz'), '--json');
  expect([packed.code, packed.json()]).toEqual([0, { rows: 3, file: place('out.ndjson.gz') }]);
  const rows = parsed(gunzipSync(readFileSync(place('out.ndjson.gz'))).toString());
  expect(rows).toHaveLength(3);
  expect(statSync(place('out.ndjson.gz')).mode & 0o077).toBe(0);

  await exported('--out', place('out.txt'), '--format', 'csv');
  const csv = readFileSync(place('out.txt'), 'utf8');
  expect(csv.startsWith(`${Object.keys(rows[0] ?? {}).join(',')}\r\n`)).toBe(true);
  expect(csv).toContain('"A ""quoted"" title, with a comma\nand a line"');
  expect(csv).toContain('"[""a"",""b""]"');
  expect(csv).toContain('" spaced "');
  expect(csv).toContain('2026-01-05T11:00:00Z');

  const parquet = await exported('--out', place('out.parquet'), '--json');
  expect([parquet.code, parquet.json()]).toEqual([0, { rows: 3, file: place('out.parquet') }]);
  const iso = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        /_at$/.test(name) && value !== null ? new Date(String(value)).toISOString() : value,
      ]),
    );
  expect(await readBack(place('out.parquet'))).toEqual(rows.map(iso));
  expect(readdirSync(folder).filter((name) => name.includes('.partial'))).toEqual([]);
});

test.each(['ndjson', 'parquet', 'csv'])(
  'Records taken out as %s and brought into another organisation are the same',
  async (format) => {
    const file = place(`records.${format}`);
    expect((await exported('--records', '--out', file)).code).toBe(0);
    await plumb('org', 'create', '--name', format, '--owner-email', 'ada@acme.example');
    const imported = await plumb('import', '--org', format, '--table', 'pull_requests', file, '--json');
    expect(imported.json()).toEqual({ accepted: 3, rejected: 0 });
    const again = await plumb('export', '--org', format, '--table', 'pull_requests', '--records');
    const same = (await exported('--records')).stdout;
    // A cell cannot tell an empty text from a missing one.
    expect(again.stdout).toBe(format === 'csv' ? same.replace('"pr_title":""', '"pr_title":null') : same);
  },
);

test('All columns of deployments as CSV can be imported elsewhere: what follows from other columns is left out', async () => {
  const [from, file] = [place('deployments.ndjson'), place('deployments.csv')];
  const deployment = {
    deployment_id: 'd1',
    repository: 'acme/shop/web',
    deployed_at: '2026-01-05T12:00:00Z',
    status: 'success',
    environment: 'production',
    production: false,
    deployment_source: 'workflow_run',
  };
  writeFileSync(from, JSON.stringify(deployment));
  const deployments = (command: string, org: string, ...args: string[]) =>
    plumb(command, '--org', org, '--table', 'deployments', ...args);
  await deployments('import', 'Acme', from);
  expect((await deployments('export', 'Acme', '--out', file)).code).toBe(0);
  expect(readFileSync(file, 'utf8').split('\r\n', 1)[0]?.split(',')).toEqual(
    expect.arrayContaining(['repository', 'repository_name', 'production', 'is_production']),
  );
  await plumb('org', 'create', '--name', 'Elsewhere', '--owner-email', 'ada@acme.example');
  const imported = await deployments('import', 'Elsewhere', file, '--json');
  expect(imported.json()).toEqual({ accepted: 1, rejected: 0 });
  const records = parsed((await deployments('export', 'Elsewhere', '--records')).stdout);
  expect(records).toEqual(parsed((await deployments('export', 'Acme', '--records')).stdout));
});

test('CSV keeps a spreadsheet from running a text, and brings the text back as it was', async () => {
  const titles = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠x', "'=1+1", "''@x", "'tis"];
  const issues = titles.map((issue_title, i) => ({ issue_id: `i${i + 10}`, issue_title, created_at: '2026-01-05' }));
  const [from, file] = [place('formulas.ndjson'), place('formulas.csv')];
  writeFileSync(from, issues.map((issue) => JSON.stringify(issue)).join('\n'));
  expect((await plumb('import', '--org', 'Acme', '--table', 'issues', from)).code).toBe(0);
  const exportIssues = (org: string, ...args: string[]) =>
    plumb('export', '--org', org, '--table', 'issues', '--records', ...args);
  await exportIssues('Acme', '--out', file);
  const cells: string[][] = parse(readFileSync(file, 'utf8'));
  expect(cells).toHaveLength(titles.length + 1);
  for (const cell of cells.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
  await plumb('org', 'create', '--name', 'Formulas', '--owner-email', 'ada@acme.example');
  await plumb('import', '--org', 'Formulas', '--table', 'issues', file);
  const again = parsed((await exportIssues('Formulas')).stdout);
  expect(again.map(({ issue_title }) => issue_title)).toEqual(titles);
});

test('What cannot be is 2, before anything is written', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr, stdout } = await plumb('export', '--org', 'Acme', ...args);
    expect([code, stdout]).toEqual([2, '']);
    return stderr;
  };
  expect(await refused('--table', 'pull_request')).toContain("Did you mean 'pull_requests'?");
  expect(await refused('--table', 'user_metrics', '--records')).toContain('Export people');
  expect(await refused('--table', 'people', '--format', 'xml')).toContain('ndjson, csv, parquet');
  expect(await refused('--table', 'people', '--out', place('x.xlsx'))).toContain('no extension that tells its format');
  expect(await refused('--table', 'people', '--format', 'parquet')).toContain('add --out');
  expect(await refused('--table', 'people', '--out', place('nowhere/x.csv'))).toContain('cannot be written');
  const json = await exported('--json');
  expect([json.code, json.json().detail]).toEqual([2, expect.stringContaining('add --out')]);
  expect((await plumb('export', '--org', 'Acne', '--table', 'people', '--json', '--out', place('y.csv'))).code).toBe(3);
  expect(readdirSync(folder)).not.toContain('y.csv');
});

test('Rows come as NDJSON on standard output, in order, and nothing else does; with a server or without', async () => {
  const through = await runPlumb(data, ['export', '--org', 'Acme', '--table', 'pull_requests']);
  expect(through.code).toBe(0);
  expect(through.stderr).toContain('Wrote 3 rows of pull_requests.');
  const rows = parsed(through.stdout);
  expect(rows.map(({ pr_id }) => pr_id)).toEqual(['p2', 'p1', 'p3']);
  expect(rows[1]).toMatchObject({ ...records[0], cycle_time: 7_200, is_bot: false, pr_number: null });
  await server?.stop();
  server = undefined;
  expect((await exported()).stdout).toBe(through.stdout);
});
