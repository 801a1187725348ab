import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-alert-'));
const data = join(folder, 'data');
const who = ['--org', 'Acme', '--as', 'ada@acme.example'];
const plumb = (...words: readonly string[]) => callPlumb(data, words);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

beforeAll(() => copyAcme(data));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const to = 'to:\n  - email: ada@acme.example\n';

test('plumb alert and plumb digest apply, list, show and remove', async () => {
  const alert = file('alert.yaml', `alert: behind\nrule:\n  source_behind:\n    hours: 12\n${to}`);
  expect((await plumb('alert', 'apply', ...who, alert)).stdout).toContain('1 new.');
  expect((await plumb('alert', 'apply', ...who, alert)).stdout).toContain('1 unchanged.');
  expect((await plumb('alert', 'list', ...who)).stdout).toMatch(/behind +Source behind/);
  expect(parse((await plumb('alert', 'show', ...who, 'behind')).stdout)).toEqual({
    alert: 'behind',
    rule: { source_behind: { hours: 12 } },
    to: [{ email: 'ada@acme.example' }],
  });
  const digest = file('digest.yaml', `digest: monday\nboard: null\nevery: monday 08:00\n${to}`);
  expect((await plumb('digest', 'apply', ...who, digest)).stdout).toContain('1 new.');
  expect((await plumb('digest', 'list', ...who)).stdout).toMatch(/monday .*monday 08:00/);
  const wrong = await plumb('digest', 'apply', ...who, file('wrong.yaml', `digest: wrong\nevery: noon\n${to}`));
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('every must be')]);
  expect((await plumb('alert', 'deliveries', ...who, 'behind')).stdout).toBe('Nothing was sent yet.\n');
  expect((await plumb('alert', 'test', ...who, 'behind')).stdout).toBe('An example is on its way to 1 receiver.\n');
  const sent = (await plumb('alert', 'deliveries', ...who, 'behind')).stdout;
  expect(sent).toMatch(/^When .+\n\d{4}-\d\d-\d\d \d\d:\d\d UTC +ada@acme\.example /);
  const strange = await plumb('alert', 'test', ...who, 'other');
  expect([strange.code, strange.stderr]).toEqual([3, expect.stringContaining("There is no alert 'other'")]);
  expect((await plumb('alert', 'remove', ...who, 'behind')).stdout).toContain('Removed alert behind.');
});
