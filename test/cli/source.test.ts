import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceChecks } from '../../src/control/source-diagnoses.ts';
import type { SyncLine } from '../../src/control/sync-lines.ts';
import { wholeDetail } from '../../src/safety/finding.ts';
import { openStore } from '../../src/store/open.ts';
import { listOrganisations } from '../../src/store/organisation-rows.ts';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { SomeClone } from '../sources/git/some-clone.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-source-'));
const data = join(folder, 'data');
const clone = new SomeClone();
clone.commit('Add the door (#1)', { at: '2024-03-01T10:00:00Z' });
clone.commit('Paint the door (#2)', { at: '2024-03-02T10:00:00Z' });
afterAll(() => {
  clone.remove();
  rmSync(folder, { recursive: true, force: true });
});

const plumb = (words: string, environment: Readonly<Record<string, string>> = {}, place = data) =>
  callPlumb(place, words.split(' '), { environment });
const token = 'ghp_0123456789abcdef';

/** Asked through a server, where a command need not open the folder; the secret is asked about without one. */
let asked: CalledServer;
beforeAll(async () => {
  asked = await callServer(data);
  expect((await plumb('org create --name Acme --owner-email ada@acme.example')).code).toBe(0);
});

describe('plumb source', () => {
  test('plumb source add prints the webhook address and secret once, list shows neither secret nor token', async () => {
    const added = await plumb(
      `source add github --org Acme --name Code --set token=${token} --set organization=acme --no-check`,
    );
    expect(added.code).toBe(0);
    const [, secret = ''] = /Webhook secret: {2}(\S{43})/.exec(added.stdout) ?? [];
    expect(added.stdout).toMatch(/Webhook address: http:\/\/\S+\/webhooks\/github\/[0-9a-f-]{36}\n/);
    expect(added.stdout).not.toContain(token);
    const listed = await plumb('source list --org Acme');
    expect(listed.stdout).toMatch(/GitHub {2}Code {2}Never .*organization=acme.* token=set/);
    const everything = [listed, await plumb('source list --org Acme --json'), await plumb('audit --org Acme --json')];
    for (const { stdout } of everything) {
      expect(stdout).not.toContain(token);
      expect(stdout).not.toContain(secret);
    }
  });

  test('A wrong kind, wrong settings and a taken name are refused with what would be right', async () => {
    const kind = await plumb('source add githb --org Acme --name X');
    expect([kind.code, kind.stderr]).toEqual([2, expect.stringContaining("Did you mean 'github'?")]);
    const settings = await plumb(
      'source add github --org Acme --name X --set tokn=a --set since=soon --set base_url=x',
    );
    expect(settings.code).toBe(2);
    expect(settings.stderr.match(/^ {2}- .*/gm)).toHaveLength(4);
    const taken = await plumb(`source add github --org Acme --name code --set token=${token}`);
    expect(taken.stderr).not.toContain('cannot be read');
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("a source 'Code' already")]);
    expect((await plumb('source remove --org Acme Cod')).code).toBe(3);
    expect((await plumb('source add github --org Acme --name X --set token=env:PLUMB_SECRET')).code).toBe(2);
  });

  test('The help of add lists the settings of every kind', async () => {
    const { stdout } = await plumb('source add --help');
    expect(stdout).toMatch(/Settings of git \(.*\):\n {2}path /);
    expect(stdout).toMatch(/Settings of github \(/);
    expect(stdout).toMatch(
      / {2}token +token that may read .*\(required, or app_id, installation_id and private_key instead, secret\)/,
    );
    expect(stdout).toMatch(/ {2}webhook_secret +/);
  });
});

describe('plumb sync', () => {
  const served = join(folder, 'served');
  let server: CalledServer;
  beforeAll(async () => {
    process.env.WEB_PATH = clone.path;
    await copyAcme(served);
    server = await callServer(served);
    await plumb('org create --name Empty --owner-email ada@acme.example', {}, served);
  });
  afterAll(async () => {
    await server.abandon();
    delete process.env.WEB_PATH;
  });
  const add = (name: string, variable: string, more = '') =>
    plumb(
      `source add git --org Acme --name ${name} --set path=env:${variable} --set repository=acme/web${more}`,
      {},
      served,
    );

  test('plumb sync reads a source through the running server, with JSON lines on the way where there is no terminal', async () => {
    const added = await add('Clone', 'WEB_PATH');
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/\nClone can be read\.\n {2}sees {5}branch/)]);
    expect((await plumb('source check --org Acme Clone --json', {}, served)).json()).toMatchObject({ ok: true });
    const synced = await plumb('sync --org Acme --source Clone', {}, served);
    expect(synced.code).toBe(0);
    const lines = synced.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SyncLine);
    expect(lines).toContainEqual(
      expect.objectContaining({ source: 'Clone', scope: 'acme/web', stream: 'pull requests', phase: 'complete' }),
    );
    expect(lines.at(-1)).toMatchObject({
      source: 'Clone',
      outcome: 'complete',
      rows: { pull_requests: { new: 2, changed: 0 } },
      error: null,
    });
    const again = (await plumb('sync --org Acme --source Clone --json', {}, served)).json<{ sources: SyncLine[] }>();
    expect(JSON.stringify(again.sources)).not.toMatch(/"(new|changed)":[1-9]/);
    const [listed] = (await plumb('source list --org Acme --json', {}, served)).json<{ last_sync: unknown }[]>();
    expect(listed?.last_sync).toMatchObject({ outcome: 'complete' });
  });

  test('plumb sync of all sources goes on where one fails, its exit code says so, and the doctor what to do', async () => {
    const unread = await add('Broken', 'NOT_THERE');
    expect([unread.code, unread.stderr]).toEqual([1, expect.stringMatching(/no NOT_THERE\..*Nothing was saved\./s)]);
    expect((await add('Broken', 'NOT_THERE', ' --no-check')).code).toBe(0);
    const synced = await plumb('sync --org Acme --json', {}, served);
    expect(synced.code).toBe(5);
    const failed = { outcome: 'failed', error: expect.stringContaining('no NOT_THERE'), to_do: expect.any(String) };
    expect(synced.json()).toMatchObject({
      sources: [
        { source: 'Broken', ...failed },
        { source: 'Clone', outcome: 'complete' },
      ],
    });
    expect((await plumb('sync --org Acme --source Broken --json', {}, served)).code).toBe(1);
    const doctor = await plumb('doctor --json', {}, served);
    const { checks } = doctor.json<{ checks: { name: string; status: string; detail: string }[] }>();
    expect(checks.find(({ name }) => name === 'sources')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(
        /Acme: Broken: The environment of this server has no NOT_THERE\. Set NOT_THERE [^.]*[^.]\.$/,
      ),
    });
    const ofAcme = await plumb('doctor --org Acme', {}, served);
    expect([ofAcme.code, ofAcme.stdout]).toEqual([0, expect.stringMatching(/^warning {2}sources +1 finding$/m)]);
    expect(ofAcme.stdout).toMatch(/^ +Acme: Broken: The environment of this server has no NOT_THERE\./m);
    expect(ofAcme.stdout).not.toMatch(/node|data folder/);
    expect((await plumb('doctor --org Nope', {}, served)).code).toBe(3);
    const { stdout: list } = await plumb('source list --org Acme', {}, served);
    expect(list).toMatch(/\n\nBroken: The environment of this server has no NOT_THERE\. Set NOT_THERE .*again\.$/m);
  });

  test('An unknown source is not found, and so is one where there is none', async () => {
    expect((await plumb('sync --org Acme --source Nope', {}, served)).code).toBe(3);
    const empty = await plumb('sync --org Empty', {}, served);
    expect([empty.code, empty.stderr]).toEqual([3, expect.stringContaining('plumb source add')]);
  });
});

test('plumb source add --json is one document with the id, and what was added is removed, without a server', async () => {
  await asked.stop();
  const added = await plumb(
    'source add git --org Acme --name Other --set path=/none --set repository=acme/other --no-check --json',
  );
  expect(added.json()).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'git',
    name: 'Other',
    webhook_url: null,
    webhook_secret: null,
  });
  expect((await plumb('source remove --org Acme Other')).code).toBe(0);
});

describe('the secret', () => {
  /** What the doctor says of it, without all else that it looks at. */
  const secretOf = async (environment: Readonly<Record<string, string>> = {}, folder = data) => {
    const { PLUMB_SECRET: secret, PLUMB_SECRET_OLD: secretOld } = environment;
    const store = await openStore({ folder });
    try {
      const organisations = await store.read(listOrganisations);
      const [examineSecret] = sourceChecks({ folder, secret, secretOld });
      const [found] = (await examineSecret?.(store, { organisations, isOfOne: false, maxExamples: 3 })) ?? [];
      return found && { ...found, detail: wholeDetail(found) };
    } finally {
      await store.close();
    }
  };

  test('The secret is made in the data folder, for its owner alone, and the doctor says so', async () => {
    const path = join(data, 'secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { checks } = (await plumb('doctor --json')).json<{ checks: { name: string; status: string }[] }>();
    expect(checks.find(({ name }) => name === 'secret')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('in the data folder'),
    });
  });

  test('The secret is in no backup, nor is a token; after a restore tokens need it or are asked for again', async () => {
    const file = join(folder, 'acme.backup');
    expect((await plumb(`backup ${file}`)).code).toBe(0);
    const secret = readFileSync(join(data, 'secret'), 'utf8').trim();
    const bytes = gunzipSync(readFileSync(file));
    for (const hidden of [secret, token]) expect(bytes.includes(hidden)).toBe(false);
    const restored = join(folder, 'restored');
    expect((await plumb(`restore ${file}`, {}, restored)).code).toBe(0);
    const check = await plumb('source check --org Acme Code', {}, restored);
    expect([check.code, check.stdout]).toEqual([1, expect.stringMatching(/another PLUMB_SECRET.*source set/)]);
    expect(await secretOf({}, restored)).toMatchObject({ status: 'problem' });
    const same = await plumb('source list --org Acme', { PLUMB_SECRET: secret }, restored);
    expect(same.stdout).toContain('token=set');
    expect(await secretOf({ PLUMB_SECRET: secret }, restored)).toMatchObject({ status: 'ok' });
    expect((await plumb('source set --org Acme Code --set token=again', {}, restored)).code).toBe(0);
    expect(await secretOf({}, restored)).toMatchObject({
      status: 'problem',
      findings: [{ count: 1 }],
      detail: expect.stringMatching(/another PLUMB_SECRET.* Acme: Code \(webhook_secret\)\.$/),
    });
    expect((await plumb('source set --org Acme Code --set webhook_secret=w', {}, restored)).code).toBe(0);
    expect(await secretOf({}, restored)).toMatchObject({ status: 'warning' });
  });

  test('The secret is rotated with PLUMB_SECRET_OLD meanwhile, and without the right one nothing changes', async () => {
    const first = { PLUMB_SECRET: 'the first long word' };
    expect((await plumb('secret rotate --json', first)).json()).toEqual({ sources: 1, addresses: 0 });
    const second = { PLUMB_SECRET: 'the second long word' };
    const refused = await plumb('secret rotate', second);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('another PLUMB_SECRET')]);
    const both = { ...second, PLUMB_SECRET_OLD: first.PLUMB_SECRET };
    expect(await secretOf(both)).toMatchObject({ detail: expect.stringContaining('secret rotate') });
    expect((await plumb('secret rotate', both)).code).toBe(0);
    expect(await secretOf(both)).toMatchObject({ detail: expect.stringContaining('not needed any more') });
    expect((await plumb('source list --org Acme', second)).stdout).toContain('token=set');
    expect(await secretOf(second)).toMatchObject({ detail: expect.stringContaining('is not in use') });
  });
});
