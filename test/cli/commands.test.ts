import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingNames } from '../../src/directory/organisation-settings.ts';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { type Finished, runPlumb } from '../setup/plumb-process.ts';
import { copyAcme } from './acme-folder.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-cli-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * The one promise of every command: the same with a server on the folder and without. Without one each command opens the
 * folder, which takes ten times as long; so operations of every sort are tried both ways: what lists, changes, takes in
 * and gives out. The long run tries all of them without a server, too, and what they refuse.
 */
describe.each([{ running: false }, { running: true }])('commands, server running: $running', ({ running }) => {
  const data = join(newFolder(), 'data');
  const isThorough = running || isLong;
  let server: CalledServer | undefined;
  let organisation: { id: string; owner_id: string; sign_in_url: string };
  const plumb = (...args: string[]): Promise<Finished> => callPlumb(data, args);
  const org = () => ['--org', organisation.id];

  beforeAll(async () => {
    if (running) server = await callServer(data);
    const created = await plumb('org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example', '--json');
    expect(created.code).toBe(0);
    organisation = created.json();
  });
  afterAll(async () => {
    await server?.abandon();
  });

  test('Org create answers id, owner_id and a sign-in link of the service', () => {
    expect(Object.keys(organisation).sort()).toEqual(['id', 'owner_id', 'sign_in_url']);
    const base = server?.url ?? 'http://127.0.0.1:0';
    expect(organisation.sign_in_url).toMatch(new RegExp(`^${base}/sign-in/plumbsignin_[0-9A-Za-z]{39}$`));
  });

  test('Org set changes settings, all of them or none', async () => {
    const set = await plumb('org', 'set', ...org(), 'time_zone=asia/kolkata', 'team_restrictions=true', '--json');
    expect(set.json()).toMatchObject({ time_zone: 'asia/kolkata', team_restrictions: true, incident_window_days: 7 });
    const wrong = await plumb('org', 'set', ...org(), 'team_restrictions=false', 'time_zone=Mars/Olympus', '--json');
    expect(wrong.code).toBe(2);
    expect(wrong.json().detail).toContain('Mars/Olympus');
    const listed = (await plumb('org', 'list', '--json')).json<{ team_restrictions: boolean }[]>();
    expect(listed).toMatchObject([{ team_restrictions: true }]);
    if (!isThorough) return;
    const unknown = await plumb('org', 'set', ...org(), 'timezone=UTC');
    expect(unknown.stderr).toContain("Did you mean 'time_zone'?");
  });

  test('An organisation is named by identifier or by name, and an unknown one is 3', async () => {
    if (isThorough) expect((await plumb('key', 'list', '--org', 'acme', '--json')).json()).toEqual([]);
    const unknown = await plumb('key', 'list', '--org', 'Acne');
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toContain("Did you mean 'Acme'?");
  });

  test('People are imported, set, merged, unmerged and removed', async () => {
    const file = join(newFolder(), 'people.ndjson');
    const people = [
      { name: 'Bo', main_email: 'bo@acme.example', logins: { github: 'bo' }, teams: ['Core'] },
      { name: 'Bo again', main_email: 'bo@home.example', onboarded: true },
    ];
    writeFileSync(file, people.map((person) => JSON.stringify(person)).join('\n'));
    const imported = await plumb('import', ...org(), '--table', 'people', file, '--json');
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.json()).toEqual({ accepted: 2, rejected: 0, onboarded: 2, not_onboarded: 0 });
    if (isThorough) {
      const again = await plumb('import', ...org(), '--table', 'people', file);
      expect(again.stdout).toContain('Of these people 2 are in metrics and 0 are not.');
      const stranger = await plumb('person', 'set', ...org(), 'new@acme.example', 'name=New', '--json');
      expect(stranger.code).toBe(3);
      const created = await plumb('person', 'set', ...org(), 'new@acme.example', 'name=New', '--create', '--json');
      expect(created.json()).toMatchObject({ name: 'New', email: 'new@acme.example' });
    }

    const set = await plumb('person', 'set', ...org(), 'BO', 'access_role=manager', 'teams=Core,Platform', '--json');
    expect(set.json()).toMatchObject({ name: 'Bo', access_role: 'Manager', onboarded: true });
    if (!isThorough) return;
    const merged = await plumb('person', 'merge', ...org(), 'bo@acme.example', 'bo@home.example', '--json');
    expect(merged.json()).toMatchObject({ survivor: { name: 'Bo' }, absorbed: { name: 'Bo again' } });
    expect((await plumb('person', 'merge', ...org(), 'bo', 'bo@home.example')).code).toBe(2);
    const unmerged = await plumb('person', 'unmerge', ...org(), 'bo@home.example', '--json');
    expect(unmerged.json()).toMatchObject({ survivor: { name: 'Bo' }, absorbed: { name: 'Bo again' } });

    expect((await plumb('person', 'remove', ...org(), 'bo@home.example', '--json')).code).toBe(0);
    expect((await plumb('person', 'remove', ...org(), 'bo@home.example', '--json')).code).toBe(3);
    const last = await plumb('person', 'remove', ...org(), 'ada@acme.example');
    expect(last.code).toBe(1);
    expect(last.stderr).toContain('only Owner');
  });

  test('Bad rows are reported by line, kept beside the file, and make the end 5; --strict keeps nothing', async () => {
    const file = join(newFolder(), 'teams.csv.gz');
    writeFileSync(file, gzipSync('team_name,department\nPayments,Money\n,Nowhere\n"Ops, night",\n'));
    const strict = await plumb('import', ...org(), '--table', 'teams', file, '--strict', '--json');
    expect(strict).toMatchObject({ code: 1 });
    expect(strict.json()).toEqual({ accepted: 0, rejected: 1 });
    const imported = await plumb('import', ...org(), '--table', 'teams', file, '--json');
    expect(imported).toMatchObject({ code: 5 });
    expect(imported.json()).toEqual({ accepted: 2, rejected: 1 });
    expect(imported.stderr).toContain(':3: needs team_name');
    const rejects = readFileSync(`${file}.rejects.ndjson`, 'utf8').trim().split('\n');
    expect(rejects.map((line) => JSON.parse(line))).toEqual([
      { line: 3, detail: 'needs team_name', record: { team_name: '', department: 'Nowhere' } },
    ]);
    if (!isThorough) return;
    const again = await plumb('import', ...org(), '--table', 'team', file);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("Did you mean 'teams'?");
  });

  test('Keys are made once, listed without themselves, rotated and revoked', async () => {
    const made = (await plumb('key', 'create', ...org(), '--as', 'ada@acme.example', '--name', 'ci', '--json')).json<{
      id: string;
      key: string;
    }>();
    expect(Object.keys(made).sort()).toEqual(['id', 'key']);
    const listed = await plumb('key', 'list', ...org(), '--json');
    expect(listed.json()).toMatchObject([{ id: made.id, name: 'ci', status: 'active', creator: 'ada@acme.example' }]);
    expect(listed.stdout).not.toContain(made.key);
    if (!isThorough) return;
    const rotated = (await plumb('key', 'rotate', ...org(), made.id, '--overlap', '1h', '--json')).json<{
      id: string;
    }>();
    expect(rotated.id).not.toBe(made.id);
    const twice = await plumb('key', 'rotate', ...org(), made.id);
    expect(twice.code).toBe(1);
    expect(twice.stderr).toContain(rotated.id);
    expect((await plumb('key', 'revoke', ...org(), made.id, '--json')).json()).toEqual({ id: made.id });
    expect((await plumb('key', 'revoke', ...org(), made.id)).code).toBe(0);
    expect((await plumb('key', 'revoke', ...org(), 'nope')).code).toBe(3);
    expect((await plumb('key', 'create', ...org(), '--as', 'no@acme.example', '--name', 'x')).code).toBe(3);
    expect(
      (await plumb('key', 'create', ...org(), '--as', 'ada@acme.example', '--name', 'x', '--expires', 'soon')).code,
    ).toBe(2);
    expect((await plumb('key', 'rotate', ...org(), made.id, '--overlap', 'a while')).code).toBe(2);
    // The one that was revoked has the name as well, and works no more.
    const named = await plumb('key', 'rotate', ...org(), '--name', 'ci', '--json');
    expect(named.json()).toEqual({ id: expect.any(String), key: expect.stringMatching(/^plumb_/) });
    const ambiguous = await plumb('key', 'rotate', ...org(), '--name', 'ci');
    expect([ambiguous.code, ambiguous.stderr]).toEqual([2, expect.stringContaining(rotated.id)]);
    for (const which of [[], [made.id, '--name', 'ci']]) {
      const unclear = await plumb('key', 'rotate', ...org(), ...which);
      expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('Say which key')]);
    }
    const impossible = [
      'key',
      'create',
      ...org(),
      '--as',
      'ada@acme.example',
      '--name',
      'x',
      '--expires',
      '2027-02-31',
    ];
    expect((await plumb(...impossible)).code).toBe(2);
    if (server) {
      const response = await fetch(`${server.url}/teams`, { headers: { authorization: made.key } });
      expect(response.status).toBe(401);
    }
  });

  if (isThorough)
    test('Person sign-in makes a link for somebody who has none', async () => {
      const { sign_in_url } = (await plumb('person', 'sign-in', ...org(), 'ada@acme.example', '--json')).json<{
        sign_in_url: string;
      }>();
      expect(sign_in_url).toMatch(/\/sign-in\/plumbsignin_/);
      expect(sign_in_url).not.toBe(organisation.sign_in_url);
    });

  test('The audit log tells what was done, and by whom', async () => {
    const entries = (await plumb('audit', ...org(), '--limit', '500', '--json')).json<
      { action: string; actor: string }[]
    >();
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'organisation.create',
        'organisation.set',
        'person.update',
        'key.create',
        ...(isThorough ? ['person.merge', 'person.unmerge', 'key.revoke'] : []),
      ]),
    );
    expect(entries.every(({ actor }) => /.+@.+/.test(actor))).toBe(true);
  });

  /** Without a server that is tried in backup-org.test.ts, org-delete.test.ts and safety.test.ts. */
  if (isThorough)
    test('Doctor, verify, backup and restore', async () => {
      expect((await plumb('doctor', '--json')).json()).toMatchObject({ ok: true });
      expect((await plumb('verify', '--json')).json()).toMatchObject({ ok: true, findings: [] });
      const file = join(newFolder(), 'acme.backup');
      const written = await plumb('backup', file, '--json');
      expect(written.json()).toEqual({ file, bytes: statSync(file).size });
      expect(statSync(file).mode & 0o077).toBe(0);
      expect((await plumb('backup', file)).code).toBe(1);
      expect((await plumb('restore', file)).code).not.toBe(0);
      expect((await plumb('verify', file, '--json')).json()).toMatchObject({ ok: true });
      const into = join(newFolder(), 'restored');
      expect((await callPlumb(into, ['restore', file, '--json'])).code).toBe(0);
      expect((await callPlumb(into, ['org', 'list', '--json'])).stdout).toBe(
        (await plumb('org', 'list', '--json')).stdout,
      );
      expect((await callPlumb(into, ['restore', file])).code).toBe(1);
    });

  test('A process of its own says the same, with the same end', async () => {
    for (const args of [
      ...(isThorough ? [['org', 'list', '--json']] : []),
      ...(!running || isLong ? [['key', 'list', '--org', 'Acne']] : []),
    ]) {
      const [process, call] = [await runPlumb(data, args), await plumb(...args)];
      expect([process.code, process.stdout, process.stderr]).toEqual([call.code, call.stdout, call.stderr]);
    }
  });
});

describe('the command line', () => {
  const plumb = (...args: string[]) => callPlumb(join(newFolder(), 'data'), args);

  test.each([
    [],
    ['serve'],
    ['org'],
    ['org', 'create'],
    ['person', 'merge'],
    ['key', 'rotate'],
    ['import'],
    ['backup'],
    ['doctor'],
  ])('Help of plumb %s %s starts with an example and needs no data', async (...command: string[]) => {
    const { code, stdout } = await plumb(...command, '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Example:\\n  .*plumb ${command[0] ?? 'serve'}`));
  });

  test('Help of plumb org set names every setting', async () => {
    const { stdout } = await plumb('org', 'set', '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${settingNames.join(', ')}, each as KEY=VALUE`);
  });

  test('A mistyped command or option is 2, with what was meant', async () => {
    const command = await plumb('improt');
    expect(command).toMatchObject({ code: 2, stdout: '' });
    expect(command.stderr).toContain('Did you mean import?');
    const option = await plumb('key', 'list', '--org', 'x', '--jsno');
    expect(option.code).toBe(2);
    expect(option.stderr).toContain('Did you mean --json?');
    const missing = await plumb('key', 'list', '--json');
    expect(missing.code).toBe(2);
    expect(missing.json().detail).toContain('--org');
    expect((await plumb('demo', '--scale', 'big')).code).toBe(2);
  });

  test('Every problem of the configuration is in one message, and the end is 2', async () => {
    const environment = { PLUMB_PORT: 'many', PLUMB_LOG: 'loud', PLUMB_PROT: '1', CLICKHOUSE_URL: 'http://x' };
    const { code, stderr } = await callPlumb(newFolder(), ['serve'], { environment });
    expect(code).toBe(2);
    for (const name of Object.keys(environment)) expect(stderr).toContain(name);
    expect(stderr).toContain("Did you mean 'PLUMB_PORT'?");
  });

  test('An organisation that nobody can sign in to by its name ends the start with 2', async () => {
    const environment = {
      PLUMB_OIDC_ISSUER: 'http://127.0.0.1:9000',
      PLUMB_OIDC_CLIENT_ID: 'plumb',
      PLUMB_OIDC_ORGANISATIONS: 'Acme',
    };
    const { code, stderr } = await callPlumb(newFolder(), ['serve'], { environment });
    expect(code).toBe(2);
    expect(stderr).toContain("PLUMB_OIDC_ORGANISATIONS is not usable: There is no organisation 'Acme'.");
  });

  test('A data folder that cannot be used is said to be so at once', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'folder.lock'), 'not a lock');
    const began = performance.now();
    const { code, stderr } = await callPlumb(folder, ['org', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be used');
    expect(stderr).not.toContain('in use');
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('An unreadable table on standard input is reported, not thrown', async () => {
    const folder = newFolder();
    await copyAcme(folder);
    const { code, stderr } = await callPlumb(folder, ['import', '--org', 'Acme', '--table', 'people', '-'], {
      stdin: '{"name": \n{"main_email": "b@a.example"}\n',
    });
    expect(code).toBe(5);
    expect(stderr).toContain('-:1:');
    expect(existsSync('stdin.rejects.ndjson')).toBe(true);
    rmSync('stdin.rejects.ndjson');
  });
});
