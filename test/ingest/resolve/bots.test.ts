import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, botAccounts } from '../../../src/catalogue/derivation-state.ts';
import type { FactTable } from '../../../src/catalogue/tables/all-tables.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { unknownAccounts } from '../../../src/ingest/resolve/suggestions.ts';
import { times } from '../../setup/how-long.ts';
import { putRows } from '../../warehouse/table-writes.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';
import { stateOf } from '../state.ts';

const pr = {
  pr_id: 'p1',
  source: 'github',
  person_login: 'ada',
  pr_state: 'merged',
  pr_created_at: '2024-03-04T10:00:00Z',
  pr_merged_at: '2024-03-04T13:00:00Z',
};
/** With the deployment that its merge is. */
const deployed = { ...pr, repository: 'acme/web', base_branch: 'main' };
const review = { pr_review_id: 'r1', pr_id: 'p1', person_login: 'Helper', reviewed_at: '2024-03-04T12:00:00Z' };
const mark = { comment_id: 'c1', pr_id: 'p2', source: 'GitHub', person_login: 'helper', person_is_bot: true };

describe('an account that its records call a bot', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
  });

  const reviews = async () => (await app.select(pullRequestReviews, ['is_bot', 'is_review']))[0];
  const clocks = async () =>
    (await app.select(pullRequests, ['reviews_count', 'pickup_time'], { column: 'pr_id', in: ['p1'] }))[0];
  const asBot = { is_bot: true, is_review: false };
  const asPerson = { is_bot: false, is_review: true };

  test('An account that its records call a bot is one in all its rows, earlier ones too, while more records say so than say otherwise', async () => {
    await app.putAll({ pull_requests: [pr], pull_request_reviews: [review] });
    expect([await reviews(), await clocks()]).toEqual([asPerson, { reviews_count: 1, pickup_time: 7_200 }]);
    await app.put('pull_request_comments', [mark, { ...mark, comment_id: 'c2' }]);
    expect([await reviews(), await clocks()]).toEqual([asBot, { reviews_count: 0, pickup_time: null }]);
    await app.put('pull_request_comments', [{ ...mark, comment_id: 'c3', person_is_bot: false }]);
    expect(await reviews()).toEqual(asBot);
    await app.put('pull_request_comments', [{ comment_id: 'c2', _deleted: true }]);
    expect([await reviews(), await clocks()]).toEqual([asPerson, { reviews_count: 1, pickup_time: 7_200 }]);
    await app.put('pull_request_comments', [{ comment_id: 'c3', pr_id: 'p2', person_is_bot: null }]);
    expect(await reviews()).toEqual(asBot);
    await app.put('pull_request_comments', [{ comment_id: 'c1', pr_id: 'p2', person_is_bot: false }]);
    expect(await reviews()).toEqual(asPerson);
    expect(await app.select(botAccounts, ['account'])).toEqual([]);
  });

  test('An account that its records call a bot is outvoted by no single record while the accounts of an earlier version have no counts', async () => {
    const { ingest, warehouse } = app.app;
    const { organisationId } = app.context;
    await app.putAll({
      pull_requests: [pr],
      pull_request_reviews: [review],
      pull_request_comments: [mark, { ...mark, comment_id: 'c2' }, { ...mark, comment_id: 'c3' }],
    });
    await warehouse.change(organisationId, async (session) => {
      const rows = await session.select(accounts, Object.keys(accounts.columns) as (keyof typeof accounts.columns)[]);
      await putRows(
        session,
        accounts,
        rows.map((row) => ({ ...row, account: null, records: null })),
      );
    });
    // A change of the directory looks at the rows of the account before any record arrives.
    await app.directory('people', [{ main_email: 'helper@example.org', logins: { github: 'helper' } }]);
    await ingest.publisher.publish(organisationId);
    await app.put('pull_request_comments', [{ ...mark, comment_id: 'c4', person_is_bot: false }]);
    expect(await reviews()).toEqual(asBot);
    await app.put('pull_request_comments', [
      { ...mark, comment_id: 'c5', person_is_bot: false },
      { ...mark, comment_id: 'c6', person_is_bot: false },
    ]);
    expect(await reviews()).toEqual(asPerson);
  });

  test('An account that its records call a bot is a person where as many records say so, whichever came first', async () => {
    await app.putAll({ pull_requests: [pr], pull_request_comments: [mark] });
    await app.put('pull_request_reviews', [review]);
    expect(await reviews()).toEqual(asBot);
    await app.put('pull_request_reviews', [{ ...review, person_is_bot: false }]);
    expect(await reviews()).toEqual(asPerson);
    await app.put('pull_request_comments', [{ ...mark, comment_id: 'c2' }]);
    expect(await reviews()).toEqual(asBot);
    await app.put('pull_request_comments', [{ comment_id: 'c1', pr_id: 'p2', person_login: 'another' }]);
    expect(await reviews()).toEqual(asPerson);
  });

  test('An account that its records call a bot and whose login ends in [bot] is one whatever its records say', async () => {
    const said = { person_login: 'renovate[bot]', person_is_bot: false };
    await app.put('pull_requests', [
      { ...pr, ...said },
      { ...pr, pr_id: 'p3', ...said },
    ]);
    expect(await app.select(pullRequests, ['is_bot'])).toEqual([{ is_bot: true }, { is_bot: true }]);
  });

  test('An account that its records call a bot is what the directory says, true or false, whatever records and login say', async () => {
    const bots = async () =>
      (await app.select(pullRequests, ['pr_id', 'is_bot']))
        .sort((a, b) => (`${a.pr_id}` < `${b.pr_id}` ? -1 : 1))
        .map(({ is_bot }) => is_bot);
    await app.put('pull_requests', [
      { ...pr, pr_id: 'a', person_login: 'helper[bot]' },
      { ...pr, pr_id: 'b', person_login: 'deployer', person_is_bot: true },
      { ...pr, pr_id: 'c', person_login: 'grace', person_is_bot: false },
    ]);
    expect(await bots()).toEqual([true, true, false]);
    const [helper, deployer, grace] = [
      { main_email: 'helper@example.org', logins: { github: 'helper[bot]' } },
      { main_email: 'deployer@example.org', logins: { github: 'deployer' } },
      { main_email: 'grace@example.org', logins: { github: 'grace' } },
    ];
    await app.directory('people', [helper, deployer, grace]);
    expect(await bots()).toEqual([true, true, false]);
    const state = (first: boolean | null) => [
      { ...helper, is_bot: first === null ? null : !first },
      { ...deployer, is_bot: first === null ? null : !first },
      { ...grace, is_bot: first },
    ];
    await app.directory('people', state(true));
    expect(await bots()).toEqual([false, false, true]);
    await app.put('pull_requests', [
      { ...pr, pr_id: 'b', person_login: 'deployer', person_is_bot: true, pr_title: 'again' },
    ]);
    expect(await bots()).toEqual([false, false, true]);
    await app.directory('people', state(null));
    expect(await bots()).toEqual([true, true, false]);
  });

  test('An account that its records call a bot is the account on that source, and an address is an account of its own', async () => {
    await app.putAll({
      pull_requests: [
        pr,
        { ...pr, pr_id: 'g', source: 'gitlab', person_login: 'helper' },
        { ...pr, pr_id: 'm', person_login: null, person_email: 'Helper@example.org' },
      ],
      pull_request_comments: [mark],
    });
    const bots = async () =>
      (await app.select(pullRequests, ['pr_id'], { column: 'is_bot', in: [true] })).map(({ pr_id }) => pr_id);
    expect(await bots()).toEqual([]);
    await app.put('issues', [{ issue_id: 'i', person_email: 'helper@example.org', person_is_bot: true }]);
    expect(await bots()).toEqual(['m']);
  });

  test('An account that its records call a bot that a part names before its pull request is known is the one on the source of that', async () => {
    await app.putAll({
      pull_request_reviews: [{ ...review, person_is_bot: true }],
      issues: [{ issue_id: 'i', source: 'github', person_login: 'helper' }],
    });
    expect(await app.select(botAccounts, ['account'])).toEqual([{ account: 'login::helper' }]);
    await app.put('pull_requests', [pr]);
    expect(await app.select(botAccounts, ['account'])).toEqual([{ account: 'login:github:helper' }]);
    expect(await app.app.warehouse.read(app.context.organisationId, unknownAccounts)).toMatchObject([
      { login: 'ada', is_bot: false },
      { login: 'Helper', is_bot: true },
      { login: 'helper', is_bot: true },
    ]);
  });

  test('An account that its records call a bot makes the deployments of its merges a bot’s, and their traces go with the last record', async () => {
    await app.put('pull_requests', [{ ...deployed, person_login: 'helper' }]);
    await app.put('pull_request_comments', [mark]);
    expect(await app.select(deployments, ['is_bot', 'person_is_bot'])).toEqual([{ is_bot: true, person_is_bot: null }]);
    await app.putAll({
      pull_requests: [{ pr_id: 'p1', person_is_bot: true }],
      pull_request_comments: [{ comment_id: 'c1', _deleted: true }],
    });
    expect(await app.select(deployments, ['is_bot'])).toEqual([{ is_bot: true }]);
    await app.put('pull_requests', [{ pr_id: 'p1', person_is_bot: null }]);
    expect(await app.select(deployments, ['is_bot'])).toEqual([{ is_bot: false }]);
    expect(await app.select(botAccounts, ['account'])).toEqual([]);
  });

  const records: readonly (readonly [FactTable, object])[] = [
    ['pull_requests', deployed],
    ['pull_request_reviews', review],
    ['pull_request_comments', mark],
    ['pull_request_commits', { commit_id: 'k', pr_id: 'p1', person_login: 'helper', person_is_bot: false }],
  ];
  const orders = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
    [1, 3, 0, 2],
  ];

  test('An account that its records call a bot is the same in any order, and when recomputed', async () => {
    const states: unknown[] = [];
    for (const order of orders.slice(0, times(2, orders.length))) {
      for (const i of order) {
        const [table, record] = records[i] ?? ['pull_requests', {}];
        await app.put(table, [record]);
      }
      states.push(await stateOf(app.app.warehouse, app.context.organisationId));
      // What is the same before is the same when recomputed.
      if (states.length === 1) {
        await app.app.ingest.rederive(app.context.organisationId);
        states.push(await stateOf(app.app.warehouse, app.context.organisationId));
      }
      await app.putAll({
        pull_requests: [{ pr_id: 'p1', _deleted: true }],
        pull_request_comments: [{ comment_id: 'c1', _deleted: true }],
      });
    }
    for (const state of states) expect(state).toEqual(states[0]);
  });
});
