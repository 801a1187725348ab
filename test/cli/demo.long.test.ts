import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runPlumb } from '../setup/plumb-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('plumb demo fills an empty folder with six organisations, the same ones every time', async () => {
  const first = (await runPlumb(folder, ['demo', '--scale', '0.03', '--json'])).json<{ id: string }[]>();
  expect(first).toHaveLength(6);
  const again = (await runPlumb(folder, ['demo', '--json'])).json<{ id: string }[]>();
  expect(again).toEqual(first);
  expect((await runPlumb(folder, ['demo', '--scale', 'big'])).code).toBe(2);
  expect((await runPlumb(folder, ['demo', '--remove', '--yes', '--json'])).json()).toHaveLength(6);
  expect((await runPlumb(folder, ['org', 'list', '--json'])).json()).toEqual([]);
  const filledAgain = await runPlumb(folder, ['demo', '--scale', '0.03', '--json']);
  expect(filledAgain.json()).toEqual(first);
  expect((await runPlumb(folder, ['verify', '--json'])).json()).toMatchObject({ ok: true });
}, 300_000);
