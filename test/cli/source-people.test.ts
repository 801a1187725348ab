import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AccountView, DirectoryPreview } from '../../src/control/source-people.ts';
import { callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { type ReplayServer, startReplay } from '../sources/github/replay/server.ts';
import { someRepository, someWorld } from '../sources/github/replay/some-world.ts';
import { emptyRepository, type World } from '../sources/github/replay/world.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-people-'));
// An empty repository: what is in it takes most of the time of a sync, and changes nothing about people.
const world: World = { ...someWorld(), repositories: [emptyRepository(someRepository('acme/web', 101))] };
let github: ReplayServer;

const plumb = (words: string) => callPlumb(folder, words.split(' '));

async function listed(): Promise<AccountView[]> {
  return (await plumb('source people --org Acme Code --json')).json() as AccountView[];
}

async function previewed(): Promise<DirectoryPreview> {
  const [preview] = (await plumb('source people --org Acme Code --dry-run --json')).json() as DirectoryPreview[];
  if (!preview) throw new Error('nothing was previewed');
  return preview;
}

beforeAll(async () => {
  github = await startReplay(world);
  await copyAcme(folder);
  const settings = `--set base_url=${github.url} --set token=replay-token --set organization=acme --set offboard_leavers=true`;
  expect((await plumb(`source add github --org Acme --name Code ${settings}`)).code).toBe(0);
});
afterAll(async () => {
  await github.close();
  rmSync(folder, { recursive: true, force: true });
});

test('Members and teams of GitHub are previewed, taken, unlinked and offboarded', async () => {
  const preview = await plumb('source people --org Acme Code --dry-run');
  expect(preview.stdout).toMatch(/^acme: 2 members\. A sync would make these changes\. Nothing was changed now\.\n/);
  expect(preview.stdout).toContain(
    '  ada → ada@acme.example, by verified email address\n  grace → grace, a new person\n',
  );
  expect(preview.stdout).toContain('  + team Engineering\n  + team Web\n  + Engineering: ada@acme.example\n');

  // From here on through a server, where a command need not open the folder.
  const server = await callServer(folder);
  onTestFinished(() => server.abandon());
  expect((await plumb('source people --org Acme Code')).stdout).toBe('No members have been read yet.\n');
  expect((await plumb('sync --org Acme --source Code')).code).toBe(0);
  const [ada, grace] = await listed();
  expect(ada).toMatchObject({ login: 'ada', owner: 'acme', name: 'ada@acme.example', onboarded: true, left_at: null });
  expect(grace).toMatchObject({ login: 'grace', onboarded: true });
  expect((await plumb('source people --org Acme Code --dry-run')).stdout).toBe(
    'acme: 2 members. A sync would change nothing.\n',
  );

  const unlinked = await plumb('source people --org Acme Code --unlink ADA');
  expect([unlinked.code, unlinked.stdout]).toEqual([0, expect.stringContaining('no longer ada@acme.example’s')]);
  expect((await listed())[0]).toMatchObject({ merged_user_id: null, is_unlinked: true });
  expect(await previewed()).toMatchObject({
    people: [{ login: 'ada', linked_by: 'new', merged_user_id: null }, { linked_by: 'earlier_sync' }],
    memberships_added: [
      { team: 'Engineering', person: 'Ada Lovelace' },
      { team: 'Web', person: 'Ada Lovelace' },
    ],
    memberships_removed: [
      { team: 'Engineering', person: 'ada@acme.example' },
      { team: 'Web', person: 'ada@acme.example' },
    ],
  });
  // GitHub says the same as before: what was changed here is what makes the difference.
  expect((await plumb('sync --org Acme --source Code')).code).toBe(0);
  expect((await listed())[0]).toMatchObject({ name: 'Ada Lovelace', is_unlinked: true, email_belongs_to: null });

  world.organizations[0]?.members.pop();
  expect((await plumb('source people --org Acme Code --dry-run')).stdout).toContain(
    '  - Engineering: grace\n  left: grace (grace)\n  no longer in metrics: grace\n',
  );
  expect((await plumb('sync --org Acme --source Code')).code).toBe(0);
  expect((await plumb('source people --org Acme Code')).stdout).toMatch(
    /\ngrace +acme +grace +No +left \d{4}-\d\d-\d\d\n?$/,
  );
  const audit = (await plumb('audit --org Acme --json')).json() as { action: string; via: string }[];
  expect(audit.find(({ action }) => action === 'person.offboard')).toMatchObject({ via: 'source' });
});

test('A wrong login, two wishes at once and a source without members are refused', async () => {
  const wrong = await plumb('source people --org Acme Code --unlink adda');
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("Did you mean 'ada'")]);
  expect((await plumb('source people --org Acme Code --unlink ada --dry-run')).code).toBe(2);
  await plumb('source add git --org Acme --name Clone --set path=/none --set repository=acme/web --no-check');
  const clone = await plumb('source people --org Acme Clone --dry-run');
  expect(clone.code).toBe(1);
});
