import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import type { Finished } from '../setup/plumb-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-status-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filled = join(folder, 'filled');
beforeAll(async () => {
  const server = await callServer(filled);
  const owner = ['--owner-email', 'ada@acme.example', '--owner-name', 'Ada'];
  await callPlumb(filled, ['org', 'create', '--name', 'Acme', ...owner]);
  const file = join(folder, 'one.ndjson');
  writeFileSync(
    file,
    '{"source": "github", "repository": "acme/web", "pr_number": 7, "pr_created_at": "2024-03-04T09:00:00Z"}',
  );
  expect((await callPlumb(filled, ['import', '--org', 'Acme', '--table', 'pull_requests', file])).code).toBe(0);
  await server.stop();
});

describe.each([{ running: false }, { running: true }])('with a server running: $running', ({ running }) => {
  const data = join(folder, `data-${running}`);
  // Without a server each command opens the folder, which takes ten times as long: there every operation is tried once.
  const isThorough = running || isLong;
  let server: CalledServer | undefined;
  const plumb = (...args: string[]): Promise<Finished> => callPlumb(data, args);

  beforeAll(async () => {
    cpSync(filled, data, { recursive: true });
    if (running) server = await callServer(data);
  });
  afterAll(async () => {
    await server?.abandon();
  });

  test('plumb status says how much there is, how new it is, and where it is served', async () => {
    const all = await plumb('status');
    expect(all.stdout).toContain(running ? `is running at ${server?.url}` : 'No server is running');
    expect(all.stdout).toMatch(/^Acme +1 +1 +1 +2024-03-05 00:00 UTC +0$/m);
    const one = await plumb('status', '--org', 'acme');
    expect(one.stdout).toContain('1 person, 1 of them in metrics, 0 teams, 1 row.');
    expect(one.stdout).toContain('No source is connected.');
    expect(one.stdout).toMatch(/^Pull requests +1 +2024-03-04 09:00 UTC +2024-03-05 00:00 UTC$/m);
    const settings = ['--set', `path=${folder}`, '--set', 'repository=a/b'];
    await plumb('source', 'add', 'git', '--org', 'Acme', '--name', 'clone', ...settings, '--no-check');
    const { organisations, server: found } = (await plumb('status', '--org', 'Acme', '--json')).json<{
      organisations: object[];
      server: object | null;
    }>();
    expect(organisations).toMatchObject([
      { name: 'Acme', people: 1, sources: [{ name: 'clone', kind: 'git', is_syncing: false, outcome: null }] },
    ]);
    expect(found).toEqual(running ? { url: server?.url, pid: server?.pid } : null);
    if (isThorough) expect((await plumb('status', '--org', 'Acne')).code).toBe(3);
  });

  test('plumb person adds whom nobody knows, and lists everyone', async () => {
    const added = await plumb('person', 'add', '--org', 'Acme', 'bo@acme.example', 'name=Bo', 'teams=Core,Web');
    expect(added.stdout).toBe('Added Bo (bo@acme.example): Engineer, in metrics.\n');
    if (isThorough) {
      const other = await plumb('person', 'add', '--org', 'Acme', 'bob@acme.example', 'emails=bo@acme.example');
      expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('is Bo (')]);
      const again = await plumb('person', 'add', '--org', 'Acme', 'BO@acme.example', '--json');
      expect([again.code, again.json().detail]).toEqual([1, expect.stringContaining('plumb person set')]);
    }
    const listed = await plumb('person', 'list', '--org', 'Acme');
    expect(listed.stdout.split('\n').slice(1, 3)).toEqual([
      'Ada   ada@acme.example  Owner     Yes         ',
      'Bo    bo@acme.example   Engineer  Yes         Core, Web',
    ]);
    if (!isThorough) return;
    const file = join(folder, 'people.ndjson');
    writeFileSync(file, JSON.stringify({ name: 'Cy', github_username: 'cy' }));
    expect((await plumb('import', '--org', 'Acme', '--table', 'people', file)).code).toBe(0);
    const withoutEmail = (await plumb('person', 'list', '--org', 'Acme')).stdout;
    expect(withoutEmail).toMatch(/^Cy {4}- {17}Engineer {2}Yes {9}$/m);
    const json = (await plumb('person', 'list', '--org', 'Acme', '--json')).json<object[]>();
    expect(json[2]).toMatchObject({ email: null, merged_user_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(json[1]).toMatchObject({ email: 'bo@acme.example', teams: ['Core', 'Web'], is_bot: false });
  });

  if (isThorough)
    test('plumb key revoke takes a name where only one key that works has it', async () => {
      const create = () =>
        plumb('key', 'create', '--org', 'Acme', '--as', 'ada@acme.example', '--name', 'Nightly', '--json');
      const revoke = (...args: string[]) => plumb('key', 'revoke', '--org', 'Acme', ...args);
      const first = (await create()).json<{ id: string }>();
      expect((await revoke('--name', 'nightly', '--json')).json()).toEqual({ id: first.id });
      expect(await revoke('--name', 'nightly')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('that works'),
      });
      await create();
      await create();
      expect(await revoke('--name', 'nightly')).toMatchObject({ code: 2, stderr: expect.stringContaining('2 keys') });
      expect(await revoke('--name', 'nightli')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining("'Nightly'"),
      });
      expect((await revoke()).code).toBe(2);
      expect((await revoke(first.id, '--name', 'nightly')).code).toBe(2);
    });
});

describe('plumb metrics', () => {
  const metrics = (...args: string[]) => callPlumb(join(folder, 'nowhere'), ['metrics', ...args]);

  test('plumb metrics lists every metric under its domain, in lines that fit', async () => {
    const { code, stdout } = await metrics();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Pull requests\n {2}pull-requests-count +Number of pull requests\.\n/);
    expect(stdout).toContain('\n\nReleases and deployments\n');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('plumb metrics explains one by its name', async () => {
    const { stdout } = await metrics('cycle_time');
    expect(stdout).toContain(
      'Cycle time (cycle-time)\nFirst commit (else creation) to merged. Promotions have none.\n',
    );
    expect(stdout).toMatch(/^ {2}Unit +seconds$/m);
    expect(stdout).toContain('plumb query cycle-time --org ORGANISATION --as EMAIL --since 90d --by team');
    expect((await metrics('date-details')).stdout).toContain('Date details (date-details)');
  });

  test('plumb metrics finds by words of names, definitions and the field', async () => {
    const names = async (word: string) =>
      (await metrics(word, '--json')).json<{ name: string }[]>().map(({ name }) => name);
    expect(await names('DORA')).toEqual([
      'deployment-frequency',
      'change-failure-rate',
      'deployment-rework-rate',
      'time-to-restore',
      'lead-time-for-changes',
    ]);
    expect(await names('merge queue')).toEqual(['queue-time']);
    expect(await metrics('cycle-tme')).toMatchObject({ code: 3, stderr: expect.stringContaining("'cycle-time'") });
  });
});
