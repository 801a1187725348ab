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

beforeAll(async () => {
  const ids: string[] = [];
  for (const name of ['Acme', 'Invented']) {
    const made = await callPlumb(data, [
      'org',
      'create',
      '--name',
      name,
      '--owner-email',
      'ada@acme.example',
      '--json',
    ]);
    ids.push(made.json<{ id: string }>().id);
  }
  // The mark by which organisations of the demo are known.
  const app = await openApp({ folder: data, databaseUrl: undefined });
  await app.store.change(ids[1] ?? '', (session) => putCursor(session, demoSource, 'filled', 'x', new Date()));
  await app.close();
});

test('plumb demo --remove asks whoever sits at a terminal, and goes on only after a yes', async () => {
  const what = 'This deletes Invented, with everything in them, without a backup.';
  const piped = await callPlumb(data, ['demo', '--remove'], { stdin: 'yes\n' });
  expect([piped.code, piped.stderr]).toEqual([2, `${what} Nobody can be asked here: add --yes to go on.\n`]);
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
  expect((await callPlumb(data, ['demo', '--remove', '--yes'])).stdout).toBe('There is no demo here.\n');
});
