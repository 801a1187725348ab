import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSource } from '../../src/demo/fill.ts';
import { openApp } from '../../src/main.ts';
import { putCursor } from '../../src/store/cursors.ts';
import { callPlumb } from '../setup/plumb-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-demo-remove-'));
const data = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = async () => {
  const { json } = await callPlumb(data, ['org', 'list', '--json']);
  return json<{ name: string }[]>().map(({ name }) => name);
};

async function makeOrganisation(name: string): Promise<string> {
  const named = ['--name', name, '--owner-email', 'ada@acme.example'];
  return (await callPlumb(data, ['org', 'create', ...named, '--json'])).json<{ id: string }>().id;
}

/** The mark by which organisations of the demo are known. */
async function markAsDemo(id: string): Promise<void> {
  const app = await openApp({ folder: data, databaseUrl: undefined });
  await app.store.change(id, (session) => putCursor(session, demoSource, 'filled', 'x', new Date()));
  await app.close();
}

beforeAll(async () => {
  await makeOrganisation('Acme');
  await markAsDemo(await makeOrganisation('Invented'));
});

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
])('it does not ask $where', async ({ options, isTyped }) => {
  await markAsDemo(await makeOrganisation('Invented again'));
  const removed = await callPlumb(data, ['demo', '--remove', ...options], { isTyped, stdin: '' });
  expect([removed.code, removed.stdout, removed.stderr]).toEqual([0, 'Deleted Invented again.\n', '']);
  expect(await names()).toEqual(['Acme']);
});
