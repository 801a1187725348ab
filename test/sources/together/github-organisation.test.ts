import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CircleWorld, circleAnswer, circleToken, somePipeline, someWorkflow } from '../circleci/circleci-case.ts';
import { type ClaudeWorld, claudeToken, consoleAnswer, day, reportRow } from '../claude-code/claude-code-cases.ts';
import { ReplayHost, type ReplayOptions } from '../contract/replay-host.ts';
import { startReplay } from '../github/replay/server.ts';
import { somePull, user } from '../github/replay/some-pull.ts';
import { someIssue as someGithubIssue, someRepository } from '../github/replay/some-world.ts';
import { emptyRepository } from '../github/replay/world.ts';
import { someIssue, someProjects, someStatuses } from '../jira/jira-case.ts';
import { cloudPerson, jiraAnswer, jiraEmail, jiraToken } from '../jira/jira-world.ts';
import { ago, engines, FedOrganisation, isoAgo, now } from './fed-organisation.ts';

/*
 * One organisation that GitHub, Jira, its service management, CircleCI and Claude Code feed. Times are days before now.
 *
 *   #1 Mara merged 10.5       #2 Tove merged 6         #3 Mara merged 2.5
 *   runs that deploy: at 10   at 5.5 (brings #2)       at 4 fails      at 2 (brings #3)
 *   an incident of Operations, which both kinds of Jira read: 5–4.75
 */
const sha = (number: number): string => `${number}`.repeat(40);
const secondsPerDay = 86_400;

const merged = (number: number, days: number, author: string, more: object) =>
  somePull({
    number,
    author: user(author),
    updatedAt: isoAgo(days),
    fields: {
      state: 'closed',
      body: '',
      created_at: isoAgo(days + 0.5),
      merged_at: isoAgo(days),
      closed_at: isoAgo(days),
      merge_commit_sha: sha(number),
      ...more,
    },
  });
const githubWorld = {
  repositories: [
    {
      ...emptyRepository(someRepository('acme/web', 101)),
      pulls: [
        merged(1, 10.5, 'mara', { body: 'Fixes #8' }),
        merged(2, 6, 'tove', { title: 'WEB-3: a door', body: 'Fixes #9' }),
        merged(3, 2.5, 'mara', { title: 'See XYZ-3' }),
      ],
      issues: [someGithubIssue(8, { created_at: isoAgo(12), updated_at: isoAgo(11), assignees: [user('tove')] })],
    },
  ],
  organizations: [],
};

const circleWorld: CircleWorld = { pipelines: [], workflows: [] };
for (const [number, days, commit, status, login] of [
  [1, 10, 1, 'success', 'mara'],
  [2, 5.5, 2, 'success', 'Tove'],
  [3, 4, 2, 'failed', 'rene'],
  [4, 2, 3, 'success', ''],
] as const) {
  const address = 'https://github.com/acme/web';
  const pipeline = somePipeline(number, days, {
    trigger: { type: 'webhook', received_at: isoAgo(days), actor: { login, avatar_url: null } },
    vcs: {
      provider_name: 'GitHub',
      origin_repository_url: address,
      target_repository_url: address,
      revision: sha(commit),
      branch: 'main',
    },
  });
  circleWorld.pipelines.push(pipeline);
  circleWorld.workflows.push(someWorkflow(pipeline, status, { name: 'deploy-production' }));
  circleWorld.workflows.push(someWorkflow(pipeline, 'success'));
}

const jiraWorld = {
  isCloud: true,
  projects: [...someProjects],
  statuses: [...someStatuses],
  issues: [
    someIssue(3, ago(14), { fields: { assignee: cloudPerson('mara') } }),
    // The login of somebody on GitHub is nobody's in Jira.
    someIssue(6, ago(14), { fields: { assignee: cloudPerson('t', { accountId: 'tove' }) } }),
    someIssue(8, ago(5), {
      resolved: ago(4.75),
      updated: ago(4.75),
      changes: [{ at: ago(4.75), field: 'status', from: '1', to: '6' }],
      fields: { assignee: cloudPerson('rene', { accountId: 'rene' }) },
    }),
  ],
  pageSize: 3,
  commentsInSearch: 2,
};

/** Mara in two terminals, a key, and somebody who is not known. */
const claudeWorld: ClaudeWorld = new Map([
  [
    day(1),
    [
      reportRow('Mara@acme.example', 1),
      reportRow('mara@acme.example', 1, { terminal_type: 'iTerm.app' }),
      reportRow('', 1, { actor: { type: 'api_actor', api_key_name: 'tove' } }),
      reportRow('tove@elsewhere.example', 1),
    ],
  ],
]);

const people = [
  { name: 'Mara Ilves', main_email: 'mara@acme.example', logins: { github: 'mara', jira: '5b10:mara' } },
  { name: 'Tove Lind', main_email: 'tove@acme.example', logins: { github: 'tove' } },
  // Called so in Jira: whoever is called so on GitHub is somebody else.
  { name: 'René Roy', main_email: 'rene@acme.example', logins: { jira: 'rene' } },
];

describe.each(engines)('on %s', (engine) => {
  let acme: FedOrganisation;
  const closing: (() => Promise<void>)[] = [];
  let jiraHost = '';
  const webhookSecret = 'secret-of-nobody-in-particular';

  beforeAll(async () => {
    const provider = async (answer: ReplayOptions['answer']) => {
      const host = await ReplayHost.start({ now: () => now, answer });
      closing.push(() => host.close());
      return host.url;
    };
    acme = await FedOrganisation.start(engine, people);
    const github = await startReplay(githubWorld, { now: () => now });
    closing.push(() => github.close());
    const tracker = await provider((asked) => jiraAnswer(jiraWorld, asked));
    jiraHost = new URL(tracker).host;
    const incidents = { incident_types: '[System] Incident', service_repositories: 'Operations=acme/web' };
    const site = { base_url: tracker, email: jiraEmail, token: jiraToken };
    await acme.add('github', {
      ...{ base_url: github.url, token: 'replay-token', repositories: 'acme/web' },
      webhook_secret: webhookSecret,
    });
    await acme.add('jira', { ...site, ...incidents });
    await acme.add('jira-operations', { ...site, ...incidents, projects: 'OPS' });
    await acme.add('circleci', {
      base_url: await provider((asked) => circleAnswer(circleWorld, asked)),
      token: circleToken,
      projects: 'gh/acme/web',
    });
    await acme.add('claude-code', {
      base_url: await provider((asked) => consoleAnswer(claudeWorld, asked)),
      token: claudeToken,
      since: '2026-03-20',
    });
    // Some of it was imported before, with other values.
    await acme.put('pull_requests', [{ pr_id: 'acme/web#2', source: 'github', pr_title: 'From a file' }]);
    await acme.put('incidents', [{ incident_id: `jira:${jiraHost}/20008`, title: 'From a file' }]);
    await acme.put('ai_copilot', [
      { person_email: 'mara@acme.example', source: 'claude-code', date: day(1), tokens: 1 },
    ]);
    await acme.sync();
  });
  afterAll(async () => {
    await acme.close();
    await Promise.all(closing.map((close) => close()));
  });

  const idOf = (email: string): Promise<string> => acme.service.idOf(email);
  const ofRun = (values: Readonly<Record<string, unknown>>): unknown[] =>
    Object.entries(values)
      .filter(([id]) => id.includes('deploy-production'))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, value]) => value);

  test('Runs of CircleCI belong to people of GitHub, and an equal login in Jira is nobody of theirs', async () => {
    const [mara, tove, rene] = [
      await idOf('mara@acme.example'),
      await idOf('tove@acme.example'),
      await idOf('rene@acme.example'),
    ];
    expect(await acme.column('pull_requests', 'pr_number', 'merged_user_id')).toEqual({ 1: mara, 2: tove, 3: mara });
    expect(ofRun(await acme.column('workflow_runs', 'workflow_run_id', 'merged_user_id'))).toEqual([
      mara,
      tove,
      null,
      null,
    ]);
    expect(ofRun(await acme.column('deployments', 'deployment_id', 'merged_user_id'))).toEqual([
      mara,
      tove,
      null,
      null,
    ]);
    expect(await acme.column('issues', 'issue_key', 'merged_user_id')).toEqual({
      'acme/web#8': tove,
      'WEB-3': mara,
      'WEB-6': null,
      'OPS-8': rene,
    });
    const days = await acme.rows('ai_copilot');
    const found = days.map(({ person_email, person_login, merged_user_id, tokens }) => [
      person_email ?? person_login,
      merged_user_id,
      tokens,
    ]);
    // 1,000 + 40 + 500 + 60 of one model and 100 + 40 + 500 + 60 of the other, in each of her terminals.
    expect(found.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ['mara@acme.example', mara, 4_600],
      ['tove', null, 2_300],
      ['tove@elsewhere.example', null, 2_300],
    ]);
  });

  test('An incident of service management decides which run that deployed failed, and for how long', async () => {
    const deployments = async (column: string) => ofRun(await acme.column('deployments', 'deployment_id', column));
    expect(await deployments('failure_reason')).toEqual([null, 'incident', 'failed_deployment', null]);
    expect(await deployments('prs_included')).toEqual([0, 1, 0, 1]);
    // The incident lasted a quarter of a day; what failed at 4 was put right at 2.
    expect(await deployments('time_to_restore')).toEqual([null, 0.25 * secondsPerDay, 2 * secondsPerDay, null]);
    expect(await acme.metric('change-failure-rate')).toMatchObject([{ change_failure_rate: 0.5 }]);
    expect(await acme.metric('deployment-success-rate')).toMatchObject([{ deployment_success_rate: 0.75 }]);
    expect(await acme.metric('deployment-frequency')).toMatchObject([{ deployment_frequency: 3 }]);
    expect(await acme.metric('time-to-restore', { aggregation: 'AVG' })).toMatchObject([
      { avg_time_to_restore: 1.125 * secondsPerDay },
    ]);
    // Both ended five minutes after they had begun, half a day after the merge. What the first brought is not known.
    expect(await acme.metric('merge-to-deploy', { aggregation: 'AVG' })).toMatchObject([
      { avg_merge_to_deploy: 0.5 * secondsPerDay + 300 },
    ]);
  });

  test('Pull requests are linked with the issues of GitHub and Jira that they name and that are stored', async () => {
    expect(await acme.column('pull_requests', 'pr_number', 'issue_ids')).toEqual({
      1: JSON.stringify(['github:acme/web#8']),
      2: JSON.stringify([`jira:${jiraHost}/20003`]),
      3: null,
    });
    expect(await acme.column('issues', 'issue_key', 'pr_ids')).toEqual({
      'acme/web#8': JSON.stringify(['github:acme/web#1']),
      'WEB-3': JSON.stringify(['github:acme/web#2']),
      'WEB-6': null,
      'OPS-8': null,
    });
  });

  test('What a file, two kinds of Jira, syncs and webhooks bring of the same things counts once', async () => {
    const tables = ['pull_requests', 'issues', 'deployments', 'workflow_runs', 'ai_copilot'];
    const state = async () => Promise.all(tables.map(async (table) => [table, await acme.rows(table)]));
    const before = await state();
    expect(before.map(([table, rows]) => [table, rows?.length])).toEqual([
      ['pull_requests', 3],
      ['issues', 4],
      ['deployments', 4],
      ['workflow_runs', 8],
      ['ai_copilot', 3],
    ]);
    const incidents = () => acme.column('incidents', 'incident_id', 'title');
    expect(await incidents()).toEqual({ [`jira:${jiraHost}/20008`]: 'Issue 20008' });
    const hook = { pull_request: { number: 2, title: 'Claimed' }, repository: { id: 101, full_name: 'acme/web' } };
    await acme.call('github', hook, (_, text) => ({
      'x-github-event': 'pull_request',
      'x-github-delivery': 'one',
      'x-hub-signature-256': `sha256=${createHmac('sha256', webhookSecret).update(text).digest('hex')}`,
    }));
    await acme.sync();
    expect(await state()).toEqual(before);
    expect(await incidents()).toEqual({ [`jira:${jiraHost}/20008`]: 'Issue 20008' });
  });
});
