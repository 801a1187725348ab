import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../src/main.ts';
import { git } from '../../../src/sources/git/git.ts';
import { quickStore } from '../../conformance/stores.ts';
import { openTemporaryApp } from '../../setup/temporary-app.ts';
import { SyncedSource } from '../synced-source.ts';
import { bo, SomeClone } from './some-clone.ts';

let app: App;
beforeAll(async () => {
  app = await openTemporaryApp({ store: quickStore });
});
afterAll(() => app.close());

/** A merge, two squashes, and a tag between them. */
function someHistory(): SomeClone {
  const clone = new SomeClone();
  onTestFinished(() => clone.remove());
  clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
  clone.merge(
    'trim',
    'Merge pull request #7 from bo/trim\n\nTrim',
    [
      { message: 'Trim', by: bo, at: '2024-03-02T09:00:00Z' },
      { message: 'Test it', by: bo, at: '2024-03-02T12:00:00Z' },
    ],
    { at: '2024-03-03T09:00:00Z' },
  );
  clone.commit('Squashed (#8)', { at: '2024-03-04T09:00:00Z', by: bo });
  clone.git(['tag', '-a', '-m', 'First', 'v1.0.0'], { at: '2024-03-05T09:00:00Z' });
  clone.commit('Revert "Squashed (#8)" (#9)', { at: '2024-03-06T09:00:00Z', by: bo });
  return clone;
}

test('A clone becomes pull requests with their clocks, commits and releases; nothing new writes nothing', async () => {
  const clone = someHistory();
  const source = await SyncedSource.add(app, git, { path: clone.path, repository: 'acme/web' });

  await source.sync();

  const pullRequests = await source.rows('pull_requests');
  expect(pullRequests.map((row) => [row.pr_id, row.cycle_time, row.is_revert])).toEqual([
    // The first commit to the merge. Of squashed ones git knows no first commit.
    ['github:acme/web#7', 86_400, false],
    ['github:acme/web#8', null, false],
    ['github:acme/web#9', null, true],
  ]);
  expect(await source.rows('pull_request_commits')).toHaveLength(2);
  expect((await source.rows('release_details')).map((row) => [row.version, row.prs_included])).toEqual([['v1.0.0', 0]]);

  const { version } = source;
  await source.sync();
  expect(source.version).toBe(version);

  clone.commit('One more (#10)', { at: '2024-03-07T09:00:00Z' });
  await source.sync();
  expect(await source.rows('pull_requests')).toHaveLength(4);
});

test('Beside what its host told, a clone adds no second row and takes nothing away', async () => {
  const clone = someHistory();
  const source = await SyncedSource.add(app, git, { path: clone.path, repository: 'acme/web' });
  const [first, second] = [clone.git(['rev-parse', 'HEAD~2^2~1']), clone.git(['rev-parse', 'HEAD~2^2'])];
  const pullRequest = {
    pr_id: 'github:acme/web#7',
    pr_number: 7,
    source: 'github',
    repository: 'acme/web',
    pr_title: 'Trim',
    pr_body: 'Trims what trails.',
    pr_created_at: '2024-03-02T10:00:00Z',
    person_login: 'bo',
    labels: ['tidy'],
  };
  const commits = [first, second].map((sha) => ({
    commit_id: `github:acme/web#7:${sha}`,
    pr_id: 'github:acme/web#7',
    sha,
    person_login: 'bo',
  }));
  const lines = (values: readonly unknown[]) => values.map((value, index) => ({ line: index + 1, value }));
  await app.ingest.put(source.organisationId, [
    { table: 'pull_requests', lines: lines([pullRequest]) },
    { table: 'pull_request_commits', lines: lines(commits) },
  ]);

  await source.sync();

  const [row] = (await source.rows('pull_requests')).filter(({ pr_number }) => pr_number === 7);
  expect(await source.rows('pull_requests')).toHaveLength(3);
  expect(await source.rows('pull_request_commits')).toHaveLength(2);
  expect(row).toMatchObject({
    pr_body: 'Trims what trails.',
    person_login: 'bo',
    labels: '["tidy"]',
    pr_created_at: Date.parse('2024-03-02T10:00:00Z') / 1_000,
    pr_state: 'merged',
  });
});
