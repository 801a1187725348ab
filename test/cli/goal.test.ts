import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-goal-'));
const data = join(folder, 'data');
const who = ['--org', 'Acme', '--as', 'ada@acme.example'];
const plumb = (...words: readonly string[]) => callPlumb(data, words);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const goal = `goal: daily
title: A pull request a day
metric: pull-requests-count
should_be: above
value: 7
period: week
from: 2024-03-01
visible_to: organisation
`;
const annotation = 'annotation: freeze\nat: 2024-03-04\nuntil: 2024-03-08\ntitle: Freeze\nkind: other\n';

let server: CalledServer | undefined;
beforeAll(() => copyAcme(data));
afterAll(async () => {
  await server?.abandon();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['in the folder', 'through the server'])('plumb goal and plumb annotation %s', (way) => {
  beforeAll(async () => {
    if (way === 'through the server') server = await callServer(data);
  });

  test('plumb goal history prints the state of a goal and a row for each whole period', async () => {
    const path = file('goal.yaml', goal);
    expect((await plumb('goal', 'apply', ...who, path)).stdout).toContain('1 new.');
    expect((await plumb('goal', 'apply', ...who, path)).stdout).toContain('1 unchanged.');
    expect((await plumb('goal', 'list', ...who)).stdout).toMatch(/daily +A pull request a day +Pull requests +week/);
    expect(parse((await plumb('goal', 'show', ...who, 'daily')).stdout)).toMatchObject({ goal: 'daily', value: 7 });
    const said = await plumb('goal', 'history', ...who, 'daily', '--periods', '3');
    expect([said.code, said.stderr]).toEqual([0, '']);
    expect(said.stdout).toMatch(/^daily: .+\nPull requests should be above 7\n\nFrom +To +Value +n +State\n/);
    const whole = (await plumb('goal', 'history', ...who, 'daily', '--periods', '3', '--json')).json();
    expect(whole).toMatchObject({ goal: 'daily', periods: [{}, {}, {}] });
    const many = await plumb('goal', 'history', ...who, 'daily', '--periods', '105');
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('from 1 to 104')]);
    expect((await plumb('goal', 'history', ...who, 'weekly')).code).toBe(3);
    expect((await plumb('goal', 'remove', ...who, 'daily')).stdout).toBe('Removed goal daily.\n');
  });

  test('plumb annotation applies, lists, shows and removes what happened', async () => {
    await plumb('annotation', 'apply', ...who, file('annotation.yaml', annotation));
    expect((await plumb('annotation', 'list', ...who)).stdout).toMatch(/freeze +2024-03-04 +2024-03-08 +other +Freeze/);
    expect(parse((await plumb('annotation', 'show', ...who, 'freeze')).stdout)).toEqual({
      annotation: 'freeze',
      at: '2024-03-04',
      until: '2024-03-08',
      title: 'Freeze',
      kind: 'other',
      filters: {},
    });
    expect((await plumb('annotation', 'remove', ...who, 'freeze')).code).toBe(0);
    expect((await plumb('annotation', 'list', ...who)).stdout).toContain('There are no annotations yet.');
  });
});
