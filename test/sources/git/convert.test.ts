import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { isPrerelease, pullRequestRecords } from '../../../src/sources/git/convert.ts';
import { type LoggedCommit, pullRequestIn } from '../../../src/sources/git/log.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';

const merged: LoggedCommit = {
  sha: 'a'.repeat(40),
  parents: ['b'.repeat(40)],
  authorName: 'Ada',
  authorEmail: 'ada@acme.test',
  authoredAt: 1_709_283_600,
  committedAt: 1_709_283_600,
  message: 'Import a library (#6)',
  files: [],
};
const place = { host: 'github', repository: 'acme/web', firstName: 'acme/web', branch: 'main' };

describe('records of git', () => {
  test('Records of git list as many files as one value holds, and count all of them', () => {
    const files = Array.from({ length: 4_000 }, (_, n) => ({
      path: `${'long/'.repeat(100)}${n}`,
      additions: 1,
      deletions: 0,
    }));
    const { records } = pullRequestRecords([{ number: 6, merge: { ...merged, files }, commits: [] }], place);
    const [row] = records[0]?.records ?? [];

    expect(row).toMatchObject({ changed_files: 4_000, additions: 4_000 });
    expect(row?.files).toHaveLength(1_597);
    expect(readRecord(recordShapeFor('pull_requests'), row)).toHaveProperty('record');
  });

  test('Records of git leave out times that are none, and say which', () => {
    const { records, problems } = pullRequestRecords(
      [{ number: 6, merge: { ...merged, committedAt: -5 }, commits: [] }],
      place,
    );

    expect(records[0]?.records[0]).not.toHaveProperty('pr_merged_at');
    expect(problems).toEqual([`the committer date of ${merged.sha} is not a time from 1970 on`]);
  });

  test.each([
    ['Add a thing (#12)', false, { number: 12, title: 'Add a thing' }],
    ['Revert "Add a thing (#12)" (#13)', false, { number: 13, title: 'Revert "Add a thing (#12)"' }],
    ['Add a thing (#12) and more', false, undefined],
    ['Add a thing (#0)', false, undefined],
    ['Add a thing (#99999999999)', false, undefined],
    ['A title (#15)\n\nand a body (#16)', true, { number: 15, title: 'A title' }],
    ['Merge pull request #4 from bo/fix/space\n\nTrim', true, { number: 4, title: 'Trim', headBranch: 'fix/space' }],
    ['Merge pull request #4 from bo/fix', true, { number: 4, headBranch: 'fix' }],
    // Somebody quotes a merge: nothing was merged here.
    ['Merge pull request #4 from bo/fix', false, undefined],
    ["Merge branch 'main' into fix", true, undefined],
  ])('%s (merge: %s)', (message, isMerge, named) => {
    expect(pullRequestIn(message, isMerge)).toEqual(named);
  });

  test.each(['v1.0.0-rc.1', '2.0.0-beta', '1.4b2', 'v8-alpha.3', '3.0.0.dev1', 'web@2.0.0-next.4', '1.0-SNAPSHOT'])(
    '%s is a prerelease',
    (tag) => expect(isPrerelease(tag)).toBe(true),
  );
  test.each(['v1.0.0', '2024b', 'release-2024-03-01', 'v1.0.0-devtools', 'build-3a4f', '1.2.3-1', 'web@2.0.0'])(
    '%s is not',
    (tag) => expect(isPrerelease(tag)).toBe(false),
  );
});

describe.runIf(recordedDataAvailable)('recorded histories', () => {
  const rows = (file: string): string[][] =>
    readFileSync(join(recordedDataFolder, 'git-derived', file), 'utf8')
      .split(/\r?\n/)
      .slice(1)
      .filter((line) => line !== '')
      .map((line) =>
        [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
          cell.replace(/^"|"$/g, '').replaceAll('""', '"'),
        ),
      );

  test.each(['google_zx', 'honojs_hono'])('Of %s name the same pull requests and prereleases', (name) => {
    const pullRequests = rows(`${name}_merged_pull_requests.csv`);
    const wrong = pullRequests.filter(
      ([number, method, , , , subject = '']) => pullRequestIn(subject, method === 'merge')?.number !== Number(number),
    );
    expect(pullRequests.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
    expect(rows(`${name}_tags.csv`).filter(([tag = '', , , , is]) => isPrerelease(tag) !== (is === '1'))).toEqual([]);
  });
});
