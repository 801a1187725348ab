import { describe, expect, test } from 'vitest';
import { keyOfIssue, namedIssues } from '../../../src/ingest/derive/named-issues.ts';

const pr = {
  pr_id: 'github:acme/web#7',
  source: 'github',
  repository: 'acme/web',
  pr_url: 'https://github.com/acme/web/pull/7',
  head_branch: null,
  pr_title: null,
  pr_body: null,
};
const ofGitlab = {
  ...pr,
  pr_id: 'gitlab:acme/web#7',
  source: 'gitlab',
  pr_url: 'https://gitlab.com/acme/web/-/merge_requests/7',
};
const named = (fields: Partial<typeof pr> | { readonly [N in keyof typeof pr]?: string | null }) =>
  namedIssues({ ...pr, ...fields } as never);

describe('keys of trackers', () => {
  test.each([
    ['ABC-123', ['ABC-123']],
    ['[ABC-1] and (DEF_2-3), https://jira.example/browse/G2-4.', ['ABC-1', 'DEF_2-3', 'G2-4']],
    ['ABC-1-ABC-2/ABC-3', ['ABC-1', 'ABC-2', 'ABC-3']],
    ['ABC-10 is not ABC-1', ['ABC-1', 'ABC-10']],
    ['abc-1, XABC-1x, ÄABC-1, 2ABC-1, ABC-01, ABC-, -1, FIX_ABC', []],
    ['<!-- ABC-1 --> ABC-2 <!-- ABC-3', ['ABC-2']],
  ])('A body of %j names %j', (pr_body, keys) => {
    expect(named({ pr_body })).toEqual(keys);
  });

  test('A branch names a key in small letters, a title does not', () => {
    expect(named({ head_branch: 'ada/abc-12-open-the-door', pr_title: 'abc-13' })).toEqual(['ABC-12']);
  });

  test('A pull request names an issue once, and no more than five hundred', () => {
    expect(named({ head_branch: 'ABC-1', pr_title: 'ABC-1', pr_body: 'ABC-1' })).toEqual(['ABC-1']);
    const many = Array.from({ length: 600 }, (_, i) => `ABC-${i + 1}`).join(' ');
    expect(named({ pr_body: many })).toHaveLength(500);
  });
});

describe('closing words', () => {
  test.each([
    ['Closes #12', ['github:acme/web#12']],
    ['fixed: acme/API#3, RESOLVES gh-4', ['github:acme/api#3', 'github:acme/web#4']],
    ['close https://github.com/acme/lib/issues/5', ['github:acme/lib#5']],
    ['close https://github.acme.example/acme/lib/issues/5', []],
    ['Fixes #1, #2', ['github:acme/web#1']],
    ['see #1, prefixes #2, closing #3, implements #4, fix#5, fix #6x', []],
  ])('On GitHub %j names %j', (pr_body, keys) => {
    expect(named({ pr_body })).toEqual(keys);
    expect(named({ pr_title: pr_body })).toEqual(keys);
  });

  test.each([
    ['Closes #4, #6 and group/sub/name#7', ['gitlab:acme/web#4', 'gitlab:acme/web#6', 'gitlab:group/sub/name#7']],
    ['Implementing issue #1', ['gitlab:acme/web#1']],
    ['Closes #1 and see #2', ['gitlab:acme/web#1']],
    ['Fixes https://gitlab.com/group/sub/name/-/work_items/8', ['gitlab:group/sub/name#8']],
  ])('On GitLab %j names %j', (pr_body, keys) => {
    expect(named({ ...ofGitlab, pr_body })).toEqual(keys);
  });

  test('A branch closes nothing', () => {
    expect(named({ head_branch: 'fix #12' })).toEqual([]);
  });

  test('A number is one of the place that the id says, also where that holds its host or a former name', () => {
    const onServer = { pr_id: 'github:git.acme.example/acme/web#7', pr_body: 'Fixes #1, fixes acme/api#2' };
    expect(named(onServer)).toEqual(['github:git.acme.example/acme/api#2', 'github:git.acme.example/acme/web#1']);
    expect(named({ repository: 'acme/site', pr_body: 'Fixes #1' })).toEqual(['github:acme/web#1']);
    expect(named({ pr_id: 'opaque', pr_body: 'Fixes #1' })).toEqual(['github:acme/web#1']);
    expect(named({ pr_id: 'opaque', source: null, pr_body: 'Fixes #1' })).toEqual([]);
  });

  test('A long text without an end to its words is read in time', () => {
    const began = performance.now();
    for (const part of ['fixes ', 'A', 'A-', 'a/', 'Closes #1, ', '<!--', ' and '])
      named({ ...ofGitlab, pr_body: part.repeat(100_000) });
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test.each([
  [{ issue_id: 'jira:jira.example/1', issue_key: 'ABC-1', source: 'jira' }, 'ABC-1'],
  [{ issue_id: 'x', issue_key: ' abc-1 ', source: null }, 'ABC-1'],
  [{ issue_id: 'github:Acme/web#3', issue_key: 'acme/site#3', source: 'github' }, 'github:acme/web#3'],
  [{ issue_id: 'opaque', issue_key: 'acme/web#3', source: 'GitHub' }, 'github:acme/web#3'],
  [{ issue_id: 'opaque', issue_key: 'Door', source: 'jira' }, null],
  [{ issue_id: 'opaque', issue_key: null, source: null }, null],
])('The key of %j is %j', (issue, key) => {
  expect(keyOfIssue(issue)).toBe(key);
});
