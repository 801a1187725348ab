import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'plumb-audit-'));
const file = (name: string) => join(root, name);
const data = file('data');
const run = async (...args: string[]) => {
  const done = await callPlumb(data, args);
  if (done.code !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}`);
  return done;
};

interface ListedEntry {
  readonly via: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>> | null;
}
async function entries(folder = data): Promise<ListedEntry[]> {
  const entries = (await callPlumb(folder, ['audit', '--org', 'Acme', '--limit', '10000', '--json'])).json<
    ListedEntry[]
  >();
  return entries.filter(({ action }) => /^(records|backup|salary|survey)\./.test(action));
}

beforeAll(() => copyAcme(data));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('Imports, exports, looks, backups and restores are in the audit log, with who typed them and how many rows', async () => {
  const people = Array.from({ length: 1_100 }, (_, i) => ({ main_email: `p${i}@acme.example` }));
  writeFileSync(file('people.ndjson'), people.map((one) => `${JSON.stringify(one)}\n`).join(''));
  writeFileSync(file('runs.ndjson'), '{"workflow_run_id": "r1"}\n{"workflow_run_id": "r2"}\n');
  const server = await callServer(data);
  onTestFinished(() => server.abandon());
  await run('import', '--org', 'Acme', '--table', 'people', file('people.ndjson'));
  await run('import', '--org', 'Acme', '--table', 'workflow_runs', '--strict', file('runs.ndjson'));
  await run('export', '--org', 'Acme', '--table', 'people', '--out', file('out.ndjson'));
  await run('person', 'set', '--org', 'Acme', 'ada@acme.example', 'salary=7', 'permissions=can-view-salaries');
  await run('org', 'set', '--org', 'Acme', 'salary_visibility=true');
  const asked = ['query', 'salary', '--org', 'Acme', '--as', 'ada@acme.example', '--aggregation', 'avg'];
  await run(...asked);
  await run(...asked, '--explain');
  await run('backup', file('a.backup'));
  const made = await entries();
  expect(made.map(({ via, action, subject, details }) => [via, action, subject, details?.rows])).toEqual([
    ['command', 'backup.create', expect.any(String), expect.any(Number)],
    ['command', 'salary.read', 'salary', undefined],
    ['command', 'records.export', 'people', 1_101],
    ['command', 'records.import', 'workflow_runs', 2],
    ['command', 'records.import', 'people', 1_100],
  ]);
  expect(made[0]?.details?.rows).toBeGreaterThanOrEqual(2);
  expect(made[1]?.details?.as).toEqual(expect.any(String));
  for (const { actor } of made) expect(actor).toMatch(/.+@.+/);
  const table = (await run('audit', '--org', 'Acme')).stdout;
  expect(table).toMatch(/^When +Who +What +Of what +Details$/m);
  expect(table).toMatch(/ UTC +\S+@\S+ \(on the command line\) +Exported records +people +Rows: 1,101$/m);

  expect((await callPlumb(file('restored'), ['restore', file('a.backup')])).code).toBe(0);
  const [restored, ...before] = await entries(file('restored'));
  expect(restored).toMatchObject({
    via: 'command',
    action: 'backup.restore',
    details: { made_at: expect.any(String) },
  });
  expect(before.map(({ action }) => action)).toEqual(made.map(({ action }) => action));
});
