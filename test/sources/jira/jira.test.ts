import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { jira } from '../../../src/sources/jira/jira.ts';
import { jiraOperations } from '../../../src/sources/jira/jira-operations.ts';
import { jqlTime } from '../../../src/sources/jira/jql.ts';
import { customFields, readSite } from '../../../src/sources/jira/site.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { OpenSource, SettingValues, SourceKind, Stream, StreamPosition } from '../../../src/sources/source.ts';
import { isProven } from '../../../src/sources/webhooks.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import { type AskedRequest, ReplayHost } from '../contract/replay-host.ts';
import { readWhole } from '../read-whole.ts';
import { ago, issueIn, jiraCloudCase, jiraDataCenterCase, someIssue } from './jira-case.ts';
import { cloudPerson, type JiraWorld, jiraAnswer, jiraEmail, jiraFields, jiraNow, jiraToken } from './jira-world.ts';

let host: ReplayHost | undefined;
afterEach(() => host?.close());

const waits: number[] = [];
/** Nobody who waits goes on before this. */
let untilReleased: Promise<void> | undefined;
let passedMs = 0;
const clock = {
  now: () => jiraNow * 1_000 + passedMs,
  sleep: async (ms: number) => {
    waits.push(ms);
    await untilReleased;
    passedMs += ms;
  },
};

interface Opening {
  readonly settings?: SettingValues;
  readonly kind?: SourceKind;
  readonly answer?: (asked: AskedRequest) => Reply | undefined;
}

async function opened(world: JiraWorld, { settings = {}, kind = jira, answer }: Opening = {}): Promise<OpenSource> {
  await host?.close();
  waits.length = 0;
  host = await ReplayHost.start({ now: () => jiraNow, answer: (asked) => answer?.(asked) ?? jiraAnswer(world, asked) });
  const values = { base_url: host.url, token: jiraToken, ...(world.isCloud && { email: jiraEmail }), ...settings };
  return openSource(kind, values, { mayBePrivate: () => true, signal: new AbortController().signal, clock }).source;
}

async function streamOf(source: OpenSource, id: string): Promise<Stream> {
  for await (const stream of source.streams()) if (stream.id === id) return stream;
  throw new Error(`there is no stream ${id}`);
}

const read = async (source: OpenSource, id = 'issues@10000', from: StreamPosition = {}) =>
  readWhole(await streamOf(source, id), from);

const asked = (path: string): readonly AskedRequest[] => (host?.seen ?? []).filter((one) => one.path.endsWith(path));
const cloud = (): JiraWorld => jiraCloudCase.makeWorld();
const dataCenter = (): JiraWorld => jiraDataCenterCase.makeWorld();
const idsIn = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  [...new Set(rows.map(({ issue_id: id }) => String(id).split('/')[1]))].sort();

describe('what a Jira is', () => {
  test('Jira Cloud and Data Center are told apart by the server, and give the same records', async () => {
    const rowsOf = async (world: JiraWorld) => {
      const { of } = await read(await opened(world));
      const rows = JSON.stringify([...of('issues'), ...of('issue_comments')]).replaceAll(/127.0.0.1:\d+/g, 'host');
      return JSON.parse(rows) as unknown[];
    };
    const fromCloud = await rowsOf(cloud());
    expect(asked('/search/jql').length).toBeGreaterThan(0);
    expect(fromCloud).toHaveLength(8 + 24);
    expect(await rowsOf(dataCenter())).toEqual(fromCloud);
    expect(host?.seen.some(({ path }) => path.startsWith('/rest/api/3'))).toBe(false);
  });

  test('Jira Cloud without the address of the account says what to set', async () => {
    const opening = { settings: { email: '' }, answer: ({ path }: AskedRequest) => serverInfo(path) };
    await expect((await opened(cloud(), opening)).check()).rejects.toThrow('only together with the address');
    const settings = { token: jiraToken };
    const requests = undefined as never;
    for (const name of ['acme.atlassian.net', 'api.atlassian.com'])
      await expect(readSite({ requests, settings, host: name }, { hasComments: true })).rejects.toThrow(
        'only together with the address',
      );
  });

  test('Of a token with scopes, which is asked elsewhere, ids hold the site', async () => {
    const source = await opened(cloud());
    void source;
    const requests = { get: async (path: string) => ({ ...answerOf(path), at: jiraNow }) } as never;
    const site = await readSite(
      { requests, settings: { email: jiraEmail }, host: 'api.atlassian.com' },
      { hasComments: true },
    );
    expect(site).toMatchObject({ host: 'jira.acme.example', url: 'https://jira.acme.example', zone: 'Asia/Kathmandu' });
  });

  test('Fields of story points are found by name or id, and hold numbers', () => {
    expect(customFields(jiraFields, undefined)).toEqual({
      storyPoints: ['customfield_10028', 'customfield_10016'],
      sprint: 'customfield_10020',
      services: 'customfield_10040',
    });
    expect(customFields(jiraFields, 'story POINT estimate').storyPoints).toEqual(['customfield_10016']);
    expect(customFields(jiraFields, 'customfield_10016').storyPoints).toEqual(['customfield_10016']);
    expect(customFields(jiraFields, 'Effort').storyPoints).toEqual([]);
  });
});

const serverInfo = (path: string): Reply | undefined =>
  path.endsWith('/serverInfo') ? { status: 200, body: { deploymentType: 'Cloud' } } : undefined;

const answerOf = (path: string): Reply =>
  jiraAnswer(cloud(), {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers: { authorization: `Basic ${Buffer.from(`${jiraEmail}:${jiraToken}`).toString('base64')}` },
    body: null,
  });

describe('times in JQL', () => {
  const moment = Date.UTC(2026, 2, 29, 1, 30, 59) / 1_000;

  test.each([
    ['UTC', '2026/03/29 01:30'],
    // The night in which clocks go from two to three.
    ['Europe/Berlin', '2026/03/29 03:30'],
    ['America/St_Johns', '2026/03/28 23:00'],
    ['Asia/Kathmandu', '2026/03/29 07:15'],
    ['Pacific/Kiritimati', '2026/03/29 15:30'],
    // Whatever the zone is, nothing is missed.
    ['Mars/Olympus', '2026/03/28 13:30'],
    [null, '2026/03/28 13:30'],
  ])('A moment is written to the minute in the zone of the account: %s', (zone, text) => {
    expect(jqlTime(moment, zone)).toBe(text);
  });

  test('Midnight is the beginning of a day', () => {
    expect(jqlTime(Date.UTC(2026, 2, 29, 22, 0) / 1_000, 'Europe/Berlin')).toBe('2026/03/30 00:00');
  });

  test('What has changed since is asked for in the zone of the account', async () => {
    const world = cloud();
    world.issues.push(someIssue(93, ago(0.6), { updated: ago(0.04) }), someIssue(96, ago(0.7), { updated: ago(0.05) }));
    const { of } = await read(await opened(world), 'issues@10000', { downTo: ago(0.045) });
    expect(idsIn(of('issues'))).toEqual(['20093']);
    // 10:55 in London.
    expect(asked('/search/jql').map(({ body }) => (body as { jql: string }).jql)).toEqual([
      'project = 10000 AND updated >= "2026/03/31 16:40" ORDER BY updated DESC, key DESC',
    ]);
  });

  test('Nothing is read that changed before the day since which it is wanted', async () => {
    const { of } = await read(await opened(cloud(), { settings: { since: '2026-03-20' } }));
    expect(idsIn(of('issues'))).toEqual(['20000', '20003', '20006']);
  });
});

describe('pages', () => {
  test('Comments that a search leaves out are asked for by themselves', async () => {
    const { of } = await read(await opened(cloud()));
    expect(of('issue_comments').filter(({ issue_id }) => String(issue_id).endsWith('/20003'))).toHaveLength(3);
    expect(of('issue_comments').map(({ comment }) => comment)).toContain('Comment 3');
  });

  test('A read that Jira Cloud does not know any more begins again from the top', async () => {
    const world = cloud();
    const stream = await streamOf(await opened(world), 'issues@10000');
    const first = await stream.read({});
    world.hasForgotten = true;
    const again = await stream.read({ next: first.next ?? null });
    expect(again.records).toEqual(first.records);
  });

  test('A search that is refused says what to do', async () => {
    const world = cloud();
    const source = await opened(world);
    const stream = await streamOf(source, 'issues@10000');
    world.projects.splice(0, 1);
    await expect(stream.read({})).rejects.toMatchObject({
      message: 'Jira does not search here (400)',
      isRefused: true,
    });
  });

  test('Issues of Data Center that move up because some were deleted are not skipped', async () => {
    const world = dataCenter();
    const stream = await streamOf(await opened(world), 'issues@10000');
    const first = await stream.read({});
    const before = idsIn(first.records.filter(({ table }) => table === 'issues').flatMap(({ records }) => records));
    expect(before).toHaveLength(3);
    world.issues.splice(0, 1);
    world.issues.splice(2, 1);
    const { of } = await readWhole(stream, { next: (first.next as { readonly next: never }) ?? null });
    const left = world.issues.filter(({ projectId }) => projectId === '10000').map(({ id }) => id);
    expect([...new Set([...before, ...idsIn(of('issues'))])]).toEqual(expect.arrayContaining(left));
  });

  test('A history that a search has cut off is asked for by itself', async () => {
    const world = dataCenter();
    const cut = (one: AskedRequest): Reply | undefined => {
      const reply = jiraAnswer(world, one);
      const { issues = [] } = (reply.body ?? {}) as { issues?: { changelog?: { histories: unknown[] } }[] };
      for (const { changelog } of issues) changelog?.histories.shift();
      return reply;
    };
    const rows = (await read(await opened(world, { answer: cut }))).of('issues');
    expect(rows.find(({ issue_key: key }) => key === 'WEB-3')?.completed_at).not.toBeNull();
    expect(asked('/issue/20003')).toHaveLength(1);
  });
});

describe('limits', () => {
  test('A limit of searches slows searches down, and nothing else', async () => {
    let isLimited = true;
    const limited = ({ path }: AskedRequest): Reply | undefined => {
      if (!isLimited || !path.endsWith('/search/jql')) return undefined;
      isLimited = false;
      return { status: 429, headers: { 'retry-after': '30', 'ratelimit-reason': 'jira-burst-based' }, body: {} };
    };
    const source = await opened(cloud(), { answer: limited });
    const stream = await streamOf(source, 'issues@10000');
    let release = () => {};
    untilReleased = new Promise((resolve) => {
      release = resolve;
    });
    const slow = stream.read({});
    await vi.waitFor(() => expect(waits).toEqual([30_000]));
    // While searches wait, an issue and its history are read.
    const page = await source.reread?.({ id: '', kind: 'issue', scope: '', reference: '20003' });
    expect(page?.count).toBe(1);
    release();
    untilReleased = undefined;
    expect((await slow).count).toBe(3);
    expect(waits).toEqual([30_000]);
  });
});

describe('an issue that is read by itself', () => {
  const named = (number: number) => ({ id: '', kind: 'issue', scope: '', reference: String(20_000 + number) });

  test('An issue that has moved keeps its id', async () => {
    const world = cloud();
    Object.assign(issueIn(world, 3), { key: 'API-9', projectId: '10001' });
    const page = await (await opened(world)).reread?.(named(3));
    expect(page?.records[0]?.records).toMatchObject([{ issue_key: 'API-9', project_id: 'API' }]);
    expect(String(page?.records[0]?.records[0]?.issue_id)).toMatch(/^jira:127\.0\.0\.1:\d+\/20003$/);
  });

  test('An issue that moves to a project that is not read goes; a webhook of such a project brings nothing', async () => {
    const world = cloud();
    const settings = { projects: ['web'] };
    const before = await read(await opened(world, { settings }), 'deleted_issues@10000');
    Object.assign(issueIn(world, 3), { key: 'API-9', projectId: '10001' });
    const source = await opened(world, { settings });
    const mark = before.mark ?? null;
    const { of } = await read(source, 'deleted_issues@10000', { mark });
    expect(of('issues')).toMatchObject([{ _deleted: true }]);
    expect((await source.reread?.(named(3)))?.records).toEqual([]);
  });

  test('An issue that is gone takes its incident along, where the settings have types of incidents', async () => {
    const settings = { incident_types: ['[System] Incident'] };
    const gone = async (more: SettingValues) =>
      (await (await opened(cloud(), { settings: more })).reread?.(named(999)))?.records.map(({ table }) => table);
    expect(await gone({})).toEqual(['issues']);
    expect(await gone(settings)).toEqual(['issues', 'incidents']);
  });

  test('Comments are asked for where something is made of them', async () => {
    const settings = { incident_types: ['[System] Incident'], projects: ['WEB', 'API', 'OPS'] };
    for (const kind of [jira, jiraOperations]) {
      const source = await opened({ ...cloud(), commentsInSearch: 0 }, { kind, settings });
      await read(source, kind === jira ? 'issues@10000' : 'incidents@10000');
      await source.check();
      const fields = asked('/search/jql').flatMap(({ body }) => (body as { fields: string[] }).fields);
      expect([asked('/comment').length > 0, fields.includes('comment')]).toEqual([kind === jira, kind === jira]);
    }
  });

  test('Both kinds give an incident the same id', async () => {
    const settings = { incident_types: ['[System] Incident'], projects: ['WEB', 'API', 'OPS'] };
    const incidentBy = async (kind: SourceKind) => {
      const page = await (await opened(cloud(), { kind, settings })).reread?.(named(4));
      const [{ source, incident_id: id, ...rest } = {}] =
        page?.records.filter(({ table }) => table === 'incidents').flatMap(({ records }) => records) ?? [];
      return { source, id: String(id).replace(/:\d+\//, '/'), rest };
    };
    const [issue, operation] = [await incidentBy(jira), await incidentBy(jiraOperations)];
    expect(issue).toMatchObject({ source: 'jira', id: 'jira:127.0.0.1/20004' });
    expect(operation).toEqual({ ...issue, source: 'jira-operations' });
  });
});

describe('what cannot be seen', () => {
  test('Hidden addresses are said, and are not where people show them', async () => {
    const said = async (world: JiraWorld) =>
      (await read(await opened(world))).pages.flatMap(({ notSeen = [] }) => notSeen.map(({ why }) => why));
    const world = cloud();
    expect(new Set(await said(world))).toEqual(new Set(['hidden']));
    for (const issue of world.issues) issue.fields.assignee = cloudPerson('ada', { emailAddress: 'ada@acme.example' });
    expect(await said(world)).toEqual([]);
  });

  test('Projects that nobody sees are said beside those that are', async () => {
    const source = await opened(cloud(), { settings: { projects: ['WEB', 'API', 'GONE'] } });
    const said: unknown[] = [];
    for await (const { id, notSeen = [] } of source.streams()) said.push(...notSeen.map(({ what }) => [id, what]));
    expect(said).toEqual([['issues@10000', 'The project GONE is not seen']]);
  });

  test('Of more issues than are watched, only the newest are said to be', async () => {
    const world = { ...cloud(), pageSize: 1_000 };
    const said = async () =>
      (await read(await opened(world), 'deleted_issues@10000')).pages.flatMap(({ notSeen = [] }) => notSeen);
    expect(await said()).toEqual([]);
    for (let i = 0; i < 1_000; i += 1) world.issues.push(someIssue(300 + 3 * i, ago(400)));
    expect(await said()).toMatchObject([{ why: 'window', toDo: 'Make a webhook, which tells of each.' }]);
  });
});

describe('a check', () => {
  test('A check says what is seen, and names what settings name and nobody sees', async () => {
    const settings = {
      projects: ['web', 'GONE'],
      story_points_field: 'Effort',
      incident_types: ['Bug', 'Outage'],
      service_repositories: ['Web shop=acme/web', 'Checkout=acme/checkout', 'Search=acme/search'],
    };
    expect(await (await opened(cloud(), { settings })).check()).toMatchObject({
      account: 'READER',
      sees: ['Jira Cloud', '1 of 3 projects'],
      missing: [
        'The project GONE is not seen. Correct the setting projects, or give the account the permission Browse Projects in it',
        expect.stringContaining('Addresses of people are hidden (3 of 3 assignees)'),
        'The field Effort is not seen, or holds no numbers: correct story_points_field',
        'The type Outage is not seen: correct incident_types',
        expect.stringContaining('Search in service_repositories is no project and no component'),
      ],
    });
  });

  test('What can be picked is every project that the account sees, by key and name', async () => {
    const choices = await (await opened(cloud(), { settings: { projects: ['WEB'] } })).choices?.();
    expect(choices).toHaveLength(3);
    expect(choices).toContainEqual({ value: 'WEB', label: expect.stringMatching(/^WEB · ./) });
  });

  test('A check names each right that is missing', async () => {
    const answer = ({ path }: AskedRequest): Reply | undefined => {
      if (path.endsWith('/mypermissions'))
        return { status: 200, body: { permissions: { BROWSE_PROJECTS: { havePermission: false } } } };
      return path.endsWith('/changelog/bulkfetch') ? { status: 403, body: {} } : undefined;
    };
    const settings = { projects: ['WEB'], incident_types: ['Bug'] };
    const { missing } = await (await opened(cloud(), { settings, answer })).check();
    expect(missing).toEqual([
      'Browse Projects is missing in WEB: give the account this permission, or leave WEB out',
      expect.stringContaining('Histories cannot be read (403)'),
      expect.stringContaining('Addresses of people are hidden'),
      'No repository is named in service_repositories: incidents count nowhere',
    ]);
    const refused = ({ path }: AskedRequest) => (path.endsWith('/search') ? { status: 403, body: {} } : undefined);
    const other = await (await opened(dataCenter(), { answer: refused })).check();
    expect(other).toMatchObject({ sees: ['Jira Data Center', '3 of 3 projects'] });
    expect(other.missing).toEqual([expect.stringContaining('Issues cannot be searched (403)')]);
  });

  test('A check of an account that sees everything finds nothing missing', async () => {
    const world = cloud();
    for (const issue of world.issues) issue.fields.assignee = cloudPerson('ada', { emailAddress: 'ada@acme.example' });
    expect((await (await opened(world)).check()).missing).toEqual([]);
  });

  test('An account that sees no project is told so, by a check and by a sync', async () => {
    const world = { ...cloud(), projects: [] };
    const source = await opened(world);
    expect((await source.check()).missing).toEqual([expect.stringContaining('sees no project')]);
    await expect(read(source)).rejects.toThrow('The account sees no project');
    await expect(read(await opened(cloud(), { settings: { projects: ['GONE'] } }))).rejects.toThrow(
      'None of the projects is seen: GONE',
    );
  });

  test('A token that is not accepted is told', async () => {
    const source = await opened(cloud(), { settings: { token: 'another' } });
    await expect(source.check()).rejects.toThrow('does not accept the token (401)');
  });
});

describe('a webhook', () => {
  const { webhook } = jira;

  test.each(['jira:issue_updated', 'jira:issue_deleted', 'comment_created'])(
    'A webhook names its issue: %s',
    (webhookEvent) => {
      const payload = { webhookEvent, issue: { id: '20004', key: 'API-4' }, comment: { id: '1' } };
      expect(webhook?.objectsOf('', payload)).toEqual([
        { id: 'issue@20004', kind: 'issue', scope: '', reference: '20004' },
      ]);
    },
  );

  test.each([{ issue: { id: '../myself' } }, { issue: {} }, { sprint: { id: 3 } }, {}, null])(
    'A webhook is about nothing else: %j',
    (payload) => {
      expect(webhook?.objectsOf('', payload)).toEqual([]);
    },
  );

  test('A webhook is proven by its signature, or by the token in its address', () => {
    if (!webhook) throw new Error('Jira has webhooks');
    const body = Buffer.from('{"issue":{"id":"1"}}');
    const secret = 'a secret of thirty-two characters';
    const signed = (by: string) => ({
      'x-hub-signature': `sha256=${createHmac('sha256', by).update(body).digest('hex')}`,
    });
    expect(isProven(webhook, { headers: signed(secret), body }, secret)).toBe(true);
    expect(isProven(webhook, { headers: {}, body, token: secret }, secret)).toBe(true);
    expect(isProven(webhook, { headers: signed('another'), body }, secret)).toBe(false);
    expect(isProven(webhook, { headers: signed('another'), body, token: 'another' }, secret)).toBe(false);
    expect(isProven(webhook, { headers: {}, body }, secret)).toBe(false);
  });
});
