import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataFolder } from '../../src/data-folder.ts';
import { callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-private-'));
const data = join(folder, 'data');
const file = (name: string) => join(folder, name);
const modeOf = (path: string) => statSync(path).mode & 0o777;

let umask = 0;
beforeAll(async () => {
  // The laxest a process can be started with.
  umask = process.umask(0);
  const made = await callPlumb(data, ['org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example']);
  expect(made.code).toBe(0);
});
afterAll(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

/** What an earlier run or somebody else left where the file is written first. */
function leave(path: string): void {
  writeFileSync(path, 'old');
  chmodSync(path, 0o666);
}

test('A backup is its owner’s only, whatever lay there before', async () => {
  leave(file('a.backup'));
  leave(file('a.backup.partial'));
  expect((await callPlumb(data, ['backup', '--force', file('a.backup')])).code).toBe(0);
  expect(modeOf(file('a.backup'))).toBe(0o600);
  expect((await callPlumb(data, ['verify', file('a.backup')])).code).toBe(0);
});

test('A backup follows no link to somewhere else', async () => {
  writeFileSync(file('elsewhere'), 'precious');
  symlinkSync(file('elsewhere'), file('b.backup.partial'));
  expect((await callPlumb(data, ['backup', file('b.backup')])).code).toBe(0);
  expect(readFileSync(file('elsewhere'), 'utf8')).toBe('precious');
  expect(modeOf(file('b.backup'))).toBe(0o600);
});

test('An export in any format is its owner’s only', async () => {
  // The command writes the file, from a server or from its own tables.
  const server = await callServer(data);
  try {
    for (const extension of ['ndjson', 'csv', 'ndjson.gz', 'parquet']) {
      const path = file(`people.${extension}`);
      leave(`${path}.partial`);
      leave(`${path}.rows.partial`);
      const exported = await callPlumb(data, ['export', '--org', 'Acme', '--table', 'people', '--out', path, '--json']);
      expect(exported.json()).toMatchObject({ rows: 1 });
      expect([extension, modeOf(path)]).toEqual([extension, 0o600]);
    }
  } finally {
    await server.stop();
  }
});

test('The notice of a running server, which holds the token of its door, is its owner’s only', async () => {
  const owned = await DataFolder.claim(data);
  try {
    leave(join(data, 'server.json'));
    leave(join(data, 'server.json.new'));
    owned.announce({ pid: process.pid, url: '', store: '', controlPort: 1, token: 'secret' });
    expect(modeOf(join(data, 'server.json'))).toBe(0o600);
    expect(readFileSync(join(data, 'server.json'), 'utf8')).toContain('secret');
  } finally {
    owned.release();
  }
});
