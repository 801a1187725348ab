import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { readPullRequests } from './reading.ts';
import { ada, bo, SomeClone } from './some-clone.ts';

let clone: SomeClone;
afterEach(() => clone.remove());

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}\n`).join('');

describe('pull requests of a clone', () => {
  test('Pull requests of a clone come from merges, with the commits of their branch', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z', files: { 'src/old name.ts': lines(20) } });
    const merge = clone.merge(
      'feature/trim',
      'Merge pull request #7 from bo/feature/trim\n\nTrim trailing space',
      [
        {
          message: 'Trim',
          by: bo,
          at: '2024-03-02T09:30:00Z',
          authoredAt: '2024-03-02T09:00:00Z',
          files: { 'a.ts': lines(3) },
        },
        { message: 'Test it', by: bo, at: '2024-03-02T11:00:00Z', files: { 'a.test.ts': lines(2) } },
      ],
      { by: ada, at: '2024-03-03T12:00:00Z' },
    );

    const read = await readPullRequests(clone.path);

    expect(read.of('pull_requests')).toEqual([
      {
        pr_id: 'github:acme/web#7',
        pr_number: 7,
        source: 'github',
        repository: 'acme/web',
        pr_title: 'Trim trailing space',
        pr_state: 'merged',
        pr_merged_at: '2024-03-03T12:00:00Z',
        pr_closed_at: '2024-03-03T12:00:00Z',
        base_branch: 'main',
        head_branch: 'feature/trim',
        merge_commit_sha: merge,
        additions: 5,
        deletions: 0,
        changed_files: 2,
        files: [
          { path: 'a.test.ts', additions: 2, deletions: 0 },
          { path: 'a.ts', additions: 3, deletions: 0 },
        ],
        // Bo wrote the commits; Ada only merged them.
        person_email: 'bo@acme.test',
        person_name: 'Bo',
      },
    ]);
    const [newer, older] = [clone.git(['rev-parse', 'HEAD^2']), clone.git(['rev-parse', 'HEAD^2~1'])];
    expect(read.of('pull_request_commits')).toEqual([
      expect.objectContaining({ commit_id: `github:acme/web#7:${newer}`, commit_message: 'Test it', additions: 2 }),
      {
        commit_id: `github:acme/web#7:${older}`,
        pr_id: 'github:acme/web#7',
        sha: older,
        commit_message: 'Trim',
        authored_at: '2024-03-02T09:00:00Z',
        committed_at: '2024-03-02T09:30:00Z',
        additions: 3,
        deletions: 0,
        person_email: 'bo@acme.test',
        person_name: 'Bo',
      },
    ]);
  });

  test('Pull requests of a clone come from squashed commits, by the last number; a renamed file is one file', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z', files: { 'src/old name.ts': lines(20) } });
    clone.git(['mv', 'src/old name.ts', 'src/ü new.ts']);
    clone.commit('Rename (#12)', { at: '2024-03-02T09:00:00Z', files: { 'src/ü new.ts': `${lines(20)}one more\n` } });
    clone.commit('Revert "Rename (#12)" (#13)', { at: '2024-03-03T09:00:00Z', by: bo });
    clone.commit('Mentions (#12) in passing', { at: '2024-03-04T09:00:00Z' });

    const read = await readPullRequests(clone.path);

    expect(read.of('pull_requests').map((row) => [row.pr_number, row.pr_title, row.person_email])).toEqual([
      [13, 'Revert "Rename (#12)"', 'bo@acme.test'],
      [12, 'Rename', 'ada@acme.test'],
    ]);
    expect(read.of('pull_requests')[1]).toMatchObject({
      additions: 1,
      deletions: 0,
      changed_files: 1,
      files: [{ path: 'src/ü new.ts', additions: 1, deletions: 0 }],
    });
    // The squashed commit is no commit of the pull request, and those are not in the clone.
    expect(read.of('pull_request_commits')).toEqual([]);
  });

  test('Pull requests of a clone that were squashed have their commits where the clone has fetched them', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
    clone.git(['checkout', '-q', '-b', 'topic']);
    const own = clone.commit('Work in progress', { at: '2024-03-02T09:00:00Z', by: bo });
    clone.git(['update-ref', 'refs/pull/5/head', own]);
    clone.git(['checkout', '-q', 'main']);
    clone.commit('Finish it (#5)', { at: '2024-03-04T09:00:00Z', by: bo });
    clone.git(['branch', '-q', '-D', 'topic']);

    const read = await readPullRequests(clone.path);

    expect(read.of('pull_request_commits').map((row) => row.commit_id)).toEqual([`github:acme/web#5:${own}`]);
  });

  test('Pull requests of a clone keep to the first-parent line: what a branch merged into itself is not merged into main', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
    clone.git(['checkout', '-q', '-b', 'long-lived']);
    clone.commit('Onto the branch (#20)', { at: '2024-03-02T09:00:00Z' });
    clone.git(['checkout', '-q', 'main']);
    clone.commit('Onto main (#21)', { at: '2024-03-02T10:00:00Z', by: bo });
    clone.git(
      ['merge', '-q', '--no-ff', '-m', 'Merge pull request #22 from acme/long-lived\n\nAll of it', 'long-lived'],
      {
        at: '2024-03-03T09:00:00Z',
      },
    );

    const read = await readPullRequests(clone.path);

    expect(read.of('pull_requests').map((row) => row.pr_number)).toEqual([22, 21]);
    expect(read.of('pull_request_commits').map((row) => [row.pr_id, row.commit_message])).toEqual([
      ['github:acme/web#22', 'Onto the branch (#20)'],
    ]);
  });

  test('Pull requests of a clone leave the author out where commits are of several people', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
    clone.merge(
      'pair',
      'Merge pull request #3 from acme/pair',
      [
        { message: 'One', by: ada, at: '2024-03-02T09:00:00Z' },
        { message: 'Two', by: bo, at: '2024-03-02T10:00:00Z' },
      ],
      { at: '2024-03-03T09:00:00Z' },
    );

    const [row] = (await readPullRequests(clone.path)).of('pull_requests');

    expect(row).not.toHaveProperty('person_email');
    // A merge without a body says no title, and none is not null: what the host said would be cleared.
    expect(row).not.toHaveProperty('pr_title');
    expect(Object.values(row ?? {})).not.toContain(null);
  });

  test('Pull requests of a clone know people by their login where GitHub hides their address', async () => {
    clone = new SomeClone();
    const hidden = { name: 'Cy', email: '4711+Cy-Berg@users.noreply.github.com' };
    const robot = { name: 'updates[bot]', email: '99+updates[bot]@users.noreply.github.com' };
    clone.commit('Raise versions (#2)', { at: '2024-03-01T09:00:00Z', by: robot });
    clone.commit('Hide (#3)', { at: '2024-03-02T09:00:00Z', by: hidden });

    const onGithub = (await readPullRequests(clone.path)).of('pull_requests');
    const elsewhere = (await readPullRequests(clone.path, {}, { host: 'gitlab' })).of('pull_requests');

    expect(onGithub.map((row) => [row.person_login, row.person_email])).toEqual([
      ['Cy-Berg', undefined],
      ['updates[bot]', undefined],
    ]);
    expect(elsewhere[0]).toMatchObject({ pr_id: 'gitlab:acme/web#3', source: 'gitlab', person_email: hidden.email });
  });

  test('Pull requests of a clone are records that ingest takes, however odd the history', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
    clone.commit(`${'Long '.repeat(5_000)}(#4)`, {
      at: '2024-03-02T09:00:00Z',
      files: { 'odd\n\t"name".bin': 'a\0b' },
    });
    clone.commit('Quote "it" (#5)\n\nNul is not in messages, but \u0001 and ü are', { at: '2024-03-03T09:00:00Z' });

    const read = await readPullRequests(clone.path);

    const shape = recordShapeFor('pull_requests');
    for (const row of read.of('pull_requests')) expect(readRecord(shape, row)).toHaveProperty('record');
    expect(read.of('pull_requests').map((row) => [row.pr_number, row.changed_files])).toEqual([
      [5, 1],
      [4, 1],
    ]);
    expect(read.of('pull_requests')[1]?.files).toEqual([{ path: 'odd\n\t"name".bin', additions: 0, deletions: 0 }]);
  });
});
