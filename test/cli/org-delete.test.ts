import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followDemo } from '../../src/cli/demo-progress.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { DemoLine } from '../../src/control/operator-streams.ts';
import { warehouseFolder } from '../../src/warehouse/open.ts';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import type { Finished } from '../setup/plumb-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-org-delete-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filled = join(folder, 'filled');
let [id, key, signIn] = ['', '', ''];
beforeAll(async () => {
  const server = await callServer(filled);
  const plumb = (...args: string[]): Promise<Finished> => callPlumb(filled, args);
  await plumb('org', 'create', '--name', 'Other', '--owner-email', 'ada@other.example');
  const made = await plumb('org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example', '--json');
  const { id: acme, sign_in_url } = made.json<{ id: string; sign_in_url: string }>();
  [id, signIn] = [acme, new URL(sign_in_url).pathname];
  const file = join(folder, 'incidents.ndjson');
  writeFileSync(file, '{"incident_id": "i1", "opened_at": "2024-03-04T09:00:00Z"}\n');
  for (const org of ['Acme', 'Other']) await plumb('import', '--org', org, '--table', 'incidents', file);
  const settings = ['--set', `path=${folder}`, '--set', 'repository=a/b'];
  await plumb('source', 'add', 'git', '--org', 'Acme', '--name', 'clone', ...settings, '--no-check');
  const created = ['key', 'create', '--org', 'Acme', '--as', 'ada@acme.example', '--name', 'k', '--json'];
  ({ key } = (await plumb(...created)).json<{ key: string }>());
  await server.stop();
});

describe.each([{ running: false }, { running: true }])('plumb org delete, server running: $running', ({ running }) => {
  const data = join(folder, `data-${running}`);
  const backup = join(folder, `${running}.backup`);
  // Without a server each command opens the folder, which takes ten times as long: there every operation is tried once.
  const isThorough = running || isLong;
  let server: CalledServer | undefined;
  const plumb = (...args: string[]): Promise<Finished> => callPlumb(data, args);
  const tables = () => readdirSync(join(data, warehouseFolder)).filter((name) => name.includes(id));
  const users = async (): Promise<number | undefined> =>
    server && (await fetch(`${server.url}/teams`, { headers: { authorization: key } })).status;

  beforeAll(async () => {
    cpSync(filled, data, { recursive: true });
    if (!running) return;
    server = await callServer(data);
    expect(await users()).toBe(200);
    expect((await fetch(`${server.url}${signIn}`)).status).toBe(200);
  });
  afterAll(async () => {
    await server?.abandon();
  });

  if (isThorough)
    test('plumb org delete deletes nothing without the name and a word on the backup', async () => {
      const wrong = await plumb('org', 'delete', 'Acme', '--confirm', 'acme', '--backup', backup);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("'Acme', not 'acme'")]);
      expect((await plumb('org', 'delete', 'Acme', '--confirm', 'Acme', '--backup', data)).code).toBe(1);
      const silent = await plumb('org', 'delete', 'Acme', '--confirm', 'Acme');
      expect([silent.code, silent.stderr]).toEqual([2, expect.stringContaining('without one (--no-backup)')]);
      expect((await plumb('org', 'delete', 'Acne', '--confirm', 'Acne', '--no-backup')).code).toBe(3);
      expect(existsSync(backup)).toBe(false);
      expect((await plumb('org', 'list', '--json')).json()).toHaveLength(2);
    });

  test('plumb org delete deletes everything after a backup, and leaves others alone', async () => {
    expect(tables()).not.toEqual([]);
    const deleted = await plumb('org', 'delete', 'Acme', '--confirm', 'Acme', '--backup', backup, '--json');
    expect([deleted.code, deleted.json()]).toEqual([0, { id, name: 'Acme', backup }]);
    if (server) {
      expect(await users()).toBe(401);
      expect((await fetch(`${server.url}${signIn}`)).status).not.toBe(200);
    }
    expect(tables()).toEqual([]);
    expect((await plumb('org', 'list', '--json')).json<object[]>()).toMatchObject([{ name: 'Other' }]);
    // What is left is the same, whoever deleted the rest.
    if (!running || isLong) expect((await plumb('verify', '--json')).json()).toMatchObject({ ok: true });
    expect((await plumb('export', '--org', 'Other', '--table', 'incidents')).stdout).toContain('"i1"');
    if (isThorough) expect((await plumb('key', 'list', '--org', 'Acme')).code).toBe(3);
  });

  // A backup of one organisation that comes from a server is restored in backup-org.test.ts.
  if (!running || isLong) {
    test('plumb org delete leaves a backup that brings it back', async () => {
      const restored = join(folder, `restored-${running}`);
      expect((await callPlumb(restored, ['restore', backup, '--trust-sources'])).code).toBe(0);
      const found = await callPlumb(restored, ['status', '--org', 'Acme', '--json']);
      expect(found.json<{ organisations: object[] }>().organisations).toMatchObject([
        { id, tables: [{ table: 'incidents', rows: 1 }], sources: [{ name: 'clone' }] },
      ]);
    });
  }

  // Without a server that is said in demo-remove.test.ts.
  if (isThorough) {
    test('plumb demo --remove says where there is none', async () => {
      expect((await plumb('demo', '--remove')).stdout).toBe('There is no demo here.\n');
      expect((await plumb('org', 'list', '--json')).json()).toHaveLength(1);
    });
  }
});

describe('the filling of the demo', () => {
  const shown = { id: 'a', name: 'A', owner_email: 'o@a', people: 1, teams: 1 };
  const filled = [shown];
  const lines = [
    { organisation: 'A', place: 1, of: 2, year: '2026', done: 0, rows: 0 },
    { organisation: 'A', place: 1, of: 2, year: '2026', done: 0.1, rows: 20_000 },
    { ready: shown },
    { organisation: 'A', place: 1, of: 2, year: '2025', done: 0.2, rows: 30_000 },
    { organisation: 'A', place: 1, of: 2, year: '2025', done: 0.5, rows: 35_000 },
    { organisation: 'B', place: 2, of: 2, year: '2026', done: 0.9, rows: 40_000 },
    { filled },
  ];
  async function* each(some: readonly DemoLine[]) {
    yield* some;
  }
  const follow = async (isTTY: boolean, isQuiet = false, some: readonly DemoLine[] = lines) => {
    let text = '';
    const stderr = {
      isTTY,
      columns: 80,
      write: (more: string) => {
        text += more;
      },
    };
    let ready: unknown;
    const found = await followDemo({ stderr } as unknown as Terminal, each(some), isQuiet, (one) => {
      ready = { ...one, text };
    });
    return { found, text, ready };
  };

  test('The filling of the demo is told by organisation and year in a log, and redrawn on a terminal', async () => {
    const begun = 'Filling in A, 1 of 2 demo organisations: 2026.\n';
    const then = 'Filling in A, 1 of 2 demo organisations: 2025.\nFilling in B, 2 of 2 demo organisations: 2026.\n';
    expect(await follow(false)).toEqual({ found: filled, text: begun + then, ready: { ...shown, text: begun } });
    expect((await follow(true)).text).toMatch(/^\r.*demo.*0 rows.*40,000 rows {2}in 0:00.*\n$/s);
    expect(await follow(true, true)).toEqual({ found: filled, text: '', ready: { ...shown, text: '' } });
  });

  test('The filling of the demo that breaks off is no end', async () => {
    await expect(follow(false, true, lines.slice(0, 2))).rejects.toThrow('Run it again');
  });
});
