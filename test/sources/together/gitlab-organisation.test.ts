import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchSuggestions } from '../../../src/ingest/resolve/suggestions.ts';
import { ReplayHost, type ReplayOptions } from '../contract/replay-host.ts';
import { cursorAnswer, cursorToken, usageDay } from '../cursor/cursor-case.ts';
import {
  gitlabAnswer,
  gitlabToken,
  someDeployment,
  someIssue as someGitlabIssue,
  someMergeRequest,
  someProject,
  user,
} from '../gitlab/gitlab-world.ts';
import { someIssue, someProjects, someStatuses } from '../jira/jira-case.ts';
import { cloudPerson, jiraAnswer, jiraEmail, jiraToken } from '../jira/jira-world.ts';
import { pagerdutyAnswer, pagerdutyToken, someIncident, someServices } from '../pagerduty/pagerduty-case.ts';
import { ago, engines, FedOrganisation, isoAgo, now } from './fed-organisation.ts';

/*
 * One organisation that GitLab, Jira, PagerDuty and Cursor feed. Times are days before now.
 *
 *   !1 Mara merged 10.5    !2 Mara merged 6    !3 Kim merged 2.5
 *   401 at 10 brings !1    402 at 8 fails      403 at 5.5 brings !2    404 at 3 tests    405 at 2 brings !3
 *   incidents of Checkout: 5.1–4.5 (Jira), 5–4.75 (PagerDuty), 1– (PagerDuty); of Search: 1.5–
 */
const web = someProject(101, 'acme/web');
web.lists.merge_requests.push(
  someMergeRequest(1, 10.5, { author: user('mara'), description: 'Closes #1' }),
  someMergeRequest(2, 6, { author: user('mara'), description: '', source_branch: 'web-3-door' }),
  someMergeRequest(3, 2.5, { author: user('kim'), description: 'See WEB-999' }),
);
web.lists.issues.push(someGitlabIssue(1, 12, { author: user('kim'), assignees: [user('mara')] }));
// Its name says production, and its tier does not.
web.lists.environments.push(
  { id: 1, name: 'blue', tier: 'production' },
  { id: 2, name: 'production', tier: 'testing' },
);
const inBlue = { environment: { id: 1, name: 'blue' }, user: user('mara') };
web.lists.deployments.push(
  someDeployment(405, 2, inBlue),
  someDeployment(404, 3, { ...inBlue, environment: { id: 2, name: 'production' } }),
  someDeployment(403, 5.5, inBlue),
  someDeployment(402, 8, { ...inBlue, status: 'failed' }),
  someDeployment(401, 10, inBlue),
);
for (const [deployment, iid] of [
  [401, 1],
  [403, 2],
  [405, 3],
]) {
  web.parts[`deployments/${deployment}/merge_requests`] = [{ iid, project_id: 101 }];
}
const gitlabWorld = {
  projects: [web],
  groups: [{ id: 10, full_path: 'acme', full_name: 'Acme', members: [] }],
  refused: [],
  hasGraphql: true,
  maxPage: 100,
  scopes: ['read_api'],
};

const jiraWorld = {
  isCloud: true,
  projects: [...someProjects],
  statuses: [...someStatuses],
  issues: [
    someIssue(3, ago(14), { fields: { assignee: cloudPerson('mara') } }),
    // An account that is called as somebody is elsewhere, one with an address, and one with the login of another host.
    someIssue(6, ago(14), { fields: { assignee: cloudPerson('tove', { displayName: 'Tove Lind' }) } }),
    someIssue(7, ago(14), { fields: { assignee: cloudPerson('bo', { emailAddress: 'Bo@acme.example' }) } }),
    someIssue(9, ago(14), { fields: { assignee: cloudPerson('k', { accountId: 'kim' }) } }),
    someIssue(8, ago(5.1), {
      resolved: ago(4.5),
      updated: ago(4.5),
      changes: [{ at: ago(4.5), field: 'status', from: '1', to: '6' }],
      fields: { assignee: cloudPerson('mara'), components: [{ id: '7', name: 'Checkout' }] },
    }),
  ],
  pageSize: 3,
  commentsInSearch: 2,
};

const checkout = { service: { id: 'PCHECK', summary: 'Checkout' } };
const isOpen = { status: 'triggered', resolved_at: null } as const;
const pagerdutyWorld = {
  services: [...someServices],
  incidents: [
    someIncident(1, isoAgo(5), { ...checkout, resolved_at: isoAgo(4.75) }),
    someIncident(2, isoAgo(1), { ...checkout, ...isOpen }),
    someIncident(3, isoAgo(1.5), { service: { id: 'PSEARCH', summary: 'Search' }, ...isOpen }),
  ],
};

const cursorWorld = {
  days: ['MARA@acme.example', 'bo@acme.example', 'kim@elsewhere.example'].map((email) => usageDay(email, 1)),
  events: [],
};

const people = [
  { name: 'Mara Ilves', main_email: 'mara@acme.example', logins: { gitlab: 'mara', jira: '5b10:mara' } },
  { name: 'Tove Lind', main_email: 'tove@acme.example', logins: { gitlab: 'tove' } },
  { name: 'Bo Berg', main_email: 'bo@acme.example' },
  { name: 'Kim Aho', main_email: 'kim@acme.example', logins: { gitlab: 'Kim' } },
];

describe.each(engines)('on %s', (engine) => {
  let acme: FedOrganisation;
  const hosts: ReplayHost[] = [];
  let jiraHost = '';
  let pagerdutyHost = '';

  beforeAll(async () => {
    const provider = async (answer: ReplayOptions['answer']) => {
      const host = await ReplayHost.start({ now: () => now, answer });
      hosts.push(host);
      return host.url;
    };
    acme = await FedOrganisation.start(engine, people);
    const [code, tracker, pager, assistant] = [
      await provider((asked) => gitlabAnswer(gitlabWorld, asked)),
      await provider((asked) => jiraAnswer(jiraWorld, asked)),
      await provider((asked) => pagerdutyAnswer(pagerdutyWorld, asked)),
      await provider((asked) => cursorAnswer(cursorWorld, asked)),
    ];
    [jiraHost, pagerdutyHost] = [new URL(tracker).host, new URL(pager).host];
    await acme.add('gitlab', { base_url: code, token: gitlabToken, group: 'acme' });
    await acme.add('jira', {
      ...{ base_url: tracker, email: jiraEmail, token: jiraToken },
      ...{ incident_types: '[System] Incident', service_repositories: 'Checkout=acme/web' },
    });
    await acme.add('pagerduty', { base_url: pager, token: pagerdutyToken, service_repositories: 'Checkout=acme/web' });
    await acme.add('cursor', { base_url: assistant, token: cursorToken, since: '2026-03-01' });
    // Some of it was imported before, with other values.
    await acme.put('pull_requests', [{ pr_id: 'acme/web#2', source: 'gitlab', pr_title: 'From a file' }]);
    await acme.put('deployments', [
      { deployment_id: 'gitlab:acme/web:deployment:403', source: 'gitlab', repository: 'acme/web', status: 'failure' },
    ]);
    await acme.put('incidents', [{ incident_id: `pagerduty:${pagerdutyHost}/Q1`, title: 'From a file' }]);
    await acme.put('ai_copilot', [
      { person_email: 'mara@acme.example', source: 'cursor', date: isoAgo(1).slice(0, 10), accepts: 1 },
    ]);
    await acme.sync();
  });
  afterAll(async () => {
    await acme.close();
    await Promise.all(hosts.map((host) => host.close()));
  });

  const idOf = (email: string): Promise<string> => acme.service.idOf(email);

  test('People of GitLab, Jira and Cursor are one where an address or a login of a source says so, and not otherwise', async () => {
    const [mara, bo, kim] = [
      await idOf('mara@acme.example'),
      await idOf('bo@acme.example'),
      await idOf('kim@acme.example'),
    ];
    expect(await acme.column('pull_requests', 'pr_id', 'merged_user_id')).toEqual({
      'gitlab:acme/web#1': mara,
      'gitlab:acme/web#2': mara,
      'gitlab:acme/web#3': kim,
    });
    const assignees = await acme.column('issues', 'issue_key', 'merged_user_id');
    expect(assignees).toEqual({
      'acme/web#1': mara,
      'WEB-3': mara,
      'WEB-6': null,
      'API-7': bo,
      'WEB-9': null,
      'OPS-8': mara,
    });
    expect(await acme.column('ai_copilot', 'person_email', 'merged_user_id')).toEqual({
      'mara@acme.example': mara,
      'bo@acme.example': bo,
      'kim@elsewhere.example': null,
    });
    // Only suggested: they share a full name.
    const { warehouse, ingest } = acme.service.app;
    const suggestions = await matchSuggestions({ warehouse, ingest }, acme.service.organisationId);
    expect(suggestions.map(({ name }) => name)).toEqual(['Tove Lind']);
  });

  test('Incidents of Jira and PagerDuty decide which deployments of GitLab failed, and for how long', async () => {
    expect(await acme.column('deployments', 'deployment_id', 'failure_reason')).toEqual({
      'gitlab:acme/web:deployment:401': null,
      'gitlab:acme/web:deployment:402': 'failed_deployment',
      'gitlab:acme/web:deployment:403': 'incident',
      'gitlab:acme/web:deployment:404': null,
      'gitlab:acme/web:deployment:405': 'incident',
    });
    // 402 until 403; 403 from its first incident to the end of its last; 405 has one that is open.
    const day = 86_400;
    expect(await acme.column('deployments', 'deployment_id', 'time_to_restore')).toMatchObject({
      'gitlab:acme/web:deployment:402': 2.5 * day,
      'gitlab:acme/web:deployment:403': 0.6 * day,
      'gitlab:acme/web:deployment:405': null,
    });
    // Of 401, 402, 403 and 405 the first alone is well, and 402 alone did not run.
    expect(await acme.metric('change-failure-rate')).toMatchObject([{ change_failure_rate: 0.75 }]);
    expect(await acme.metric('deployment-success-rate')).toMatchObject([{ deployment_success_rate: 0.75 }]);
    expect(await acme.metric('deployment-frequency')).toMatchObject([{ deployment_frequency: 3 }]);
    expect(await acme.metric('time-to-restore', { aggregation: 'AVG' })).toMatchObject([
      { avg_time_to_restore: 1.55 * day },
    ]);
    expect(await acme.metric('merge-to-deploy', { aggregation: 'AVG' })).toMatchObject([
      { avg_merge_to_deploy: 0.5 * day },
    ]);
    expect(await acme.column('incidents', 'incident_id', 'repository')).toEqual({
      [`jira:${jiraHost}/20008`]: 'acme/web',
      [`pagerduty:${pagerdutyHost}/Q1`]: 'acme/web',
      [`pagerduty:${pagerdutyHost}/Q2`]: 'acme/web',
      [`pagerduty:${pagerdutyHost}/Q3`]: null,
    });
  });

  test('Merge requests are linked with the issues of GitLab and Jira that they name and that are stored', async () => {
    expect(await acme.column('pull_requests', 'pr_number', 'issue_ids')).toEqual({
      1: JSON.stringify(['gitlab:acme/web#1']),
      2: JSON.stringify([`jira:${jiraHost}/20003`]),
      3: null,
    });
    const named = await acme.column('issues', 'issue_key', 'pr_ids');
    expect(named).toMatchObject({
      'acme/web#1': JSON.stringify(['gitlab:acme/web#1']),
      'WEB-3': JSON.stringify(['gitlab:acme/web#2']),
      'WEB-6': null,
    });
  });

  test('What a file, syncs and webhooks bring of the same things counts once', async () => {
    const tables = ['pull_requests', 'issues', 'deployments', 'incidents', 'ai_copilot'];
    const state = async () => Promise.all(tables.map(async (table) => [table, await acme.rows(table)]));
    const before = await state();
    expect(before.map(([table, rows]) => [table, rows?.length])).toEqual([
      ['pull_requests', 3],
      ['issues', 6],
      ['deployments', 5],
      ['incidents', 4],
      ['ai_copilot', 3],
    ]);
    expect(await acme.column('pull_requests', 'pr_number', 'pr_title')).toMatchObject({ 2: 'Change 2' });
    const hook = {
      object_kind: 'merge_request',
      project: { id: 101 },
      object_attributes: { iid: 2, title: 'Claimed' },
    };
    await acme.call('gitlab', hook, (token) => ({
      'x-gitlab-event': 'Merge Request Hook',
      'x-gitlab-event-uuid': 'one',
      'x-gitlab-token': token,
    }));
    await acme.sync();
    expect(await state()).toEqual(before);
  });
});
