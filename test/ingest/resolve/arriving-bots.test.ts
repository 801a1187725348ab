import { beforeEach, expect, test } from 'vitest';
import { peopleCopy } from '../../../src/catalogue/directory-copies.ts';
import { noteCalledBots } from '../../../src/directory/called-bots.ts';
import { mergePeople, unmergePerson } from '../../../src/directory/merging.ts';
import { onboard } from '../../../src/directory/onboarding.ts';
import { setPerson } from '../../../src/directory/people.ts';
import { Ingest } from '../../../src/ingest/ingest.ts';
import { takeRecords } from '../../../src/ingest/record-intake.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const person = { main_email: 'helper@example.org', name: 'Helper', logins: { github: 'helper', gitlab: 'assistant' } };
const comment = (id: number, person_is_bot: boolean | null, more: object = {}) => ({
  comment_id: `c${id}`,
  pr_id: 'p',
  source: 'github',
  person_login: 'helper',
  person_is_bot,
  ...more,
});

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
beforeEach(async () => {
  app = await anOrganisation();
});

/** Whether they are listed, and whether the tables count them. */
const counts = async (email = 'helper@example.org') => {
  const { listings, warehouse } = app.app;
  const { organisationId } = app.context;
  const listed = (await listings.onboardedUsers(organisationId)).some((user) => user.email === email);
  await app.app.ingest.publisher.publish(organisationId);
  const rows = await warehouse.read(organisationId, (session) =>
    session.select(peopleCopy, ['main_email', 'onboarded']),
  );
  const [row] = rows.filter(({ main_email }) => main_email === email);
  expect(row?.onboarded).toBe(listed);
  return listed;
};
const take = (records: readonly object[]) =>
  takeRecords(
    app.app,
    app.context,
    'people',
    records.map((value, i) => ({ line: i + 1, value })),
  );

test('Whoever arrived counts while most of their records call them a person', async () => {
  await app.directory('people', [person]);
  expect(await counts()).toBe(true);
  await app.put('pull_request_comments', [comment(1, true)]);
  expect(await counts()).toBe(false);
  await app.put('pull_request_comments', [comment(2, false)]);
  expect(await counts()).toBe(true);
  // Over all accounts of the person.
  await app.put('pull_request_comments', [comment(3, true, { source: 'gitlab', person_login: 'assistant' })]);
  expect(await counts()).toBe(false);
  await app.put('pull_request_comments', [{ comment_id: 'c3', _deleted: true }]);
  expect(await counts()).toBe(true);
});

test('Whose records came first is no bot that is onboarded, and the import says so', async () => {
  await app.put('pull_request_comments', [comment(1, true)]);
  const outcome = await take([person, { main_email: 'ada@example.org' }]);
  expect(Object.values(outcome.people ?? {}).sort()).toEqual([false, true]);
  expect(await counts()).toBe(false);
  expect(await setPerson(app.app.directory, app.context, 'helper', { role: 'Robot' })).toMatchObject({
    onboarded: false,
    is_bot: true,
  });
});

test('Onboarding by name stays, and the word of the directory wins', async () => {
  await app.put('pull_request_comments', [comment(1, true)]);
  await app.directory('people', [person]);
  const { directory } = app.app;
  const byName = { emailAddresses: ['helper@example.org'], githubUsernames: [] };
  expect((await onboard(directory, app.context, byName)).onboardedIds).toHaveLength(1);
  expect(await counts()).toBe(true);
  await app.put('pull_request_comments', [comment(2, true)]);
  expect(await counts()).toBe(true);
  await app.directory('people', [{ main_email: 'x@example.org', logins: { github: 'x' } }]);
  await app.put('pull_request_comments', [comment(3, true, { person_login: 'x' })]);
  expect(await counts('x@example.org')).toBe(false);
  await app.directory('people', [{ main_email: 'x@example.org', is_bot: false }]);
  expect(await counts('x@example.org')).toBe(true);
});

test('Merging and unmerging take the votes along', async () => {
  const other = { main_email: 'ada@example.org', logins: { github: 'ada' } };
  await app.directory('people', [person, other]);
  await app.put('pull_request_comments', [
    comment(1, true),
    comment(2, false, { person_login: 'ada' }),
    comment(3, false, { person_login: 'ada' }),
  ]);
  expect([await counts(), await counts('ada@example.org')]).toEqual([false, true]);
  const { directory } = app.app;
  await mergePeople(directory, app.context, 'helper@example.org', 'ada@example.org');
  expect(await counts()).toBe(true);
  await unmergePerson(directory, app.context, 'ada@example.org');
  expect([await counts(), await counts('ada@example.org')]).toEqual([false, true]);
});

test('What a process had yet to tell the directory is passed on by the next one', async () => {
  await app.directory('people', [person]);
  const { store, warehouse, now } = app.app;
  // One that never tells.
  const silent = new Ingest(store, warehouse);
  await silent.put(app.context.organisationId, [
    { table: 'pull_request_comments', lines: [{ line: 1, value: comment(1, true) }] },
  ]);
  expect((await app.app.listings.onboardedUsers(app.context.organisationId)).length).toBe(2);
  const next = new Ingest(store, warehouse, {
    callBots: (organisationId, called) => noteCalledBots({ store, now }, organisationId, called),
  });
  await next.put(app.context.organisationId, [{ table: 'issues', lines: [{ line: 1, value: { issue_id: 'i' } }] }]);
  expect(await counts()).toBe(false);
});
