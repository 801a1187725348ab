import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { openApp } from '../../src/main.ts';
import { putCursor } from '../../src/store/cursors.ts';
import { demoSource } from '../../src/store/organisation-rows.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-demo-remove-'));
const data = join(folder, 'data');
mkdirSync(data, { mode: 0o700 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = async () => {
  const { json } = await callPlumb(data, ['org', 'list', '--json']);
  return json<{ name: string }[]>().map(({ name }) => name);
};

/** The last of them has the mark by which organisations of the demo are known. */
async function makeOrganisations(...names: string[]): Promise<void> {
  const app = await openApp({ folder: data, databaseUrl: undefined, threads: threadsForFewRows });
  let last = '';
  for (const name of names) {
    const named = { name, ownerEmail: 'ada@acme.example' };
    last = (await createOrganisation(app.directory, { via: 'command', user: 'test' }, named)).id;
  }
  await app.store.change(last, (session) => putCursor(session, demoSource, 'filled', 'x', new Date()));
  await app.close();
}

beforeAll(() => makeOrganisations('Acme', 'Invented'));

test('plumb demo --remove asks whoever sits at a terminal, and goes on only after a yes', async () => {
  for (const stdin of ['no\n', '']) {
    const refused = await callPlumb(data, ['demo', '--remove'], { isTyped: true, stdin });
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      0,
      '',
      expect.stringMatching(/^This deletes Invented, .*\(yes\/no\).*Nothing was changed\.\n$/s),
    ]);
  }
  expect(await names()).toEqual(['Acme', 'Invented']);
  const removed = await callPlumb(data, ['demo', '--remove'], { isTyped: true, stdin: 'yes\n' });
  expect([removed.code, removed.stdout]).toEqual([0, 'Deleted Invented.\n']);
  expect(await names()).toEqual(['Acme']);
  expect((await callPlumb(data, ['demo', '--remove'], { isTyped: true })).stdout).toBe('There is no demo here.\n');
});

test.each([
  { where: 'with --yes at a terminal', options: ['--yes'], isTyped: true },
  { where: 'in a script', options: [], isTyped: false },
])('plumb demo --remove does not ask $where', async ({ options, isTyped }) => {
  await makeOrganisations('Invented again');
  const removed = await callPlumb(data, ['demo', '--remove', ...options], { isTyped, stdin: '' });
  expect([removed.code, removed.stdout, removed.stderr]).toEqual([0, 'Deleted Invented again.\n', '']);
  expect(await names()).toEqual(['Acme']);
});
