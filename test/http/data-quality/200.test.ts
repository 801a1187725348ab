import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FactTable } from '../../../src/catalogue/tables/all-tables.ts';
import type { DataQuality } from '../../../src/data-quality/data-quality.ts';
import { takeHostDirectory } from '../../../src/directory/code-host/take-host-directory.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import type { HostPerson } from '../../../src/sources/source.ts';
import { audit } from '../../../src/store/audit.ts';
import { addSource, beginSync, finishSync, listStreams, putStreams } from '../../../src/store/source-rows.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { unfed } from '../../setup/unfed-stream.ts';

const now = new Date('2027-03-31T12:00:00Z');
let service: Service;
beforeAll(async () => {
  service = await startService({ isQuick: true, now: () => now });
});
afterAll(() => service.close());

const ask = async () => {
  const answer = await service.request('GET', '/data-quality', { key: service.keys.owner });
  expect(answer.status).toBe(200);
  return answer.json;
};
const put = async (table: FactTable, values: readonly object[]) => {
  const lines = values.map((value, line) => ({ line, value }));
  const [outcome] = await service.app.ingest.put(service.organisationId, [{ table, lines }]);
  expect(outcome?.rejected).toEqual([]);
};
const github = (login: string) => ({ source: 'github', person_login: login });

test('An organisation without data has nothing to be told of but people', async () => {
  expect(await ask()).toMatchObject({
    unknown_identities: { accounts: 0, rows: 0, most_named: [] },
    disputed_accounts: [],
    not_onboarded: { people: 3, rows: 0 },
    people_who_left: { people: 0, latest: [] },
    disputed_links: [],
    pull_requests_without_deployment: { pull_requests: 0, by_status: [] },
    incidents_without_repository: { incidents: 0, most_named: [] },
    repositories_without_recent_data: { repositories: 0, longest_quiet: [] },
    sources: [],
    freshness: { newest_record_at: null, data_through: null, tables: [], stale: [] },
  });
});

test('Every gap is told, with how much of the data it is about', async () => {
  const { organisationId, app } = service;
  const pullRequest = (id: string, repository: string, day: string, login: string) => ({
    pr_id: id,
    repository,
    base_branch: 'main',
    pr_state: 'merged',
    pr_created_at: `${day}T10:00:00Z`,
    pr_merged_at: `${day}T11:00:00Z`,
    ...github(login),
  });
  await put('pull_requests', [
    pullRequest('1', 'acme/web', '2027-03-20', 'nobody-knows'),
    { ...pullRequest('2', 'acme/web', '2027-03-21', 'nobody-knows'), base_branch: 'side' },
    pullRequest('3', 'acme/attic', '2027-01-02', 'barbara'),
    { ...pullRequest('4', 'acme/web', '2027-03-01', 'barbara'), pr_state: 'open', pr_merged_at: null },
    { ...pullRequest('5', 'acme/old', '2026-01-01', 'barbara'), pr_state: 'open', pr_merged_at: null },
  ]);
  await put(
    'issues',
    [true, true, false].map((person_is_bot, i) => ({
      issue_id: `i${i}`,
      created_at: '2027-03-22T00:00:00Z',
      person_is_bot,
      ...github('builder'),
    })),
  );
  const incident = (id: string, more: object) => ({ incident_id: id, opened_at: '2027-03-21T12:00:00Z', ...more });
  await put('incidents', [
    incident('known', { service: 'Web' }),
    incident('named', { service: 'checkout', deployment_id: 'elsewhere' }),
    incident('lost', { service: 'checkout' }),
    incident('lost again', { repository: 'Checkout' }),
    incident('nameless', {}),
  ]);
  const context = { organisationId, actor: { via: 'demo' } } as const;
  await putRecords(app.directory, context, 'repositories', [
    { line: 1, value: { repository: 'acme/new' } },
    { line: 2, value: { repository: 'acme/old', is_active: false } },
  ]);
  // A bot is nobody whom anyone would onboard.
  await putRecords(app.directory, context, 'people', [
    { line: 1, value: { name: 'Robot', main_email: 'robot@example.com', is_bot: true } },
  ]);
  expect(await ask()).toMatchObject({
    unknown_identities: {
      accounts: 2,
      rows: 6,
      most_named: [
        { source: 'github', login: 'builder', is_bot: true, rows: 3 },
        // Two pull requests, and the deployment that is inferred from the merge of one.
        { source: 'github', login: 'nobody-knows', is_bot: false, rows: 3 },
      ],
    },
    disputed_accounts: [
      { source: 'github', login: 'builder', identifier: null, bot_records: 2, person_records: 1, counts_as: 'bot' },
    ],
    not_onboarded: {
      people: 3,
      rows: 4,
      most_active: [
        { merged_user_id: await service.idOf('barbara@example.com'), name: 'Barbara Liskov', rows: 4 },
        { name: 'Donald Knuth', rows: 0 },
        { name: 'Åsa Öberg', rows: 0 },
      ],
    },
    pull_requests_without_deployment: {
      pull_requests: 1,
      by_status: [{ status: 'non_production_branch', pull_requests: 1 }],
    },
    incidents_without_repository: {
      incidents: 3,
      most_named: [
        { service: 'Checkout', incidents: 2 },
        { service: null, incidents: 1 },
      ],
    },
    repositories_without_recent_data: {
      repositories: 2,
      longest_quiet: [
        { repository: 'acme/new', newest_record_at: null },
        { repository: 'acme/attic', newest_record_at: '2027-01-02T11:00:00.000Z' },
      ],
    },
    freshness: {
      newest_record_at: '2027-03-22T00:00:00.000Z',
      // Deployments that are made of merges reach as far as pull requests do.
      data_through: '2027-03-22T00:00:00Z',
      tables: [
        { table: 'pull_requests', rows: 5, newest_record_at: '2027-03-21T10:00:00.000Z' },
        { table: 'issues', rows: 3, newest_record_at: '2027-03-22T00:00:00.000Z' },
        { table: 'deployments', rows: 2, newest_record_at: '2027-03-20T11:00:00.000Z' },
        { table: 'incidents', rows: 5, newest_record_at: '2027-03-21T12:00:00.000Z' },
      ],
    },
  });
});

test('A repository is not quiet where anything of it is new: a review, a commit, a session', async () => {
  const quiet = async () => ((await ask()) as DataQuality).repositories_without_recent_data.longest_quiet;
  const names = async () => (await quiet()).map(({ repository }) => repository);
  expect(await names()).toEqual(['acme/new', 'acme/attic']);
  const review = { pr_review_id: 'r1', pr_id: '3', review_state: 'approved', reviewed_at: '2027-03-20T10:00:00Z' };
  await put('pull_request_reviews', [{ ...review, ...github('barbara') }]);
  expect(await names()).toEqual(['acme/new']);
  const session = { started_at: '2027-03-21T10:00:00Z', ...github('barbara') };
  await put('posthook_sessions', [
    { ...session, session_id: 's1', repo_name: 'Acme/New' },
    // Not a repository that is known.
    { ...session, session_id: 's2', repo_name: 'scratch', started_at: '2026-01-01T10:00:00Z' },
  ]);
  expect(await names()).toEqual([]);
});

test('Each stream of each source says when it last went well, and what to do where it did not', async () => {
  const { organisationId, app } = service;
  const source = { id: 's-1', kind: 'github', name: 'Code' };
  await app.store.change(organisationId, (session) =>
    addSource(session, {
      ...source,
      organisation_id: organisationId,
      name_key: 'code',
      added_by: 'command',
      settings: '{}',
      secrets: 'v1.0.AAAA',
      webhook_secret: null,
      created_at: now,
    }),
  );
  const stream = {
    source_id: source.id,
    organisation_id: organisationId,
    name: 'pull requests',
    state: '{"next":"secret cursor"}',
    updated_at: now,
    succeeded_at: now,
    failed_at: null,
    error: null,
    to_do: null,
    read_count: 5,
    estimated_count: 7,
    ...unfed,
    newest_record_at: now,
  };
  const sinceDay = { why: 'window', what: 'Older is left out', since: 1_704_067_200 };
  const cut = { why: 'cut', what: 'Long lists are cut', toDo: 'Ask for less.' };
  const notSeen = (ofStream: readonly object[], ofPages: readonly object[] = []) =>
    JSON.stringify({ ofStream, ofPages });
  const failed = { succeeded_at: null, failed_at: now, error: 'It is gone', to_do: 'Leave it out' };
  await app.store.note(async (session) => {
    await putStreams(session, [
      { ...stream, stream_id: 'a', scope: 'acme/web', not_seen: notSeen([sinceDay], [cut]) },
      {
        ...stream,
        stream_id: 'b',
        scope: 'acme/attic',
        ...failed,
        newest_record_at: null,
        not_seen: notSeen([sinceDay]),
      },
    ]);
    await beginSync(session, source.id, now);
    await finishSync(session, source.id, { at: now, outcome: 'partial' });
  });
  const at = now.toISOString();
  const quality = (await ask()) as { sources: unknown };
  expect(quality.sources).toEqual([
    {
      ...source,
      last_sync_at: at,
      outcome: 'partial',
      last_error: null,
      no_longer_listed: [],
      not_seen: [
        {
          why: 'window',
          what: 'Older is left out',
          since: '2024-01-01T00:00:00Z',
          to_do: null,
          stream: 'pull requests',
          scopes: ['acme/attic', 'acme/web'],
        },
        {
          why: 'cut',
          what: 'Long lists are cut',
          since: null,
          to_do: 'Ask for less.',
          stream: 'pull requests',
          scopes: ['acme/web'],
        },
      ],
      streams: [
        {
          stream: 'pull requests',
          scope: 'acme/attic',
          read: 5,
          estimated: 7,
          last_success_at: null,
          last_error: { at, message: 'It is gone', to_do: 'Leave it out' },
          newest_record_at: null,
        },
        {
          stream: 'pull requests',
          scope: 'acme/web',
          read: 5,
          estimated: 7,
          last_success_at: at,
          last_error: null,
          newest_record_at: at,
        },
      ],
    },
  ]);
});

test('What a sync no longer finds is listed for a month, unless the sync could not list everything', async () => {
  const { app } = service;
  const hour = 3_600_000;
  const later = (ms: number) => new Date(now.getTime() + ms);
  const syncedAt = (at: Date, error?: string) =>
    app.store.note(async (session) => {
      const streams = await listStreams(session, 's-1');
      await beginSync(session, 's-1', at);
      await putStreams(
        session,
        streams.filter(({ scope }) => scope === 'acme/web').map((stream) => ({ ...stream, updated_at: at })),
      );
      await finishSync(session, 's-1', { at, outcome: 'partial', ...(error ? { error } : {}) });
    });
  const listed = async () =>
    ((await ask()) as unknown as DataQuality).sources.map(({ no_longer_listed }) => no_longer_listed);
  await syncedAt(later(hour));
  expect(await listed()).toEqual([['acme/attic']]);
  // What is no longer read says nothing any more.
  const [{ not_seen: said } = {}] = ((await ask()) as unknown as DataQuality).sources;
  expect(said?.map(({ scopes }) => scopes)).toEqual([['acme/web'], ['acme/web']]);
  await syncedAt(later(2 * hour), 'The token is refused');
  expect(await listed()).toEqual([[]]);
  await syncedAt(later(31 * 24 * hour));
  expect(await listed()).toEqual([[]]);
});

test.each(['manager', 'engineer', 'squadLead'] as const)('A key of the %s may not ask', async (role) => {
  const answer = await service.request('GET', '/data-quality', { key: service.keys[role] });
  expect(answer.status).toBe(403);
  expect(answer.text).toMatch(/Data quality needs a key whose creator has the role Owner/);
});

test('People whom no code host lists any more are told while they are onboarded, and accounts of two people', async () => {
  const { organisationId, app } = service;
  const sources = ['left-1', 'left-2'];
  const row = {
    organisation_id: organisationId,
    kind: 'github',
    added_by: 'command',
    settings: '{}',
    secrets: null,
    webhook_secret: null,
    created_at: now,
  };
  const take = (id: string, people: readonly HostPerson[]) =>
    takeHostDirectory(
      app.directory,
      { organisationId, actor: { via: 'source', sourceId: id } },
      { sourceId: id, host: 'github', offboardLeavers: false },
      { owner: 'acme', people, teams: [] },
    );
  for (const id of sources) {
    await app.store.change(organisationId, (session) => addSource(session, { ...row, id, name: id, name_key: id }));
  }
  await putRecords(app.directory, { organisationId, actor: { via: 'demo' } }, 'people', [
    { line: 1, value: { name: 'Two', main_email: 'two@acme.example' } },
  ]);
  const [gone, stays, off] = [{ login: 'gone' }, { login: 'stays' }, { login: 'off' }];
  await take('left-1', [gone, stays, off]);
  await take('left-2', [stays]);
  await putRecords(app.directory, { organisationId, actor: { via: 'demo' } }, 'people', [
    { line: 1, value: { github_username: 'off', onboarded: false } },
  ]);
  await take('left-1', [{ login: 'other' }]);
  await take('left-1', [{ login: 'other', verifiedEmail: 'two@acme.example' }]);
  const { people_who_left, disputed_links } = (await ask()) as DataQuality;
  expect(people_who_left).toEqual({
    people: 1,
    latest: [{ merged_user_id: expect.any(String), name: 'gone', logins: ['gone'], left_at: now.toISOString() }],
  });
  expect(disputed_links).toEqual([{ source: 'github', login: 'other', linked_to: 'other', email_belongs_to: 'Two' }]);
});

test('A table that no source feeds is stale where its rows came every weekday and stopped two weekdays ago', async () => {
  const released = (...days: number[]) =>
    put(
      'release_details',
      days.map((day) => ({
        release_id: `v${day}`,
        version: `v${day}`,
        repository: 'acme/attic',
        release_date: `2027-03-${day}T10:00:00Z`,
        ...github('barbara'),
      })),
    );
  const stale = async () => ((await ask()) as DataQuality).freshness.stale;
  await released(16, 17, 18, 19, 22, 23, 24, 25, 26);
  expect(await stale()).not.toContainEqual(expect.objectContaining({ table: 'release_details' }));
  await released(15);
  expect(await stale()).toContainEqual({ table: 'release_details', since: '2027-03-27T00:00:00Z', source: null });
  // Made up data gets nothing new by itself.
  const made = [{ action: 'organisation.create', subject: service.organisationId }] as const;
  await service.app.store.change(service.organisationId, (session) => audit(session, { via: 'demo' }, now, made));
  expect(await stale()).toEqual([]);
});
