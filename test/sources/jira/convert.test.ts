import { describe, expect, test } from 'vitest';
import { commentRecords, issueRecord } from '../../../src/sources/jira/convert.ts';
import { IncidentTypes } from '../../../src/sources/jira/incident-types.ts';
import type { JiraSite } from '../../../src/sources/jira/site.ts';
import { Payload } from '../../../src/sources/payload.ts';

const site: JiraSite = {
  isCloud: true,
  hasComments: true,
  api: '/rest/api/3',
  host: 'acme.example',
  url: 'https://acme.example',
  account: null,
  zone: 'UTC',
  fields: { storyPoints: ['customfield_1', 'customfield_2'], sprint: 'customfield_3', services: 'customfield_4' },
  statuses: [
    { id: '1', category: 'new' },
    { id: '3', category: 'indeterminate' },
    { id: '4', category: 'indeterminate' },
    { id: '6', category: 'done' },
    { id: '7', category: 'done' },
    { id: '8', category: undefined },
  ],
  at: 0,
};

const status = (id: string, key: string) => ({ id, name: `Status ${id}`, statusCategory: { id: 2, key } });
const done = status('6', 'done');

const fields = {
  summary: 'Basket is empty',
  description: 'After a reload.',
  issuetype: { id: '1', name: 'Bug' },
  status: status('1', 'new'),
  project: { id: '10000', key: 'WEB', name: 'Web shop' },
  priority: { name: 'High' },
  labels: ['basket'],
  assignee: { accountId: '5b10:ada', accountType: 'atlassian', displayName: 'Ada', emailAddress: 'ada@acme.example' },
  creator: { accountId: '5b10:alan', displayName: 'Alan' },
  parent: { id: '20001', key: 'WEB-1' },
  created: '2026-03-01T10:00:00.123+0100',
  updated: '2026-03-02T10:00:00.000+0100',
  resolutiondate: null,
};

interface Moved {
  readonly at: unknown;
  readonly from?: string;
  readonly to: string;
  readonly field?: string;
}
const moves = (...changes: Moved[]) =>
  changes.map(({ at, from, to, field = 'status' }, i) =>
    Payload.of(
      { id: String(i + 9), created: at, items: [{ field, fieldId: field, from: from ?? null, to }] },
      'history',
    ),
  );
const at = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000+0000`;
const utc = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`;

const whole = (more: object = {}, histories: readonly Payload[] = []) => {
  const issue = Payload.of({ id: '20002', key: 'WEB-2', fields: { ...fields, ...more } }, 'issue');
  return { issue, histories, comments: [] };
};
const row = (more: object = {}, histories: readonly Payload[] = []) => issueRecord(site, whole(more, histories));
const times = (more: object, histories: readonly Payload[]) => {
  const { started_at, completed_at, closed_at, ticket_status } = row(more, histories);
  return { started_at, completed_at, closed_at, ticket_status };
};

describe('an issue', () => {
  test('An issue has the id of its number, and everything that Jira says of it', () => {
    expect(row()).toEqual({
      issue_id: 'jira:acme.example/20002',
      issue_key: 'WEB-2',
      issue_title: 'Basket is empty',
      issue_url: 'https://acme.example/browse/WEB-2',
      issue_body: 'After a reload.',
      issue_type: 'Bug',
      source: 'jira',
      project_id: 'WEB',
      project_name: 'Web shop',
      person_login: '5b10:ada',
      person_email: 'ada@acme.example',
      person_name: 'Ada',
      person_is_bot: false,
      ticket_status: 'backlog',
      status_name: 'Status 1',
      priority: 'High',
      story_points: null,
      created_at: '2026-03-01T09:00:00Z',
      started_at: null,
      completed_at: null,
      closed_at: null,
      labels: ['basket'],
      creator_name: 'Alan',
      sprint_name: null,
      parent_issue_id: 'jira:acme.example/20001',
    });
  });

  test.each([
    ['new', 'backlog'],
    ['indeterminate', 'started'],
    ['done', 'completed'],
    ['undefined', 'backlog'],
  ])('The category %s of a status is the state %s, whatever the resolution', (key, state) => {
    const resolution = { resolution: { name: "Won't Do" } };
    expect(row({ status: status('9', key), ...resolution })).toMatchObject({ ticket_status: state });
  });

  test('Somebody is known by the account id, on Data Center by the name, and apps are bots', () => {
    const login = (assignee: object | null) => {
      const { person_login, person_email, person_is_bot } = row({ assignee });
      return [person_login, person_email, person_is_bot];
    };
    expect(login({ accountId: 'a1', name: 'ada', accountType: 'app' })).toEqual(['a1', null, true]);
    expect(login({ accountId: '', name: 'ada', key: 'JIRAUSER1' })).toEqual(['ada', null, null]);
    expect(login({ key: 'only a key', displayName: 'Ada', emailAddress: 'ada@acme.example' })).toEqual([
      null,
      'ada@acme.example',
      null,
    ]);
    expect(login(null)).toEqual([null, null, null]);
  });

  test.each([
    [{ customfield_1: 5, customfield_2: 8 }, 5],
    [{ customfield_1: null, customfield_2: 0.5 }, 0.5],
    [{ customfield_1: 0, customfield_2: 8 }, 0],
    [{ customfield_1: '5', customfield_2: { value: 3 } }, null],
  ])('Story points are the first number of their fields: %j', (more, points) => {
    expect(row(more)).toMatchObject({ story_points: points });
  });
});

describe('the times of an issue', () => {
  test('Work begins with the first entry into progress, and is complete with the entry into done that still holds', () => {
    const history = [
      { at: at(2), from: '1', to: '3' },
      { at: at(3), from: '3', to: '6' },
      { at: at(4), from: '6', to: '4' },
      { at: at(5), from: '4', to: '6' },
      { at: at(6), from: '6', to: '7' },
    ];
    const expected = { started_at: utc(2), completed_at: utc(5), closed_at: utc(5), ticket_status: 'completed' };
    const now = { status: status('7', 'done') };
    expect(times(now, moves(...history))).toEqual(expected);
    // Jira Cloud lists the newest first, and in bulk by milliseconds.
    const inBulk = history.map((one) => ({ ...one, at: Date.parse(one.at) })).reverse();
    expect(times(now, moves(...inBulk))).toEqual(expected);
  });

  test('An issue that is open again is not complete, though Jira keeps its resolution', () => {
    const history = moves({ at: at(2), from: '1', to: '6' }, { at: at(3), from: '6', to: '1' });
    expect(times({ resolutiondate: at(2) }, history)).toMatchObject({
      started_at: null,
      completed_at: null,
      closed_at: null,
    });
  });

  test('Changes within a second keep their order, whichever way they are listed', () => {
    const history = moves({ at: at(2), from: '1', to: '3' }, { at: at(2), from: '3', to: '6' });
    for (const listed of [history, history.toReversed()]) {
      expect(times({ status: done }, listed)).toMatchObject({ started_at: utc(2), completed_at: utc(2) });
    }
  });

  test('Without an entry into done the resolution says when it was complete', () => {
    const resolved = { status: done, resolutiondate: at(8) };
    expect(times(resolved, [])).toMatchObject({ completed_at: utc(8), closed_at: utc(8) });
    expect(times(resolved, moves({ at: at(3), from: '1', to: '3' }))).toMatchObject({
      started_at: utc(3),
      completed_at: utc(8),
    });
    expect(times({ status: done }, moves({ at: at(3), from: '1', to: '3' }))).toMatchObject({ completed_at: null });
  });

  test('An issue has the status that it was created in from its creation on', () => {
    const created = '2026-03-01T09:00:00Z';
    expect(times({ status: status('3', 'indeterminate') }, [])).toMatchObject({ started_at: created });
    const moved = moves({ at: at(2), from: '3', to: '1' }, { at: at(3), from: '1', to: '3' });
    expect(times({ status: status('3', 'indeterminate') }, moved)).toMatchObject({ started_at: created });
    expect(times({ status: done }, [])).toMatchObject({ completed_at: created });
  });

  test('A status that Jira has no more is neither progress nor done', () => {
    const history = moves(
      { at: at(2), from: '1', to: '99' },
      { at: at(3), from: '99', to: '6' },
      { at: at(4), from: '6', to: '99' },
      { at: at(5), from: '99', to: '6' },
    );
    expect(times({ status: done }, history)).toMatchObject({ started_at: null, completed_at: utc(5) });
    // It was resolved while it had that status, and counts as done since then.
    expect(times({ status: done, resolutiondate: at(4) }, history)).toMatchObject({ completed_at: utc(4) });
    expect(times({ status: done, resolutiondate: at(6) }, history)).toMatchObject({ completed_at: utc(5) });
  });

  test('The present status is as the issue says it, also where the list of statuses says another', () => {
    const history = moves({ at: at(2), from: '1', to: '6' });
    expect(times({ status: status('6', 'new') }, history)).toMatchObject({
      ticket_status: 'backlog',
      completed_at: null,
    });
  });

  test('Other fields that are called so do not move an issue', () => {
    const items = [{ field: 'status', fieldId: 'customfield_9', fieldtype: 'custom', from: '1', to: '3' }];
    const older = [{ field: 'status', fieldtype: 'custom', from: '1', to: '3' }];
    const history = [items, older].map((some) => Payload.of({ id: '1', created: at(2), items: some }, 'history'));
    expect(times({}, history)).toMatchObject({ started_at: null });
  });
});

describe('the sprint of an issue', () => {
  const sprintOf = (value: unknown) => row({ customfield_3: value }).sprint_name;
  const text = (inside: string) => `com.atlassian.greenhopper.service.sprint.Sprint@1f2[${inside}]`;

  test('Of several sprints it is the one that is not over, else the one that began last, else the last', () => {
    const old = { name: 'Old', state: 'closed', startDate: '2024-01-01T00:00:00.000Z' };
    const late = { name: 'Late', state: 'closed', startDate: '2025-01-01T00:00:00.000Z' };
    const next = { name: 'Next', state: 'future' };
    expect(sprintOf([late, next, old])).toBe('Next');
    expect(sprintOf([late, old])).toBe('Late');
    expect(sprintOf([{ name: 'A' }, { name: 'B' }])).toBe('B');
  });

  test('Data Center writes sprints as text, with names that may hold commas and brackets', () => {
    const one = text(
      'id=3,rapidViewId=2,state=CLOSED,name=Sprint 3, late [b=1],startDate=2026-03-01T10:00:00.000Z,goal=',
    );
    const two = text('id=4,rapidViewId=2,state=ACTIVE,name=Sprint 4,startDate=<null>,sequence=4');
    expect(sprintOf([one])).toBe('Sprint 3, late [b=1]');
    expect(sprintOf([two, one])).toBe('Sprint 4');
  });

  test.each([[null], ['{}'], [[]], [[null, 7, {}, 'no sprint']]])('Nothing else is a sprint: %j', (value) => {
    expect(sprintOf(value)).toBeNull();
  });
});

describe('bodies', () => {
  const body = (description: unknown) => row({ description }).issue_body;

  test('A document of Jira Cloud is its text, a line for each paragraph', () => {
    const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
    const written = (text: string) => ({ type: 'text', text });
    const cell = (text: string) => ({ type: 'tableCell', content: [paragraph(written(text))] });
    expect(
      body({
        type: 'doc',
        version: 1,
        content: [
          { type: 'heading', attrs: { level: 2 }, content: [written('Steps')] },
          paragraph(written('Ask '), { type: 'mention', attrs: { id: 'a1', text: '@Ada' } }, { type: 'hardBreak' }),
          { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(written('reload'))] }] },
          paragraph({ type: 'inlineCard', attrs: { url: 'https://acme.example/x' } }),
          { type: 'table', content: [{ type: 'tableRow', content: [cell('a'), cell('b')] }] },
        ],
      }),
    ).toBe('Steps\nAsk @Ada\n\nreload\nhttps://acme.example/x\na\tb');
  });

  test('A document that is nested without end, or is none, is no text', () => {
    let deep: object = { type: 'text', text: 'deep' };
    for (let i = 0; i < 5_000; i += 1) deep = { type: 'blockquote', content: [deep] };
    expect(body(deep)).toBeNull();
    expect(body({ type: 'doc', content: 'none' })).toBeNull();
    expect(body(null)).toBeNull();
    expect(body('a\0b')).toBe('ab');
  });

  test('Comments have who wrote them, and the issue that they are of', () => {
    const comment = { id: '31', author: { accountId: 'a1' }, body: 'Seen.', created: '2026-03-01T10:00:00.000-0700' };
    const comments = [Payload.of(comment, 'comment')];
    expect(commentRecords(site, { ...whole(), comments })).toEqual([
      {
        issue_comment_id: 'jira:acme.example/31',
        issue_id: 'jira:acme.example/20002',
        source: 'jira',
        person_login: 'a1',
        person_email: null,
        person_name: null,
        person_is_bot: null,
        comment: 'Seen.',
        created_at: '2026-03-01T17:00:00Z',
      },
    ]);
  });
});

describe('issues as incidents', () => {
  const types = new IncidentTypes({
    incident_types: ['bug', 'Outage'],
    service_repositories: ['Checkout=acme/checkout', 'WEB=acme/web'],
  });
  const recordsOf = (more: object, histories: readonly Payload[] = []) =>
    types.recordsOf(site, whole(more, histories), 'jira-operations');

  test('An incident is opened when it was created and resolved when it was, and has the id of the issue', () => {
    expect(recordsOf({ status: done, resolutiondate: at(4) })).toEqual([
      {
        incident_id: 'jira:acme.example/20002',
        source: 'jira-operations',
        repository: 'acme/web',
        service: 'WEB',
        opened_at: '2026-03-01T09:00:00Z',
        resolved_at: utc(4),
        severity: 'High',
        title: 'Basket is empty',
        url: 'https://acme.example/browse/WEB-2',
      },
    ]);
  });

  test('An incident is resolved when Jira says so, also in a status that is not done', () => {
    expect(recordsOf({ resolutiondate: at(4) })).toMatchObject([{ resolved_at: utc(4) }]);
    expect(recordsOf({ status: done }, moves({ at: at(5), from: '1', to: '6' }))).toMatchObject([
      { resolved_at: utc(5) },
    ]);
    expect(recordsOf({})).toMatchObject([{ resolved_at: null }]);
  });

  test.each([
    [{ customfield_4: [{ id: 'ari:1', name: 'Checkout' }] }, 'Checkout', 'acme/checkout'],
    [{ customfield_4: ['Search'], components: [{ id: '7', name: 'checkout' }] }, 'checkout', 'acme/checkout'],
    [{ customfield_4: [{ id: 'ari:1' }], project: { key: 'API', name: 'Interface' } }, 'ari:1', null],
    [{ customfield_4: null, components: [], project: { key: 'API', name: 'Interface' } }, 'Interface', null],
  ])(
    'The first of services, components and the project that has a repository says where it belongs: %j',
    (more, service, repository) => {
      expect(recordsOf(more)).toMatchObject([{ service, repository }]);
    },
  );

  test('An issue of another type is none, and goes where it once was of such a type', () => {
    const story = { issuetype: { name: 'Story' } };
    expect(recordsOf(story)).toEqual([]);
    const items = [{ field: 'issuetype', fieldId: 'issuetype', from: '1', fromString: 'Bug', to: '2' }];
    const history = [Payload.of({ id: '1', created: at(2), items }, 'history')];
    expect(recordsOf(story, history)).toEqual([{ incident_id: 'jira:acme.example/20002', _deleted: true }]);
  });
});
