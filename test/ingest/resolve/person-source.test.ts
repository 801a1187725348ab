import { beforeEach, expect, test } from 'vitest';
import { aiCopilot } from '../../../src/catalogue/tables/ai-copilot.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { unknownAccounts } from '../../../src/ingest/resolve/suggestions.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
beforeEach(async () => {
  app = await anOrganisation();
});

const people = [
  { merged_user_id: 'ada-there', main_email: 'ada@acme.example', logins: { gitlab: 'ada' } },
  { merged_user_id: 'ada-here', main_email: 'other@acme.example', logins: { 'build-robot': 'ada' } },
];
const run = (id: string, more: object = {}) => ({
  workflow_run_id: id,
  source: 'build-robot',
  person_login: 'ada',
  ...more,
});
const owners = async () =>
  Object.fromEntries(
    (await app.select(workflowRuns, ['workflow_run_id', 'merged_user_id'])).map((row) => [
      row.workflow_run_id,
      row.merged_user_id,
    ]),
  );

test('A login is the one on person_source where a record names it, and the one on its source where it does not', async () => {
  await app.directory('people', people);
  await app.put('workflow_runs', [
    run('none'),
    run('null', { person_source: null }),
    run('blank', { person_source: ' ' }),
    run('there', { person_source: 'GitLab' }),
    run('elsewhere', { person_source: 'github' }),
    run('email', { person_source: 'gitlab', person_email: 'other@acme.example' }),
  ]);
  expect(await owners()).toEqual({
    none: 'ada-here',
    null: 'ada-here',
    blank: 'ada-here',
    there: 'ada-there',
    elsewhere: null,
    email: 'ada-here',
  });
  await app.put('workflow_runs', [
    { workflow_run_id: 'there', person_source: null },
    { workflow_run_id: 'none', person_source: 'gitlab' },
  ]);
  expect(await owners()).toMatchObject({ there: 'ada-here', none: 'ada-there' });
});

test('History follows when the person of a login on person_source becomes known, and only theirs', async () => {
  await app.put('workflow_runs', [run('there', { person_source: 'gitlab' }), run('here')]);
  expect(await owners()).toEqual({ there: null, here: null });
  const nobody = await app.app.warehouse.read(app.context.organisationId, unknownAccounts);
  expect(nobody.map(({ source, login, rows }) => ({ source, login, rows }))).toEqual([
    { source: 'build-robot', login: 'ada', rows: 1 },
    { source: 'gitlab', login: 'ada', rows: 1 },
  ]);
  await app.directory('people', people.slice(0, 1));
  await app.app.ingest.bringUp(app.context.organisationId);
  expect(await owners()).toEqual({ there: 'ada-there', here: null });
});

test('The deployment that is inferred from a run has the person that the run names by person_source', async () => {
  await app.put('workflow_runs', [
    run('deploy', {
      person_source: 'gitlab',
      repository: 'acme/web',
      workflow_name: 'Deploy to production',
      run_conclusion: 'success',
      run_updated_at: '2024-03-04T10:00:00Z',
    }),
  ]);
  const deployer = async () => (await app.select(deployments, ['person_source', 'merged_user_id', 'is_production']))[0];
  expect(await deployer()).toEqual({ person_source: 'gitlab', merged_user_id: null, is_production: true });
  await app.directory('people', people);
  await app.app.ingest.bringUp(app.context.organisationId);
  expect(await deployer()).toMatchObject({ merged_user_id: 'ada-there' });
});

test('Records that name an account by person_source vote with the others on whether it is a bot', async () => {
  const bots = async () => (await app.select(workflowRuns, ['is_bot'])).map(({ is_bot }) => is_bot);
  await app.put('workflow_runs', [run('there', { person_source: 'gitlab' })]);
  expect(await bots()).toEqual([false]);
  await app.put('issue_comments', [
    { issue_comment_id: 'c', issue_id: 'i', source: 'gitlab', person_login: 'Ada', person_is_bot: true },
  ]);
  expect(await bots()).toEqual([true]);
});

test('A person_source that is blank or the source itself is none: one row for a person and day, one unknown account', async () => {
  const day = { source: 'helper', date: '2024-03-04', person_login: 'ada' };
  for (const more of [{}, { person_source: ' ' }, { person_source: 'helper' }, { person_source: ' HELPER ' }]) {
    await app.put('ai_copilot', [{ ...day, ...more, tokens: 1 }]);
  }
  expect(await app.select(aiCopilot, ['person_source', 'tokens'])).toEqual([{ person_source: null, tokens: 1 }]);
  const runs = [run('none'), run('blank', { person_source: ' ' }), run('same', { person_source: 'Build-Robot' })];
  await app.put('workflow_runs', runs);
  expect(await app.select(workflowRuns, ['person_source'])).toEqual(Array(3).fill({ person_source: null }));
  const nobody = await app.app.warehouse.read(app.context.organisationId, unknownAccounts);
  expect(nobody.map(({ source, login, rows }) => ({ source, login, rows }))).toEqual([
    { source: 'build-robot', login: 'ada', rows: 3 },
    { source: 'helper', login: 'ada', rows: 1 },
  ]);
  await app.directory('people', people);
  await app.app.ingest.bringUp(app.context.organisationId);
  expect(await owners()).toEqual({ none: 'ada-here', blank: 'ada-here', same: 'ada-here' });
});

test('Days of assistants of equal logins on two sources are two rows', async () => {
  const day = { source: 'helper', date: '2024-03-04', person_login: 'ada' };
  await app.directory('people', people);
  await app.put('ai_copilot', [
    { ...day, tokens: 1 },
    { ...day, person_source: 'gitlab', tokens: 2 },
  ]);
  await app.put('ai_copilot', [{ ...day, person_source: 'GITLAB', tokens: 3 }]);
  const rows = await app.select(aiCopilot, ['person_source', 'merged_user_id', 'tokens']);
  expect(rows.sort((a, b) => Number(a.tokens) - Number(b.tokens))).toEqual([
    { person_source: null, merged_user_id: null, tokens: 1 },
    { person_source: 'GITLAB', merged_user_id: 'ada-there', tokens: 3 },
  ]);
});
