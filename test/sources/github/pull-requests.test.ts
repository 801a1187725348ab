import { afterEach, describe, expect, test } from 'vitest';
import { memoryInMap, readGithub } from './replay/read-source.ts';
import { type ReplayOptions, type ReplayServer, startReplay } from './replay/server.ts';
import { addCommit, addReview, at, somePull, user } from './replay/some-pull.ts';
import { someRepository, someWorld } from './replay/some-world.ts';
import { emptyRepository, type ReplayedPull, type World } from './replay/world.ts';

let server: ReplayServer | undefined;
afterEach(() => server?.close());

async function read(world: World, options: ReplayOptions = {}, only = 'pull_requests') {
  await server?.close();
  server = await startReplay(world, options);
  return readGithub(server.url, { only });
}

const wholeWorlds = new Map<boolean, ReturnType<typeof read>>();

/** What is in `someWorld`, read once each way: most tests look at one pull request of it. */
function readSomeWorld({ hasGraphql = true } = {}): ReturnType<typeof read> {
  const reading = wholeWorlds.get(hasGraphql) ?? read(someWorld(), { hasGraphql });
  wholeWorlds.set(hasGraphql, reading);
  return reading;
}

const worldOf = (pulls: ReplayedPull[]): World => ({
  organizations: [],
  repositories: [{ ...emptyRepository(someRepository('acme/web', 101)), pulls }],
});

const numbered = (rows: readonly Record<string, unknown>[], number: number) =>
  rows.find(({ pr_number }) => pr_number === number);
const ofPull = (rows: readonly Record<string, unknown>[], number: number) =>
  rows.filter(({ pr_id }) => pr_id === `github:acme/web#${number}`);

describe('GraphQL and REST', () => {
  test('GraphQL and REST give exactly the same records of the same pull requests', async () => {
    const byGraphql = await readSomeWorld();
    expect(server?.seen.filter(({ path }) => path.includes('/timeline'))).toEqual([]);
    const byRest = await readSomeWorld({ hasGraphql: false });
    expect(byGraphql.failures).toEqual(new Map());
    expect(byRest.failures).toEqual(new Map());
    expect(byRest.rows.of('pull_requests')).toHaveLength(7);
    expect(withoutIds(byRest.rows.all)).toEqual(withoutIds(byGraphql.rows.all));
  });

  /** Each world of the fixtures has ids of its own; what they number is the same. */
  const withoutIds = (tables: object): unknown =>
    JSON.parse(
      JSON.stringify(tables).replace(/(?<=(?:review|comment|issuecomment-|EV_|_r|pullrequestreview-):?)\d{10}/g, 'N'),
    );
});

describe('a pull request', () => {
  test('A pull request has the columns that GitHub can fill', async () => {
    const { rows } = await readSomeWorld();
    expect(numbered(rows.of('pull_requests'), 1)).toEqual({
      pr_id: 'github:acme/web#1',
      source: 'github',
      repository: 'acme/web',
      pr_number: 1,
      pr_title: 'Change 1',
      pr_url: 'https://github.example/acme/web/pull/1',
      pr_body: 'What change 1 is for.',
      person_login: 'ada',
      person_is_bot: false,
      pr_state: 'merged',
      is_draft: false,
      pr_created_at: at(1),
      ready_at: null,
      pr_merged_at: at(5),
      pr_closed_at: at(5),
      additions: 10,
      deletions: 4,
      changed_files: 1,
      files: [{ path: 'src/web.ts', additions: 5, deletions: 2 }],
      base_branch: 'main',
      head_branch: 'change-1',
      merge_commit_sha: '0000000000000000000000000000000000000001',
      labels: ['bug', 'ui'],
      merge_queue_entered_at: null,
    });
  });

  test('A pull request keeps every event, also two of one second', async () => {
    const { rows } = await readSomeWorld();
    const events = ofPull(rows.of('pull_request_events'), 1);
    expect(events.map(({ event_type, details }) => [event_type, details])).toEqual([
      ['assigned', { assignee: 'ada' }],
      ['closed', null],
      ['head_ref_force_pushed', null],
      ['labeled', { label: 'bug' }],
      ['labeled', { label: 'ui' }],
      ['merged', { sha: '0000000000000000000000000000000000000001' }],
      ['milestoned', { milestone: 'Spring' }],
      ['renamed', { from: 'Chnage 1', to: 'Change 1' }],
      ['review_dismissed', { review_state: 'approved', message: 'Another look, please' }],
      ['review_requested', { reviewer: 'grace' }],
      ['review_requested', { team: 'Web' }],
    ]);
  });

  test('A pull request has reviews in their states, without the one that is being written', async () => {
    const { rows } = await readSomeWorld();
    const reviews = ofPull(rows.of('pull_request_reviews'), 1);
    expect(
      reviews.map(({ review_state, person_login, reviewed_at }) => [review_state, person_login, reviewed_at]),
    ).toEqual([
      ['changes_requested', 'grace', at(2)],
      ['commented', 'ada', at(3)],
      ['dismissed', 'alan', at(4, 10)],
      ['approved', 'grace', at(4, 12)],
    ]);
  });

  test('A pull request has comments of the conversation and of lines, and which they answer', async () => {
    const { rows } = await readSomeWorld();
    const comments = ofPull(rows.of('pull_request_comments'), 1);
    const [talk, line, answer] = comments;
    expect(comments.map(({ comment, file_path }) => [comment, file_path])).toEqual([
      ['Thank you.', null],
      ['Could this be shorter?', 'src/web.ts'],
      ['Done.', 'src/web.ts'],
    ]);
    expect([talk?.in_reply_to, line?.in_reply_to, answer?.in_reply_to]).toEqual([null, null, line?.comment_id]);
  });

  test('A pull request has its commits with author, dates and size; whoever hides their address is known by it', async () => {
    const { rows } = await readSomeWorld();
    expect(ofPull(rows.of('pull_request_commits'), 1)).toEqual([
      {
        commit_id: 'github:acme/web#1:a1',
        pr_id: 'github:acme/web#1',
        person_login: 'ada',
        person_email: 'ada@example.com',
        person_name: 'Ada Lovelace',
        person_is_bot: false,
        sha: 'a1',
        commit_message: 'Commit a1',
        committed_at: at(1, 8),
        authored_at: at(1, 7),
        commit_url: 'https://github.example/acme/web/commit/a1',
        additions: 5,
        deletions: 2,
      },
      expect.objectContaining({ sha: 'a2', person_login: 'linus', person_email: null, person_is_bot: null }),
    ]);
  });

  test('A pull request opened as a draft is ready when it first became so; made a draft later, it was ready from the start', async () => {
    const { rows } = await readSomeWorld();
    const pulls = rows.of('pull_requests');
    expect(numbered(pulls, 2)?.ready_at).toBe(at(2));
    expect(numbered(pulls, 3)).toMatchObject({ ready_at: null, is_draft: true, pr_body: null });
  });

  test('A pull request entered the merge queue when it did so last', async () => {
    const { rows } = await readSomeWorld();
    expect(numbered(rows.of('pull_requests'), 4)?.merge_queue_entered_at).toBe(at(4, 11));
  });

  test('A pull request that is not merged has no merge commit, though GitHub made one to try', async () => {
    const { rows } = await readSomeWorld({ hasGraphql: false });
    expect(numbered(rows.of('pull_requests'), 5)).toMatchObject({ pr_state: 'closed', merge_commit_sha: null });
  });

  test('A pull request of a deleted account is of nobody', async () => {
    const { rows } = await readSomeWorld({ hasGraphql: false });
    expect(numbered(rows.of('pull_requests'), 5)).toMatchObject({ person_login: null, person_is_bot: null });
    expect(ofPull(rows.of('pull_request_reviews'), 5)).toMatchObject([{ person_login: null }]);
  });

  test('A pull request of an app is of a bot, and so are its commits and comments', async () => {
    const { rows } = await readSomeWorld();
    const isOfBot = (login: string) => expect.objectContaining({ person_login: login, person_is_bot: true });
    expect(numbered(rows.of('pull_requests'), 6)).toEqual(isOfBot('renovate[bot]'));
    expect(ofPull(rows.of('pull_request_commits'), 6)).toEqual([isOfBot('renovate[bot]')]);
    expect(ofPull(rows.of('pull_request_comments'), 6)).toEqual([isOfBot('coverage[bot]')]);
  });

  test('A pull request is complete however long its lists are', async () => {
    const { rows } = await readSomeWorld();
    const count = (table: Parameters<typeof rows.of>[0]) => ofPull(rows.of(table), 7).length;
    expect(numbered(rows.of('pull_requests'), 7)?.labels).toHaveLength(23);
    expect(numbered(rows.of('pull_requests'), 7)?.files).toHaveLength(130);
    expect(count('pull_request_commits')).toBe(130);
    expect(count('pull_request_events')).toBe(130);
    expect(count('pull_request_reviews')).toBe(30);
    expect(count('pull_request_comments')).toBe(130 + 25);
  });

  test('A pull request has all of more than 250 commits by GraphQL; by REST those that it lists, and none of the known ones goes', async () => {
    const pull = somePull({ number: 1 });
    for (let i = 0; i < 260; i += 1) addCommit(pull, `d${i}`, { authored: at(1) });
    const byGraphql = await read(worldOf([pull]));
    expect(byGraphql.rows.of('pull_request_commits')).toHaveLength(260);
    server = await startReplay(worldOf([pull]), { hasGraphql: false });
    await readGithub(server.url, { only: 'pull_requests', after: { ...byGraphql, marks: new Map() } });
    expect(byGraphql.rows.of('pull_request_commits')).toHaveLength(260);
  });

  test('A pull request loses the commits that a force-push took away, and reviews that are gone', async () => {
    const pull = somePull({ number: 1 });
    addCommit(pull, 'e1', { authored: at(1) });
    addReview(pull, 'APPROVED', at(2));
    const world = worldOf([pull]);
    const first = await read(world);
    expect(first.rows.of('pull_request_commits')).toHaveLength(1);
    pull.commits.splice(0);
    pull.reviews.splice(0);
    addCommit(pull, 'e2', { authored: at(3) });
    pull.pull.updated_at = at(3);
    await readGithub(server?.url ?? '', { only: 'pull_requests', after: first });
    expect(first.rows.of('pull_request_commits').map(({ sha }) => sha)).toEqual(['e2']);
    expect(first.rows.of('pull_request_reviews')).toEqual([]);
  });
});

describe('reading', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => somePull({ number: i + 1 }));
  const numbersOf = (rows: { of(table: 'pull_requests'): Record<string, unknown>[] }) =>
    rows
      .of('pull_requests')
      .map(({ pr_number }) => Number(pr_number))
      .toSorted((one, other) => one - other);
  /** REST has 20 on a page, and asks for the parts of each one by one. */
  const threePages = (hasGraphql: boolean) => (hasGraphql ? 60 : 44);
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

  test.each([true, false])('Reading goes page by page to the end (GraphQL: %s)', async (hasGraphql) => {
    const { rows } = await read(worldOf(many(threePages(hasGraphql))), { hasGraphql });
    expect(numbersOf(rows)).toEqual(upTo(threePages(hasGraphql)));
  });

  test.each([true, false])(
    'Reading skips nothing when the order moves while it reads (GraphQL: %s)',
    async (hasGraphql) => {
      const pulls = many(threePages(hasGraphql));
      let moved = 0;
      const { rows } = await read(worldOf(pulls), {
        hasGraphql,
        answered: ({ path }) => {
          const isPage = hasGraphql ? path === '/graphql' : /pulls\?.*per_page=20/.test(path);
          if (!isPage) return;
          moved += 1;
          const last = pulls[moved];
          if (last) last.pull.updated_at = at(20 + moved);
        },
      });
      expect(numbersOf(rows)).toEqual(
        expect.arrayContaining(upTo(pulls.length).filter((number) => number > 1 + moved)),
      );
    },
  );

  test('Reading stops below the time that it is asked down to, and asks for the parts of none that is older', async () => {
    server = await startReplay(worldOf(many(60)), { hasGraphql: false });
    const downTo = Date.parse(at(1, 9, 51)) / 1_000;
    const { rows } = await readGithub(server.url, { only: 'pull_requests', downTo });
    expect(numbersOf(rows)).toEqual(upTo(60).slice(50));
    expect(server.seen.filter(({ path }) => path.includes('/timeline'))).toHaveLength(10);
  });

  test.each([true, false])(
    'Reading asks one conditional request where nothing is new (GraphQL: %s)',
    async (hasGraphql) => {
      const first = await read(worldOf(many(3)), { hasGraphql });
      server?.seen.splice(0);
      const second = await readGithub(server?.url ?? '', { only: 'pull_requests', after: first });
      expect(second.unchanged).toEqual(['pull_requests@101']);
      expect(server?.seen.filter(({ path }) => path.includes('pulls'))).toMatchObject([{ status: 304 }]);
    },
  );

  test('Reading knows that nothing is new when only the stars of the repository have changed', async () => {
    const pulls = many(3);
    const first = await read(worldOf(pulls));
    for (const { pull } of pulls) pull.base = { ref: 'main', repo: { stargazers_count: 7 } };
    server?.seen.splice(0);
    const second = await readGithub(server?.url ?? '', { only: 'pull_requests', after: first });
    expect(second.unchanged).toEqual(['pull_requests@101']);
    expect(server?.seen.filter(({ path }) => path === '/graphql')).toEqual([]);
  });

  test('Reading asks for half as many at once when GitHub takes too long, and remembers it', async () => {
    const sizes: unknown[] = [];
    const instead: ReplayOptions['instead'] = ({ variables }) => {
      if (typeof variables?.size !== 'number') return undefined;
      sizes.push(variables.size);
      return variables.size > 6 ? { status: 502, body: {} } : undefined;
    };
    const { rows, failures } = await read(worldOf(many(20)), { instead });
    expect(failures).toEqual(new Map());
    expect(numbersOf(rows)).toEqual(upTo(20));
    expect([...new Set(sizes)]).toEqual([25, 12, 6]);
    expect(sizes.slice(sizes.indexOf(6))).toEqual([6, 6, 6, 6]);
  });

  test('Reading reads by REST what takes GraphQL too long by itself', async () => {
    const instead: ReplayOptions['instead'] = ({ query }) =>
      query?.includes('timelineItems') ? { status: 502, body: {} } : undefined;
    const { rows, failures } = await read(worldOf(many(2)), { instead });
    expect(failures).toEqual(new Map());
    expect(numbersOf(rows)).toEqual([1, 2]);
    expect(server?.seen.filter(({ path }) => path.includes('/timeline'))).toHaveLength(2);
  });

  test('Reading tells of an outage as one that passes, and asks for as many as before when it is over', async () => {
    const memory = memoryInMap();
    let isOut = true;
    const sizes: unknown[] = [];
    const instead: ReplayOptions['instead'] = ({ path, variables }) => {
      if (path !== '/graphql') return undefined;
      if (isOut) return { status: 502, body: {} };
      sizes.push(variables?.size);
      return undefined;
    };
    server = await startReplay(worldOf(many(3)), { instead });
    const { failures } = await readGithub(server.url, { only: 'pull_requests', memory });
    expect(failures.get('pull_requests@101')).toMatchObject({
      message: expect.stringContaining('took too long'),
      mayPass: true,
    });
    isOut = false;
    const { rows } = await readGithub(server.url, { only: 'pull_requests', memory });
    expect(numbersOf(rows)).toEqual([1, 2, 3]);
    expect(sizes).toEqual([25]);
  });

  test('Reading asks for more again once smaller pages have gone well for a while', async () => {
    const sizes: number[] = [];
    const instead: ReplayOptions['instead'] = ({ variables }) => {
      if (typeof variables?.size !== 'number') return undefined;
      sizes.push(variables.size);
      // A short outage: two tries of one page.
      return sizes.length <= 2 ? { status: 502, body: {} } : undefined;
    };
    const { rows } = await read(worldOf(many(150)), { instead });
    expect(numbersOf(rows)).toEqual(upTo(150));
    expect(sizes).toEqual([25, 25, ...Array(10).fill(12), 24, 24]);
  });

  test('Reading goes on by REST where an older server lacks fields', async () => {
    const errors = [{ message: 'no such field', extensions: { code: 'undefinedField' } }];
    const instead: ReplayOptions['instead'] = ({ path }) =>
      path === '/graphql' ? { status: 200, body: { errors } } : undefined;
    const { rows } = await read(worldOf(many(3)), { instead });
    expect(numbersOf(rows)).toEqual([1, 2, 3]);
    expect(server?.seen.filter(({ path }) => path === '/graphql')).toHaveLength(1);
  });

  test('Reading names the field of a pull request that it cannot read, and reads the others', async () => {
    const odd = somePull({ number: 2, fields: { created_at: 17 } });
    const { rows } = await read(worldOf([somePull({ number: 1 }), odd]), { hasGraphql: false });
    expect(numbersOf(rows)).toEqual([1]);
    expect(rows.problems).toEqual(['acme/web#2: pull request: created_at must be text, not number']);
  });

  test('Reading reads nothing that last changed before the setting since', async () => {
    const old = somePull({ number: 1, updatedAt: '2023-06-01T00:00:00Z' });
    server = await startReplay(worldOf([old, somePull({ number: 2, author: user('grace') })]));
    const { rows } = await readGithub(server.url, { only: 'pull_requests', settings: { since: '2024-01-01' } });
    expect(numbersOf(rows)).toEqual([2]);
  });
});
