import { afterEach, describe, expect, test } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.ts';
import { Clone } from '../../../src/sources/git/clone.ts';
import { pullRequestStream } from '../../../src/sources/git/streams.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';
import { readWhole } from '../read-whole.ts';
import { readPullRequests } from './reading.ts';
import { SomeClone } from './some-clone.ts';

/** Every page and every merge of it starts processes. */
const historyLength = times(9, 30);

let clone: SomeClone;
afterEach(() => clone.remove());

const numbers = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map((row) => row.pr_number);
const settings = () => ({ path: clone.path, repository: 'acme/web', host: 'github' });
const stream = async (limits: { readonly maxLineCommits?: number; readonly maxCommits?: number } = {}) =>
  pullRequestStream({
    clone: await Clone.open(settings(), new AbortController().signal),
    settings: settings(),
    naming: { host: 'github', repository: 'acme/web', firstName: 'acme/web' },
    notSeen: [],
    ...limits,
  });

/** Branches off at random places of main, merges between branches, squashes and plain commits, in one go. */
function randomHistory(random: SeededRandom, length: number): string {
  const out: string[] = [];
  let marks = 0;
  let at = 1_700_000_000;
  const commit = (ref: string, message: string, parents: readonly number[]): number => {
    marks += 1;
    at += random.integer(0, 900);
    const who = `A${marks % 3} <a${marks % 3}@acme.test> ${at} +0000`;
    const [first, ...others] = parents.map((mark) => `:${mark}`);
    out.push(
      `commit ${ref}\nmark :${marks}\nauthor ${who}\ncommitter ${who}\ndata ${Buffer.byteLength(message)}\n${message}`,
    );
    if (first) out.push(`from ${first}`, ...others.map((other) => `merge ${other}`));
    out.push(`M 100644 inline f${marks % 7}.txt\ndata ${String(marks).length}\n${marks}`, '');
    return marks;
  };
  let main = commit('refs/heads/main', 'Begin', []);
  const known = [main];
  for (let number = 1; number <= length; number += 1) {
    if (random.chance(0.3)) main = commit('refs/heads/main', `Squashed (#${number})`, [main]);
    else if (random.chance(0.2)) main = commit('refs/heads/main', 'Pushed', [main]);
    else {
      let head = random.pick(known);
      for (let size = random.integer(1, 4); size > 0; size -= 1) {
        // Now and then the branch takes main in before it goes on.
        const others = random.chance(0.2) && head !== main ? [main] : [];
        head = commit(`refs/heads/b${number}`, 'Work', [head, ...others]);
        known.push(head);
      }
      main = commit('refs/heads/main', `Merge pull request #${number} from a/b${number}\n\nTitle`, [main, head]);
    }
    known.push(main);
  }
  return `${out.join('\n')}\ndone\n`;
}

describe('the pages of a clone', () => {
  test.each(Array.from({ length: times(1, 60) }, (_, run) => run))(
    'The pages of a clone hold together what git says of each merge, whatever their size (random history %i)',
    async (run) => {
      clone = new SomeClone();
      clone.import(randomHistory(new SeededRandom(`${seed} ${run}`), historyLength));
      const expected = clone
        .git(['log', '--first-parent', '--merges', '--format=%H %s', 'main'])
        .split('\n')
        .flatMap((line) => {
          const [merge = ''] = line.split(' ');
          const number = /#(\d+)/.exec(line)?.[1];
          const shas = clone
            .git(['rev-list', `${merge}^1..${merge}^2`])
            .split('\n')
            .filter(Boolean);
          return shas.map((sha) => `github:acme/web#${number}:${sha}`);
        });

      const wholes = [];
      for (const maxLineCommits of isLong ? [2, 7, 100] : [2, 100])
        wholes.push(await readWhole(await stream({ maxLineCommits })));

      for (const whole of wholes) {
        expect(
          whole
            .of('pull_request_commits')
            .map((row) => row.commit_id)
            .sort(),
        ).toEqual(expected.toSorted());
        expect(whole.of('pull_requests')).toEqual(wholes[0]?.of('pull_requests'));
      }
      expect(wholes.map(({ pages }) => pages.length)).toEqual([
        wholes[0]?.pages.length,
        ...(isLong ? [expect.any(Number)] : []),
        1,
      ]);
      expect(wholes[0]?.pages.length).toBeGreaterThan(2);
    },
  );

  test('The pages of a clone have fewer merges where one brings much, and of a single one the newest commits', async () => {
    clone = new SomeClone();
    const work = (count: number, day: string) =>
      Array.from({ length: count }, (_, n) => ({ message: `Work ${n}`, at: `2024-03-${day}T09:00:0${n}Z` }));
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
    clone.merge('small', 'Merge pull request #1 from a/small', work(2, '02'), { at: '2024-03-02T10:00:00Z' });
    clone.merge('large', 'Merge pull request #2 from a/large', work(6, '03'), { at: '2024-03-03T10:00:00Z' });

    const { pages, of } = await readWhole(await stream({ maxCommits: 4 }));

    expect(pages.map(({ records }) => records.map((some) => some.records.length))).toEqual([
      [1, 3],
      [1, 2],
    ]);
    expect(of('pull_request_commits').map((row) => row.commit_message)).toEqual([
      'Work 5',
      'Work 4',
      'Work 3',
      'Work 1',
      'Work 0',
    ]);
    expect(pages.flatMap(({ problems }) => problems)).toEqual([
      expect.stringMatching(/^the merge [\da-f]{40} brings more than 4 commits/),
    ]);
  });

  test('The pages of a clone are only of what is new after a whole read, also of commits that are old but arrived late', async () => {
    clone = new SomeClone();
    clone.commit('One (#1)', { at: '2024-03-01T09:00:00Z' });
    clone.commit('Two (#2)', { at: '2024-03-02T09:00:00Z' });
    const { mark } = await readPullRequests(clone.path);

    const unchanged = await readPullRequests(clone.path, { mark: mark ?? null, downTo: 1_709_300_000 });
    clone.commit('Three (#3)', { at: '2024-01-15T09:00:00Z' });
    const later = await readPullRequests(clone.path, { mark: mark ?? null, downTo: 1_709_300_000 });

    expect(unchanged.pages).toEqual([expect.objectContaining({ isUnchanged: true, records: [], count: 0 })]);
    expect(numbers(later.of('pull_requests'))).toEqual([3]);
  });

  test('The pages of a clone leave a pull request to the commit that first named it, whenever they are read', async () => {
    clone = new SomeClone();
    clone.commit('One (#1)', { at: '2024-03-01T09:00:00Z' });
    clone.commit('Two, see (#1) (#2)', { at: '2024-03-01T10:00:00Z' });
    const { mark } = await readPullRequests(clone.path);
    clone.commit('One (#1)', { at: '2024-03-02T09:00:00Z' });
    clone.commit('Twelve (#12)', { at: '2024-03-02T10:00:00Z' });
    const later = await readPullRequests(clone.path, { mark: mark ?? null });
    expect(numbers(later.of('pull_requests'))).toEqual([12]);
    const all = await readPullRequests(clone.path);
    expect(all.of('pull_requests').find(({ pr_number }) => pr_number === 1)).toMatchObject({
      pr_merged_at: '2024-03-01T09:00:00Z',
    });
  });

  test('The pages of a clone begin again where the branch was pushed over, after a whole read and in the middle of one', async () => {
    clone = new SomeClone();
    const first = clone.commit('One (#1)', { at: '2024-03-01T09:00:00Z' });
    clone.commit('Two (#2)', { at: '2024-03-02T09:00:00Z' });
    clone.commit('Three (#3)', { at: '2024-03-03T09:00:00Z' });
    const begun = await (await stream({ maxLineCommits: 1 })).read({});

    clone.git(['reset', '-q', '--hard', first]);
    clone.commit('Two, rewritten (#2)', { at: '2024-03-02T10:00:00Z' });
    clone.commit('Four (#4)', { at: '2024-03-04T09:00:00Z' });
    clone.git(['reflog', 'expire', '--expire=now', '--all']);
    clone.git(['gc', '-q', '--prune=now']);
    const goneOn = await readWhole(await stream(), { next: begun.next ?? null });
    const later = await readWhole(await stream(), { mark: begun.mark ?? null });

    expect(numbers(goneOn.of('pull_requests'))).toEqual([4, 2, 1]);
    expect(numbers(later.of('pull_requests'))).toEqual([4, 2, 1]);
  });

  test('The pages of a clone go on where they ended though commits arrived meanwhile', async () => {
    clone = new SomeClone();
    for (const number of [1, 2, 3]) clone.commit(`Change (#${number})`, { at: `2024-03-0${number}T09:00:00Z` });
    const begun = await (await stream({ maxLineCommits: 1 })).read({});
    clone.commit('Meanwhile (#4)', { at: '2024-03-04T09:00:00Z' });

    const rest = await readWhole(await stream(), { next: begun.next ?? null });
    const later = await readWhole(await stream(), { mark: begun.mark ?? null });

    expect([...numbers(rest.of('pull_requests')), ...numbers(later.of('pull_requests'))]).toEqual([2, 1, 4]);
  });

  test('The pages of a clone end where everything is older than is wanted', async () => {
    clone = new SomeClone();
    for (const day of [1, 2, 3, 4, 5]) clone.commit(`Change (#${day})`, { at: `2024-03-0${day}T09:00:00Z` });

    const recent = await readWhole(await stream({ maxLineCommits: 1 }), {
      downTo: Date.parse('2024-03-04T00:00:00Z') / 1_000,
    });
    const since = await readPullRequests(clone.path, {}, { since: '2024-03-03' });

    // The page that is older as a whole is the last one.
    expect(numbers(recent.of('pull_requests'))).toEqual([5, 4, 3]);
    expect(numbers(since.of('pull_requests'))).toEqual([5, 4, 3]);
  });
});
