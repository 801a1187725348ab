import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disputedSessions } from '../../../../src/catalogue/derivation-state.ts';
import { pullRequests } from '../../../../src/catalogue/tables/pull-requests.ts';
import { sessionsDisputed, sessionsLeftOut } from '../../../../src/ingest/apply/posthook/session-claims.ts';
import type { HookSender } from '../../../../src/ingest/apply/posthook/session-gate.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../../records-app.ts';
import { deliverTo, type HookTables, keyOf, owner } from './hook.ts';

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
let ada: HookSender;
let bob: HookSender;
let number = 0;
beforeAll(async () => {
  app = await anOrganisation();
  await app.directory('people', [
    { main_email: 'ada@example.org', name: 'Ada', logins: { github: 'ada' } },
    { main_email: 'bob@example.org', name: 'Bob', logins: { github: 'bob' } },
    { main_email: 'carol@example.org', name: 'Carol', logins: { github: 'carol' } },
  ]);
  ada = await keyOf(app, 'ada@example.org');
  bob = await keyOf(app, 'bob@example.org');
});
beforeEach(() => {
  number += 1;
});

const deliver = (tables: HookTables, sender: HookSender) => deliverTo(app, tables, sender);
const claims = () =>
  app.app.warehouse.read(app.context.organisationId, async (session) => ({
    leftOut: await sessionsLeftOut(session),
    disputed: await sessionsDisputed(session),
  }));

/** A pull request of one, with a commit of another, and a merge commit; ten lines are added. */
async function pullRequest(author: string, committer: string, more: object = {}): Promise<string> {
  const pr_id = `p${number}`;
  await app.put('pull_requests', [
    { pr_id, source: 'github', person_login: author, merge_commit_sha: `merge-${pr_id}`, pr_state: 'merged', ...more },
  ]);
  await app.put('pull_request_commits', [
    { commit_id: `${pr_id}:1`, pr_id, sha: `commit-${pr_id}`, additions: 10, person_login: committer },
  ]);
  return pr_id;
}

/** A session of somebody, with four lines in a commit of the pull request. */
const session = (email: string, commit = `commit-p${number}`): HookTables => ({
  sessions: [{ id: `s${number}`, engineer_email: email, agent_slug: 'claude-code' }],
  commit_sessions: [{ commit_id: commit, session_id: `s${number}`, lines_attributed: 4 }],
});

const shareOf = async (pr_id: string) =>
  (
    await app.select(pullRequests, ['ai_pct_of_code', 'is_ai_assisted', 'ai_sources'], {
      column: 'pr_id',
      in: [pr_id],
    })
  )[0];
const counted = { ai_pct_of_code: 0.4, is_ai_assisted: true, ai_sources: '["claude-code"]' };
const leftOut = { ai_pct_of_code: null, is_ai_assisted: false, ai_sources: '[]' };

describe('the lines of a session', () => {
  test.each([
    ['the author of the pull request', 'bob', 'ada'],
    ['the author of the commit', 'ada', 'bob'],
  ])('The lines of a session count when it belongs to %s', async (_, author, committer) => {
    const id = await pullRequest(author, committer);
    await deliver(session('bob@example.org'), bob);
    expect(await shareOf(id)).toEqual(counted);
    expect((await claims()).leftOut).not.toContain(`s${number}`);
  });

  test('The lines of a session in somebody else’s commit change nothing about their pull request, and are listed', async () => {
    const id = await pullRequest('ada', 'ada');
    await deliver(session('bob@example.org'), bob);
    expect(await shareOf(id)).toEqual(leftOut);
    expect((await claims()).leftOut).toContain(`s${number}`);
    await app.app.ingest.rederive(app.context.organisationId);
    expect(await shareOf(id)).toEqual(leftOut);
  });

  test('The lines of a session are left out in whatever order all of it comes', async () => {
    await deliver({ commit_sessions: session('bob@example.org').commit_sessions ?? [] }, bob);
    await app.put('pull_request_commits', [
      { commit_id: `p${number}:1`, pr_id: `p${number}`, sha: `commit-p${number}`, additions: 10, person_login: 'ada' },
    ]);
    await deliver({ sessions: session('bob@example.org').sessions ?? [] }, bob);
    expect(await shareOf(await pullRequest('carol', 'ada'))).toEqual(leftOut);
  });

  test('The lines of a session in a merge commit count for the author of the pull request alone', async () => {
    const id = await pullRequest('ada', 'bob');
    await deliver(session('bob@example.org', `merge-${id}`), bob);
    expect(await shareOf(id)).toEqual(leftOut);
    number += 1;
    const own = await pullRequest('bob', 'ada');
    await deliver(session('bob@example.org', `merge-${own}`), bob);
    expect(await shareOf(own)).toEqual(counted);
  });

  test('The lines of a session are taken as they are where the author of the commit is not known to the directory', async () => {
    const id = await pullRequest('ada', 'stranger');
    await deliver(session('bob@example.org'), bob);
    expect(await shareOf(id)).toEqual(counted);
    number += 1;
    const unknown = await pullRequest('stranger', 'ada');
    await deliver(session('bob@example.org', `merge-${unknown}`), bob);
    expect(await shareOf(unknown)).toEqual(counted);
  });

  test('The lines of a session are left out once it becomes known that the commit is somebody else’s, and count again when it is not', async () => {
    const id = await pullRequest('ada', 'late');
    await deliver(session('bob@example.org'), bob);
    expect(await shareOf(id)).toEqual(counted);
    await app.directory('people', [{ main_email: 'carol@example.org', logins: { github: 'late' } }]);
    await app.app.ingest.publisher.publish(app.context.organisationId);
    expect(await shareOf(id)).toEqual(leftOut);
    await app.put('pull_request_commits', [{ commit_id: `${id}:1`, pr_id: id, person_login: 'bob' }]);
    expect(await shareOf(id)).toEqual(counted);
    await app.put('pull_request_commits', [{ commit_id: `${id}:1`, pr_id: id, person_login: 'ada' }]);
    await app.put('pull_requests', [{ pr_id: id, person_login: 'bob' }]);
    expect(await shareOf(id)).toEqual(counted);
  });

  test('The lines of a session are taken as they are from an Owner’s key and from an import; whoever brought a row last counts', async () => {
    const id = await pullRequest('ada', 'ada');
    await deliver(session('bob@example.org'), owner);
    expect(await shareOf(id)).toEqual(counted);
    await deliver(session('bob@example.org'), bob);
    expect(await shareOf(id)).toEqual(leftOut);
    await app.put('posthook_session_commits', [
      { session_id: `s${number}`, commit_id: `commit-${id}`, committed_lines: 4 },
    ]);
    expect(await shareOf(id)).toEqual(counted);
    expect((await claims()).leftOut).not.toContain(`s${number}`);
  });

  test('The lines of a session of an engineer whom the directory does not know are taken as they are', async () => {
    const id = await pullRequest('ada', 'ada');
    await deliver(session('stranger@example.org'), owner);
    expect(await shareOf(id)).toEqual(counted);
  });
});

describe('a session', () => {
  test('A session is of the engineer who sends it first; a second one is refused by line and listed', async () => {
    const mine = { id: 'met', engineer_email: 'ada@example.org', branch: 'door' };
    expect(await deliver({ sessions: [mine] }, ada)).toMatchObject({ accepted: 1 });
    expect((await claims()).disputed).toEqual([]);
    const answer = await deliver(
      {
        sessions: [
          { ...mine, id: 'fine', engineer_email: 'bob@example.org' },
          { id: 'met', engineer_email: 'bob@example.org' },
        ],
      },
      bob,
    );
    expect(answer).toMatchObject({
      accepted: 1,
      rejected: [
        { table: 'sessions', line: 2, detail: expect.stringContaining("session 'met' belongs to someone else") },
      ],
    });
    expect((await claims()).disputed).toEqual(['met']);
    await app.put('posthook_sessions', [{ session_id: 'met', _deleted: true }]);
    expect((await claims()).disputed).toEqual([]);
  });

  test('A session is remembered as disputed up to a bound', async () => {
    const sessions = (email: string) =>
      Array.from({ length: 1_100 }, (_, i) => ({ id: `many-${i}`, engineer_email: email }));
    await deliver({ sessions: sessions('ada@example.org') }, ada);
    expect(await deliver({ sessions: sessions('bob@example.org') }, bob)).toMatchObject({ accepted: 0 });
    expect(await deliver({ sessions: sessions('bob@example.org') }, bob)).toMatchObject({ accepted: 0 });
    expect(await app.select(disputedSessions, ['session_id'])).toHaveLength(1_000);
  });
});
