import { beforeEach, expect, test } from 'vitest';
import { namedIssues } from '../../../src/catalogue/derivation-state.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { addRows } from '../../warehouse/table-writes.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
beforeEach(async () => {
  app = await anOrganisation();
});

const links = async () => {
  const [pr] = await app.select(pullRequests, ['issue_ids']);
  const [issue] = await app.select(issues, ['pr_ids']);
  return [pr?.issue_ids ?? null, issue?.pr_ids ?? null];
};
const both = ['["jira:i"]', '["p"]'];
const neither = [null, null];
const issue = { issue_id: 'jira:i', source: 'jira', issue_key: 'ABC-1' };

test('A link goes with the key of its issue, with the issue and with the word that named it, and comes back with each', async () => {
  await app.put('pull_requests', [{ pr_id: 'p', pr_title: 'ABC-1: a door' }]);
  expect(await links()).toEqual(neither);
  await app.put('issues', [issue]);
  expect(await links()).toEqual(both);
  for (const issue_key of ['DEF-1', null]) {
    await app.put('issues', [{ ...issue, issue_key }]);
    expect(await links()).toEqual(neither);
    await app.put('issues', [issue]);
    expect(await links()).toEqual(both);
  }
  await app.put('issues', [{ issue_id: 'jira:i', _deleted: true }]);
  expect(await links()).toEqual(neither);
  await app.put('issues', [issue]);
  expect(await links()).toEqual(both);
  await app.put('pull_requests', [{ pr_id: 'p', pr_title: 'A door' }]);
  expect(await links()).toEqual(neither);
});

test('A link by number follows a repository to its new name: ids have the name under which it was first seen', async () => {
  await app.directory('repositories', [{ repository: 'acme/site', earlier_names: ['github:acme/web'] }]);
  await app.put('issues', [{ issue_id: 'github:acme/web#7', source: 'github', project_id: 'github:acme/web' }]);
  const pull = { source: 'github', repository: 'acme/api', pr_number: 8 };
  await app.put('pull_requests', [{ ...pull, pr_id: 'github:acme/api#8', pr_body: 'Fixes acme/site#7' }]);
  expect(await links()).toEqual(['["github:acme/web#7"]', '["github:acme/api#8"]']);
});

test('Recomputing everything forgets what a pull request named by rules of before', async () => {
  await app.put('pull_requests', [{ pr_id: 'p', pr_title: 'ABC-1: a door' }]);
  await app.put('issues', [{ ...issue, issue_key: 'DEF-1' }]);
  const { warehouse, ingest } = app.app;
  const { organisationId } = app.context;
  await warehouse.change(organisationId, (session) =>
    addRows(session, namedIssues, [{ pr_id: 'p', link_key: 'DEF-1' }]),
  );
  await ingest.rederive(organisationId);
  expect(await links()).toEqual(neither);
  expect(await app.select(namedIssues, ['link_key'])).toEqual([{ link_key: 'ABC-1' }]);
});
