import { beforeEach, describe, expect, test } from 'vitest';
import { lastActivity } from '../../../src/catalogue/derivation-state.ts';
import { aiCopilot } from '../../../src/catalogue/tables/ai-copilot.ts';
import { pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { mergePeople, unmergePerson } from '../../../src/directory/merging.ts';
import { removePerson, setPerson } from '../../../src/directory/people.ts';
import { suggestMatches, unknownAccounts } from '../../../src/ingest/resolve/suggestions.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const ada = { merged_user_id: 'ada', main_email: 'ada@example.org', name: 'Ada Byron', logins: { github: 'ada' } };
const bob = { merged_user_id: 'bob', main_email: 'bob@example.org', name: 'Bob Stone', logins: { github: 'bob' } };
const pr = {
  pr_id: 'p1',
  source: 'github',
  person_login: 'ada',
  pr_state: 'merged',
  pr_created_at: '2024-03-04T10:00:00Z',
  pr_merged_at: '2024-03-04T13:00:00Z',
};
const review = { pr_review_id: 'r1', pr_id: 'p1', person_login: 'bob', reviewed_at: '2024-03-04T12:00:00Z' };

const withoutBlanks = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

describe('people of records', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
  });

  const author = async () => (await app.select(pullRequests, ['merged_user_id']))[0]?.merged_user_id;
  const clocks = async () => (await app.select(pullRequests, ['reviews_count', 'pickup_time', 'review_rounds']))[0];

  test('People of records are known by email before login, and by login only on the same source', async () => {
    await app.directory('people', [ada, bob]);
    await app.put('pull_requests', [
      { ...pr, pr_id: 'a', person_login: 'ADA' },
      { ...pr, pr_id: 'b', source: 'gitlab' },
      { ...pr, pr_id: 'c', person_email: 'Bob@Example.org' },
      { ...pr, pr_id: 'd', merged_user_id: 'bob' },
    ]);
    const rows = await app.select(pullRequests, ['pr_id', 'merged_user_id']);
    expect(Object.fromEntries(rows.map((row) => [row.pr_id, row.merged_user_id]))).toEqual({
      a: 'ada',
      b: null,
      c: 'bob',
      d: 'bob',
    });
  });

  test('People of records who become known later have their history, with no second import', async () => {
    await app.putAll({ pull_requests: [pr], pull_request_reviews: [review] });
    expect(await author()).toBeNull();
    expect(await app.app.warehouse.read(app.context.organisationId, unknownAccounts)).toMatchObject([
      { login: 'ada', rows: 1 },
      { login: 'bob', rows: 1 },
    ]);
    await app.directory('people', [ada, bob]);
    expect(await author()).toBe('ada');
    expect((await app.select(pullRequestReviews, ['merged_user_id']))[0]?.merged_user_id).toBe('bob');
    expect(await app.app.warehouse.read(app.context.organisationId, unknownAccounts)).toEqual([]);
  });

  test('People of records merged into one take their rows along, and a review becomes the author’s own; unmerged, all is as it was', async () => {
    await app.directory('people', [ada, bob]);
    await app.putAll({ pull_requests: [pr], pull_request_reviews: [review] });
    const apart = await clocks();
    expect(apart).toEqual({ reviews_count: 1, pickup_time: 7_200, review_rounds: 1 });
    await mergePeople(app.app.directory, app.context, 'ada@example.org', 'bob@example.org');
    expect((await app.select(pullRequestReviews, ['merged_user_id', 'is_review']))[0]).toEqual({
      merged_user_id: 'ada',
      is_review: false,
    });
    expect(await clocks()).toEqual({ reviews_count: 0, pickup_time: null, review_rounds: 0 });
    await unmergePerson(app.app.directory, app.context, 'bob@example.org');
    expect(await clocks()).toEqual(apart);
  });

  test('People of records marked as bots stop clocks no longer, and removed ones are unknown again', async () => {
    await app.directory('people', [ada, bob]);
    await app.putAll({ pull_requests: [pr], pull_request_reviews: [review] });
    await setPerson(app.app.directory, app.context, 'bob@example.org', { is_bot: true }, { create: false });
    expect(await clocks()).toEqual({ reviews_count: 0, pickup_time: null, review_rounds: 0 });
    await setPerson(app.app.directory, app.context, 'bob@example.org', { is_bot: false }, { create: false });
    expect(await clocks()).toMatchObject({ reviews_count: 1 });
    await removePerson(app.app.directory, app.context, 'ada@example.org');
    expect(await author()).toBeNull();
  });

  test('People of records who use Copilot are known by their GitHub login, and when they were last active moves both ways', async () => {
    await app.directory('people', [ada]);
    await app.put('ai_copilot', [{ person_login: 'ada', source: 'github-copilot', date: '2024-05-01', accepts: 3 }]);
    await app.put('pull_requests', [pr]);
    const last = async () => (await app.select(lastActivity, ['last_active_at']))[0]?.last_active_at;
    expect((await app.select(aiCopilot, ['merged_user_id', 'is_active']))[0]).toEqual({
      merged_user_id: 'ada',
      is_active: true,
    });
    expect(await last()).toBe(Date.UTC(2024, 4, 1) / 1_000);
    await app.put('ai_copilot', [
      { person_login: 'ada', source: 'github-copilot', date: '2024-05-01', _deleted: true },
    ]);
    expect(await last()).toBe(Date.UTC(2024, 2, 4, 10) / 1_000);
  });

  test('People of records were last active when a record of any table says so, also when recomputed', async () => {
    const records = [
      ['pull_requests', { pr_id: 'x', pr_created_at: '2024-05-01T10:00:00Z' }],
      ['pull_request_reviews', { pr_review_id: 'x', pr_id: 'p', reviewed_at: '2024-05-01T10:00:00Z' }],
      ['pull_request_comments', { comment_id: 'x', pr_id: 'p', commented_at: '2024-05-01T10:00:00Z' }],
      ['pull_request_commits', { commit_id: 'x', pr_id: 'p', committed_at: '2024-05-01T10:00:00Z' }],
      ['pull_request_commits', { commit_id: 'y', pr_id: 'p', authored_at: '2024-05-01T10:00:00Z' }],
      ['issues', { issue_id: 'x', started_at: '2024-05-01T10:00:00Z' }],
      ['issues', { issue_id: 'y', started_at: '2024-04-01T10:00:00Z', completed_at: '2024-05-01T10:00:00Z' }],
      ['issue_comments', { issue_comment_id: 'x', issue_id: 'i', created_at: '2024-05-01T10:00:00Z' }],
      ['ai_copilot', { source: 'cursor', date: '2024-05-01', accepts: 1 }],
      ['posthook_sessions', { session_id: 'x', started_at: '2024-05-01T10:00:00Z' }],
    ] as const;
    // Each of them is of somebody who has no other.
    const nameOf = (i: number) => `${i} of ${records[i]?.[0]}`;
    const emailOf = (i: number) => `p${i}@example.org`;
    await app.directory(
      'people',
      records.map((_, i) => ({ merged_user_id: nameOf(i), main_email: emailOf(i) })),
    );
    const batch = records.map(([table, record], i) => {
      const email = table === 'posthook_sessions' ? 'engineer_email' : 'person_email';
      return { table, lines: [{ line: 1, value: { ...record, [email]: emailOf(i) } }] };
    });
    await app.app.ingest.put(app.context.organisationId, batch, { strict: true });
    const last = async () =>
      Object.fromEntries(
        (await app.select(lastActivity, ['merged_user_id', 'last_active_at'])).map((row) => [
          row.merged_user_id,
          row.last_active_at,
        ]),
      );
    const hourOf = (table: string) => (table === 'ai_copilot' ? 0 : 10);
    const expected = Object.fromEntries(
      records.map(([table], i) => [nameOf(i), Date.UTC(2024, 4, 1, hourOf(table)) / 1_000]),
    );
    expect(await last()).toEqual(expected);
    await app.app.ingest.rederive(app.context.organisationId);
    expect(await last()).toEqual(expected);
  });

  test('People of records who are unknown are listed by code point, whatever their letters', async () => {
    await app.put(
      'pull_requests',
      ['\u{1F600}a', '\uFF5Ea', 'a', 'B'].map((person_login) => ({ ...pr, pr_id: person_login, person_login })),
    );
    const unknown = await app.app.warehouse.read(app.context.organisationId, unknownAccounts);
    expect(unknown.map(({ login }) => login)).toEqual(['B', 'a', '\uFF5Ea', '\u{1F600}a']);
    await app.put('pull_requests', [
      { ...pr, pr_id: 'n1', person_login: 'named', person_name: '\u{1F600} Smile' },
      { ...pr, pr_id: 'n2', person_login: 'named', person_name: '\uFF5E Wave' },
    ]);
    const named = await app.app.warehouse.read(app.context.organisationId, unknownAccounts);
    expect(named.find(({ login }) => login === 'named')?.name).toBe('\uFF5E Wave');
  });

  test('People of records known by a login that was registered for the assistant itself are found by it', async () => {
    await app.directory('people', [{ ...ada, logins: { 'github-copilot': 'ada-c' } }]);
    await app.put('ai_copilot', [{ person_login: 'ADA-C', source: 'github-copilot', date: '2024-05-01' }]);
    expect((await app.select(aiCopilot, ['merged_user_id']))[0]?.merged_user_id).toBe('ada');
  });

  test('People of records who are named outright and not known yet are somebody all the same: their own review is none', async () => {
    await app.put('pull_requests', [{ ...pr, person_login: undefined, merged_user_id: 'ghost' }].map(withoutBlanks));
    await app.put('pull_request_reviews', [
      withoutBlanks({ ...review, person_login: undefined, merged_user_id: 'ghost' }),
    ]);
    expect(await clocks()).toMatchObject({ reviews_count: 0 });
  });

  test('People of records with the same full name are suggested, and nothing is merged by itself', async () => {
    await app.directory('people', [ada, { merged_user_id: 'ada2', main_email: 'a.b@example.org', name: 'ada  byron' }]);
    await app.directory('people', [{ merged_user_id: 'ada3', main_email: 'a3@example.org', name: 'Ada Byron' }]);
    await app.put('pull_requests', [{ ...pr, person_login: 'abyron', person_name: 'Ada Byron' }]);
    const suggestions = await app.app.warehouse.read(app.context.organisationId, suggestMatches);
    expect(suggestions).toMatchObject([
      { person: { merged_user_id: 'ada' }, may_be: { merged_user_id: 'ada2' } },
      { person: { merged_user_id: 'ada' }, may_be: { merged_user_id: 'ada3' } },
      { person: { merged_user_id: 'ada' }, may_be: { account: { login: 'abyron' } } },
      { person: { merged_user_id: 'ada3' }, may_be: { account: { login: 'abyron' } } },
      { person: { merged_user_id: 'ada2' }, may_be: { account: { login: 'abyron' } } },
    ]);
    expect(await author()).toBeNull();
  });
});
