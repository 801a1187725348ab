import { describe, expect, test } from 'vitest';
import { isHotfix, parseRevertMarks, type RevertText, revertMarks } from '../../../src/ingest/derive/reverts.ts';

const marksOf = (said: Partial<RevertText>) =>
  parseRevertMarks(revertMarks({ headBranch: null, body: null, title: null, repository: 'Owner/name', ...said }));

describe('what a pull request reverts', () => {
  test.each([
    ['revert-12-feature/login', { number: 12 }],
    ['Revert-12-login', { number: 12 }],
    ['revert-pr-12', { number: 12 }],
    ['revert-12', null],
    ['revert-login', null],
    ['revert-1a2b3c4d', null],
    ['feature/revert-12-login', null],
    ['revert-123456789012-x', null],
  ])('What a pull request reverts is named by the branch %s', (headBranch, marks) => {
    expect(marksOf({ headBranch })).toEqual(marks);
  });

  test.each([
    ['Reverts #12', { number: 12 }],
    ['reverts #12.', { number: 12 }],
    ['Because it broke.\r\n\r\nReverts owner/NAME#12\r\n', { number: 12 }],
    ['Reverts other/name#12', { number: 12, repository: 'other/name' }],
    ['This reverts pull request #12.', { number: 12 }],
    ['This reverts merge request !12', { number: 12 }],
    ['This reverts merge request group/sub/name!12', { number: 12, repository: 'group/sub/name' }],
    ['Reverts https://github.example/owner/name/pull/12', { number: 12 }],
    ['Reverts https://gitlab.example/group/sub/name/-/merge_requests/12', { number: 12, repository: 'group/sub/name' }],
    ['Partly reverts #12 and reverts #13', { number: 12 }],
    ['This reverts commit 1A2B3C4D5E.', { sha: '1a2b3c4d5e' }],
    [
      'This reverts commit `0123456789abcdef0123456789abcdef01234567`',
      { sha: '0123456789abcdef0123456789abcdef01234567' },
    ],
    ['<!-- Reverts #12 -->', null],
    ['<!-- Say what it does.\nReverts #12', null],
    ['We may have to revert #12.', null],
    ['Reverts 12 changes', null],
    ['This reverts commit abc', null],
    ['Irreverts #12', null],
    ['', null],
  ])('What a pull request reverts is named in the body %j', (body, marks) => {
    expect(marksOf({ body })).toEqual(marks);
  });

  test.each([
    ['Revert "Add login"', { title: 'Add login' }],
    ['revert: "Add login"', { title: 'Add login' }],
    ['Revert “Add login”', { title: 'Add login' }],
    ['[1.x] fix(ui): Revert "Add login" (#12)', { title: 'Add login' }],
    ['Revert "Say "hello""', { title: 'Say "hello"' }],
    ['Revert "Revert "Add login""', { title: 'Revert "Add login"' }],
    ['Revert “Revert “Add login””', { title: 'Revert “Add login”' }],
    ['Revert "Add login (#12)"', { title: 'Add login (#12)', quotedNumber: 12 }],
    ['Revert "Add login (#12)" (#13)', { title: 'Add login (#12)', quotedNumber: 12 }],
    ['Revert "Revert "Add login (#12)" (#13)"', { title: 'Revert "Add login (#12)" (#13)', quotedNumber: 13 }],
    ['Revert "Add login (#12) again"', { title: 'Add login (#12) again' }],
    ['Revert "Add login (#1234567890)"', { title: 'Add login (#1234567890)' }],
    ['Reapply "Add login"', null],
    ['Revert login', null],
    ['Revert ""', null],
    ['Do not Revert "Add login"', null],
  ])('What a pull request reverts is named in the title %s', (title, marks) => {
    expect(marksOf({ title })).toEqual(marks);
  });

  test('What a pull request reverts is named by all marks together, of two numbers by that of the branch', () => {
    const said = {
      headBranch: 'revert-12-login',
      body: 'Reverts other/name#13\n\nThis reverts commit 1a2b3c4.',
      title: 'Revert "Add login"',
    };
    expect(marksOf(said)).toEqual({ number: 12, title: 'Add login', sha: '1a2b3c4' });
    expect(marksOf({ ...said, headBranch: 'undo' })).toEqual({
      number: 13,
      repository: 'other/name',
      title: 'Add login',
      sha: '1a2b3c4',
    });
  });

  test('What a pull request reverts is nothing for an ordinary one', () => {
    expect(revertMarks({ headBranch: 'login', body: 'Fixes #12', title: 'Add login', repository: null })).toBeNull();
    expect(parseRevertMarks(null)).toBeNull();
  });

  test('What a pull request reverts keeps the repository where its own is not known', () => {
    expect(marksOf({ body: 'Reverts owner/name#12', repository: null })).toEqual({
      number: 12,
      repository: 'owner/name',
    });
  });

  test('What a pull request reverts is found at once in a very long body', () => {
    const started = performance.now();
    for (const part of ['<!--', 'reverts ', 'a/', 'reverts a/a/', '"', 'a', 'reverts https://a/']) {
      marksOf({ body: part.repeat(200_000), title: part.repeat(1_000) });
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a hotfix', () => {
  const hotfix = { title: 'Login', headBranch: 'login', labels: ['ui'] };

  test.each([
    'Hotfix: login',
    'HOT-FIX login',
    'Urgent hot fix',
    'login (hotfix)',
    'hot_fix',
    'Two hotfixes',
    'hotfix2',
  ])('A hotfix is said in the title %s', (title) => {
    expect(isHotfix({ ...hotfix, title })).toBe(true);
  });

  test.each(['hotfix/login', 'hotfix-1.2.1', 'ada/hot-fix-login', 'release_hotfix', 'hotfixes/12'])(
    'A hotfix is said in the branch %s',
    (headBranch) => {
      expect(isHotfix({ ...hotfix, headBranch })).toBe(true);
    },
  );

  test.each(['hotfix', 'type: Hotfix', 'hot fix'])('A hotfix is said by the label %s', (label) => {
    expect(isHotfix({ ...hotfix, labels: ['ui', label] })).toBe(true);
  });

  test.each(['hotfixture', 'Shot fixed', 'photfix', 'hot fixture', 'fix', 'hot  fix of metal', 'überhotfix'])(
    'A hotfix is not said by %s',
    (title) => {
      expect(isHotfix({ ...hotfix, title })).toBe(false);
    },
  );

  test('A hotfix needs no title and no branch', () => {
    expect(isHotfix({ title: null, headBranch: null, labels: [] })).toBe(false);
    expect(isHotfix({ title: null, headBranch: null, labels: ['hotfix'] })).toBe(true);
  });
});
