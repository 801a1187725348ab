import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-board-'));
const data = join(folder, 'data');
const who = ['--org', 'Acme', '--as', 'ada@acme.example'];
const plumb = (words: readonly string[], stdin = '') => callPlumb(data, ['board', ...words], { stdin });

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const review = `# The review of every week.
board: review
title: Delivery review
visible_to: organisation
range: 90d
panels:
  - title: Lead time
    metric: lead-time-for-changes
    request: {aggregation: MEDIAN, date_level: week}
    view: line
  - metric: pull-requests-count
    view: number
`;
const counts =
  '{"board": "counts", "title": "Counts", "panels": [{"metric": "pull-requests-count", "view": "number"}]}';

let server: CalledServer | undefined;
beforeAll(() => copyAcme(data));
afterAll(async () => {
  await server?.abandon();
  rmSync(folder, { recursive: true, force: true });
});

/** The same journey twice: by the folder, and through the server that runs on it. */
describe.each(['in the folder', 'through the server'])('plumb board %s', (way) => {
  const files = [file('review.yaml', review), file('counts.json', counts)];
  beforeAll(async () => {
    if (way === 'through the server') server = await callServer(data);
  });

  test('plumb board apply says what changes, makes it, and changes nothing the second time', async () => {
    const dry = await plumb(['apply', ...who, '--dry-run', ...files]);
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('+ title: Delivery review')]);
    expect(dry.stdout).toContain('2 new. Nothing was changed.');
    expect((await plumb(['list', ...who])).stdout).toContain('There are no boards yet.');
    expect((await plumb(['apply', ...who, ...files])).stdout).toContain('2 new.');
    const again = await plumb(['apply', ...who, '--json', ...files]);
    expect(again.json()).toMatchObject({
      applied: false,
      changes: [
        { board: 'review', change: 'unchanged' },
        { board: 'counts', change: 'unchanged' },
      ],
    });
    const changed = await plumb(['apply', ...who, '-'], review.replace('90d', '12w'));
    expect(changed.stdout).toMatch(
      /review: changed\n(?:.*\n)* {2}- range: 90d\n {2}\+ range: 12w\n(?:.*\n)*1 changed\./,
    );
  });

  test('plumb board show prints what apply takes, and list and remove name it', async () => {
    const shown = await plumb(['show', ...who, 'review']);
    expect(parse(shown.stdout)).toEqual(parse(review.replace('90d', '12w')));
    expect((await plumb(['apply', ...who, '-'], shown.stdout)).stdout).toContain('1 unchanged.');
    const listed = await plumb(['list', ...who]);
    expect(listed.stdout).toMatch(/counts +Counts +Only the owner +ada@acme\.example/);
    for (const name of ['counts', 'review'])
      expect((await plumb(['remove', ...who, name])).stdout).toBe(`Removed board ${name}.\n`);
    const gone = await plumb(['show', ...who, 'review']);
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining("no board 'review'")]);
  });

  test('Where one file is wrong, no file is applied, and the file and the panel are named', async () => {
    const wrong = file(
      'wrong.yaml',
      review.replace('lead-time-for-changes', 'lead-time').replace('board: review', 'board: wrong'),
    );
    const refused = await plumb(['apply', ...who, ...files, wrong]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/wrong\.yaml: Panel 1 \(Lead time\): Metric 'lead-time' does not exist/),
    ]);
    expect((await plumb(['list', ...who])).stdout).toContain('There are no boards yet.');
    const nameless = await plumb(['apply', ...who, '-'], 'title: A\npanels: []');
    expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringContaining('board is missing')]);
    const twice = await plumb(['apply', ...who, ...files, files[0] ?? '']);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("'review' is given twice")]);
  });
});

test('plumb board copy prints a page as a board that apply takes, and names what is left out', async () => {
  const copied = await plumb(['copy', 'delivery', '--range', '12w']);
  expect([copied.code, copied.stderr]).toEqual([0, expect.stringContaining('Lead time by phase')]);
  expect(parse(copied.stdout)).toMatchObject({ board: 'delivery', range: '12w' });
  expect((await plumb(['apply', ...who, '--dry-run', '-'], copied.stdout)).stdout).toContain('1 new.');
  expect((await plumb(['copy', 'delivery', '--range', 'soon'])).code).toBe(2);
  expect((await plumb(['copy', 'people'])).code).toBe(2);
});
