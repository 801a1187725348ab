import { beforeEach, describe, expect, test } from 'vitest';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { issueComments, issues } from '../../../src/catalogue/tables/issues.ts';
import { pullRequestEvents, pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const web = { repository: 'acme/web', pr_number: 7 };
const merged = {
  pr_state: 'merged',
  pr_created_at: '2024-03-04T10:00:00Z',
  pr_merged_at: '2024-03-04T13:00:00Z',
  base_branch: 'main',
};
const deployed = {
  deployment_id: 'd1',
  repository: 'acme/web',
  deployed_at: '2024-03-05T10:00:00Z',
  status: 'success',
};

describe('short ids of pull requests and issues', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
  });

  const ids = async () => (await app.select(pullRequests, ['pr_id'])).map(({ pr_id }) => pr_id).sort();
  const reviewed = async () => (await app.select(pullRequestReviews, ['pr_id']))[0]?.pr_id;
  const carried = async () =>
    (await app.select(pullRequests, ['pr_id', 'deployment_id']))
      .flatMap(({ pr_id, deployment_id }) => (deployment_id === 'd1' ? [pr_id] : []))
      .sort();

  test('Short ids of pull requests and issues are written out with the source of their record, and fill in what they say', async () => {
    await app.put('pull_requests', [
      { pr_id: 'acme/web#7', source: 'GitLab' },
      { pr_id: 'group/sub/name#8' },
      { pr_id: 'gitlab:acme/web#9' },
      { pr_id: 'PR-1' },
      { pr_id: '#7' },
    ]);
    const columns = ['pr_id', 'source', 'repository', 'pr_number', 'repository_key'] as const;
    const rows = (await app.select(pullRequests, columns)).sort((a, b) => String(a.pr_id).localeCompare(`${b.pr_id}`));
    const bare = { source: null, repository: null, pr_number: null, repository_key: null };
    const named = { repository: 'group/sub/name', repository_key: 'group/sub/name', pr_number: 8 };
    expect(rows).toEqual([
      { pr_id: '#7', ...bare },
      { pr_id: 'github:group/sub/name#8', source: 'github', ...named },
      { pr_id: 'gitlab:acme/web#7', source: 'GitLab', ...web, repository_key: 'acme/web' },
      { pr_id: 'gitlab:acme/web#9', ...bare },
      { pr_id: 'PR-1', ...bare },
    ]);
  });

  test('Short ids of pull requests and issues mean the stored row of that name, else a row of the repository’s code host', async () => {
    await app.put('pull_requests', [
      { pr_id: 'acme/web#7', source: 'gitlab' },
      { pr_id: 'acme/web#7', pr_title: 'Title' },
      { pr_id: 'acme/web#8' },
    ]);
    await app.put('pull_requests', [{ pr_id: 'acme/web#9' }, { pr_id: 'acme/web#8', _deleted: true }]);
    await app.put('issues', [{ issue_id: 'Acme/Web#10' }]);
    expect(await ids()).toEqual(['gitlab:acme/web#7', 'gitlab:acme/web#9']);
    expect(await app.select(pullRequests, ['pr_title'], { column: 'pr_number', in: [7] })).toEqual([
      { pr_title: 'Title' },
    ]);
    const columns = ['issue_id', 'issue_key', 'source'] as const;
    expect(await app.select(issues, columns)).toEqual([
      { issue_id: 'gitlab:Acme/Web#10', issue_key: 'Acme/Web#10', source: 'gitlab' },
    ]);
  });

  test('Short ids of pull requests and issues change nothing of a row but what their record says', async () => {
    await app.put('pull_requests', [{ pr_id: 'github:acme/web#7', source: 'github', repository: 'acme/renamed' }]);
    await app.put('pull_requests', [{ pr_id: 'acme/web#7', source: null }]);
    const columns = ['pr_id', 'source', 'repository', 'pr_number'] as const;
    expect(await app.select(pullRequests, columns)).toEqual([
      { pr_id: 'github:acme/web#7', source: null, repository: 'acme/renamed', pr_number: 7 },
    ]);
  });

  test('Short ids of pull requests and issues of parents have the source of the part, else of the parent, stored or in the same change', async () => {
    await app.putAll({
      pull_requests: [{ pr_id: 'gitlab:acme/web#7', source: 'gitlab', ...web }],
      pull_request_reviews: [
        { pr_review_id: 'r1', pr_id: 'acme/web#7' },
        { pr_review_id: 'r2', pr_id: 'acme/web#7', source: 'bitbucket' },
      ],
      issues: [{ issue_id: 'gitlab:acme/web#3', source: 'gitlab', issue_key: 'acme/web#3' }],
    });
    await app.put('pull_request_events', [
      { pr_id: 'acme/web#7', event_type: 'merged', event_at: '2024-03-04T10:00:00Z' },
    ]);
    await app.put('issue_comments', [{ issue_comment_id: 'c1', issue_id: 'acme/web#3' }]);
    const links = await app.select(pullRequestReviews, ['pr_review_id', 'pr_id', 'source', 'repository']);
    expect(links.sort((a, b) => String(a.pr_review_id).localeCompare(`${b.pr_review_id}`))).toEqual([
      { pr_review_id: 'r1', pr_id: 'gitlab:acme/web#7', source: 'gitlab', repository: 'acme/web' },
      { pr_review_id: 'r2', pr_id: 'bitbucket:acme/web#7', source: 'bitbucket', repository: null },
    ]);
    expect(await app.select(pullRequestEvents, ['pr_id', 'repository'])).toEqual([
      { pr_id: 'gitlab:acme/web#7', repository: 'acme/web' },
    ]);
    expect(await app.select(issueComments, ['issue_id', 'issue_key'])).toEqual([
      { issue_id: 'gitlab:acme/web#3', issue_key: 'acme/web#3' },
    ]);
  });

  test('Short ids of pull requests and issues have the usual host where nothing says another, and the name under which a repository was first seen', async () => {
    await app.directory('repositories', [
      { repository: 'acme/site', earlier_names: ['github:acme/web', 'github:acme/middle'] },
    ]);
    await app.put('pull_request_reviews', [{ pr_review_id: 'r1', pr_id: 'acme/middle#7' }]);
    await app.put('pull_requests', [{ pr_id: 'acme/site#7' }]);
    expect(await ids()).toEqual(['github:acme/web#7']);
    expect(await reviewed()).toBe('github:acme/web#7');
    expect(await app.select(pullRequests, ['repository'])).toEqual([{ repository: 'acme/site' }]);
  });

  test.each([
    ['before its pull requests', true],
    ['after them', false],
  ])(
    'Short ids of pull requests and issues in a deployment that comes %s mean every row of that repository and number',
    async (_, isFirst) => {
      const deployment = { ...deployed, source: 'jenkins', pr_ids: ['Acme/web#7', 'PR-2'] };
      const rows = [
        { pr_id: 'github:acme/web#7', source: 'github', ...web, ...merged },
        { pr_id: 'gitlab:acme/web#7', source: 'gitlab', ...web, ...merged },
        { pr_id: 'opaque', ...web, ...merged },
        { pr_id: 'PR-2', ...web, pr_number: 2, ...merged },
        { pr_id: 'github:acme/web#70', source: 'github', ...web, pr_number: 70, ...merged, pr_merged_at: null },
      ];
      if (isFirst) await app.put('deployments', [deployment]);
      for (const row of rows) await app.put('pull_requests', [row]);
      if (!isFirst) await app.put('deployments', [deployment]);
      expect(await carried()).toEqual(['PR-2', 'github:acme/web#7', 'gitlab:acme/web#7', 'opaque']);
      const [row] = await app.select(deployments, ['pr_ids', 'prs_included'], { column: 'deployment_id', in: ['d1'] });
      expect(row).toEqual({ pr_ids: '["Acme/web#7","PR-2"]', prs_included: 4 });
      await app.put('deployments', [{ deployment_id: 'd1', pr_ids: ['PR-2'] }]);
      expect(await carried()).toEqual(['PR-2']);
    },
  );

  test('Short ids of pull requests and issues in a deployment mean a renamed repository by each of its names', async () => {
    await app.directory('repositories', [
      { repository: 'acme/site', earlier_names: ['github:Acme/Web', 'github:acme/middle'] },
    ]);
    await app.put('deployments', [{ ...deployed, repository: 'acme/site', pr_ids: ['acme/middle#7', 'acme/site#8'] }]);
    await app.put('pull_requests', [
      { pr_id: 'github:Acme/Web#7', source: 'github', repository: 'acme/site', pr_number: 7, ...merged },
      { pr_id: 'github:Acme/Web#8', source: 'github', repository: 'acme/site', ...merged },
    ]);
    expect(await carried()).toEqual(['github:Acme/Web#7', 'github:Acme/Web#8']);
  });

  test('Short ids of pull requests and issues in records of a code host mean the row of that host', async () => {
    await app.put('deployments', [{ ...deployed, source: 'gitlab', pr_ids: ['acme/web#7'] }]);
    await app.put('workflow_runs', [
      { workflow_run_id: 'w1', source: 'github', associated_pr_ids: ['acme/web#7', 'x'] },
    ]);
    await app.put('issues', [{ issue_id: 'i1', source: 'jira', parent_issue_id: 'acme/web#1' }]);
    await app.put('pull_requests', [
      { pr_id: 'github:acme/web#7', source: 'github', ...web, ...merged },
      { pr_id: 'gitlab:acme/web#7', source: 'gitlab', ...web, ...merged },
    ]);
    expect(await carried()).toEqual(['gitlab:acme/web#7']);
    expect(await app.select(workflowRuns, ['associated_pr_ids'])).toEqual([
      { associated_pr_ids: '["github:acme/web#7","x"]' },
    ]);
    expect(await app.select(issues, ['parent_issue_id'])).toEqual([{ parent_issue_id: 'acme/web#1' }]);
  });
});
