import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callServer } from '../setup/called-server.ts';
import { isLong, times } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

function writeRecords(path: string, from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, i) => ({
    pr_id: `p${from + i}`,
    repository: 'acme/web',
    pr_state: 'merged',
    pr_created_at: '2026-01-05T10:00:00Z',
    pr_merged_at: '2026-01-06T10:00:00Z',
  }));
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** How many records are there before the backup, and how many arrive meanwhile. */
const [first, second] = [times(50, 500), times(300, 1_000)];

test('A backup through the running server, while records arrive, restores to what verifies in depth', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-safety-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = (name: string) => join(folder, name);
  const [data, restored, file] = [place('data'), place('restored'), place('acme.backup')];
  await copyAcme(data);
  const server = await callServer(data);
  onTestFinished(() => server.stop());
  const take = (path: string) =>
    callPlumb(data, ['import', '--org', 'Acme', '--table', 'pull_requests', path, '--json']);
  expect((await take(writeRecords(place('first.ndjson'), 0, first))).code).toBe(0);
  const [written, arriving] = await Promise.all([
    callPlumb(data, ['backup', file, '--json']),
    take(writeRecords(place('second.ndjson'), first, second)),
  ]);
  expect([written.code, arriving.code]).toEqual([0, 0]);
  const { organisations } = (await callPlumb(data, ['status', '--org', 'Acme', '--json'])).json<{
    organisations: object[];
  }>();
  expect(organisations).toMatchObject([{ tables: [{ table: 'pull_requests', rows: first + second }] }]);
  await server.stop();

  const came = (await callPlumb(restored, ['restore', file, '--json'])).json<{ rows: number; warehouses: number }>();
  expect(came.warehouses).toBe(1);
  const deep = (await callPlumb(restored, ['verify', '--deep', '--json'])).json<{ rows: Record<string, number> }>();
  expect(deep).toMatchObject({ ok: true, findings: [] });
  // All of a batch or nothing of it.
  expect([first, first + second]).toContain(deep.rows['warehouse/pull_requests']);
  const backup = await callPlumb(restored, ['verify', file, '--deep']);
  expect(backup.code).toBe(2);
  expect(backup.stderr).toContain('--deep is for a data folder');
  if (isLong) expect((await callPlumb(restored, ['doctor', '--json'])).json()).toMatchObject({ ok: true });
  for (const place of [data, restored]) {
    expect(readdirSync(place).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(join(place, 'warehouse')).filter((name) => name.startsWith('copy-'))).toEqual([]);
  }
});
