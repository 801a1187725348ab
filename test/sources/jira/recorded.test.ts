import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FieldValues } from '../../../src/catalogue/field-values.ts';
import { commentRecords, issueRecord } from '../../../src/sources/jira/convert.ts';
import { changesOf, workTimes } from '../../../src/sources/jira/history.ts';
import { customFields, type JiraSite, statusOf } from '../../../src/sources/jira/site.ts';
import { convertEach, Payload } from '../../../src/sources/payload.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';

const text = (name: string): string => readFileSync(join(recordedDataFolder, name), 'utf8');
interface RecordedLine {
  readonly data: unknown;
  readonly path?: string;
  readonly input?: { readonly issue_id: number } | null;
}
const lines = (name: string): readonly RecordedLine[] =>
  text(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const siteOf = (statuses: readonly unknown[], sprint: string, storyPoints: string): JiraSite => ({
  isCloud: true,
  hasComments: true,
  api: '/rest/api/3',
  host: 'acme.example',
  url: 'https://acme.example',
  account: null,
  zone: 'UTC',
  fields: { sprint, storyPoints: [storyPoints] },
  statuses: statuses.map(statusOf),
  at: 0,
});

type RecordedRow = FieldValues & { readonly comments: readonly FieldValues[] };

/** Each issue with the history and the comments that it was recorded with. */
const rowsOf = (site: JiraSite, issues: readonly unknown[]) =>
  convertEach(issues, (payload): RecordedRow => {
    const issue = Payload.of(payload, 'issue');
    const histories = issue.objectOrNull('changelog')?.list('histories') ?? [];
    const comments = issue.object('fields').objectOrNull('comment')?.list('comments') ?? [];
    return {
      ...issueRecord(site, { issue, histories }),
      comments: commentRecords(site, { issue, histories, comments }),
    };
  });

describe.runIf(recordedDataAvailable)('recorded issues', () => {
  const statuses = () => lines('jira-devlake/status.ndjson').map(({ data }) => data);

  test('Issues of one company have the times that their changes of status say', () => {
    const issues = lines('jira-devlake/issues.ndjson').map(({ data }) => data);
    const { records, problems } = rowsOf(siteOf(statuses(), 'customfield_10020', 'customfield_10024'), issues);
    expect(problems).toEqual([]);
    expect(records).toHaveLength(20);
    const timesOf = (key: string) => {
      const found = records.find((row) => row.issue_key === key);
      return [found?.ticket_status, found?.started_at, found?.completed_at];
    };
    // They came to done from a status that is not in the list any more: they were done when they were resolved.
    expect(timesOf('EE-2')).toEqual(['completed', null, '2020-06-23T10:20:58Z']);
    expect(timesOf('EE-17')).toEqual(['completed', '2020-07-22T06:34:22Z', '2020-07-22T07:25:29Z']);
    // To done from a status that is known, and then from one done to another.
    expect(timesOf('EE-20')).toEqual(['completed', null, '2020-06-17T07:25:54Z']);
    expect(timesOf('EE-26')).toEqual(['completed', '2020-06-12T00:44:27Z', '2020-06-15T09:06:51Z']);
    // Two say of a status that is done everywhere else that it is new.
    expect(timesOf('EE-1')).toEqual(['backlog', '2020-06-12T03:38:39Z', null]);
    expect(timesOf('EE-10')).toEqual(['backlog', null, null]);
    const parents = records.flatMap((row) => row.parent_issue_id ?? []);
    expect(parents).toEqual(Array.from({ length: 3 }, () => 'jira:acme.example/10063'));
    expect(records.map((row) => row.sprint_name).filter((name) => name === 'EE Sprint 7')).toHaveLength(17);
    expect(records.flatMap((row) => row.story_points ?? [])).toEqual([2]);
    expect(records.flatMap(({ comments }) => comments)).toHaveLength(8);
  });

  test('Histories that were recorded apart give the same times, with authors that have no id', () => {
    const { statuses: known } = siteOf(statuses(), '', '');
    const all = lines('jira-devlake/issue_changelogs.ndjson');
    const timesOf = (id: number) => {
      const histories = all
        .filter(({ input }) => input?.issue_id === id)
        .map(({ data }) => Payload.of(data, 'history'));
      const now = { createdAt: '2021-01-01T00:00:00Z', resolvedAt: null, statusId: '10068', category: 'done' as const };
      return workTimes(
        now,
        changesOf('status', histories),
        (status) => known.find((one) => one.id === status)?.category,
      );
    };
    expect(timesOf(13383)).toEqual({ startedAt: '2021-01-25T13:49:52Z', completedAt: '2021-01-27T06:46:18Z' });
    expect(timesOf(13954)).toEqual({ startedAt: '2021-03-05T02:14:45Z', completedAt: '2021-04-07T05:15:32Z' });
  });

  test('Issues of another company have sprints in no order, and sprints that are a text', () => {
    const issues = JSON.parse(text('jira-faros/issues.json')) as readonly unknown[];
    const { records, problems } = rowsOf(siteOf([], 'customfield_10020', 'customfield_10028'), issues);
    expect(problems).toEqual([]);
    expect(records.map((row) => [row.sprint_name, row.story_points, row.created_at])).toEqual([
      [null, null, '2024-07-04T12:40:59Z'],
      [null, null, '2024-07-04T12:40:59Z'],
      // Eight sprints, the one that is not over in the middle.
      ['TEST Sprint 20', 1, '2021-09-16T22:42:13Z'],
      [null, null, '2024-07-04T12:40:59Z'],
    ]);
    expect(records[3]?.comments).toMatchObject([{ comment: 'Comment' }, { comment: 'Reply' }]);
  });

  test('An issue of Data Center is read, and one without a status is named by its field', () => {
    const { issues } = JSON.parse(text('jira-go-jira/issues_in_sprint.json')) as { readonly issues: unknown[] };
    const site = siteOf(JSON.parse(text('jira-go-jira/all_statuses.json')), '', 'customfield_10105');
    expect(rowsOf(site, issues).records).toMatchObject([
      {
        issue_key: 'AR-86',
        person_login: 'mister.morris',
        story_points: 13,
        ticket_status: 'backlog',
        closed_at: null,
      },
    ]);
    const shortened = lines('jira-go-jira/answers-inside-tests.ndjson').filter(({ path }) =>
      path?.includes('/issue/10002'),
    );
    const { records, problems } = rowsOf(
      site,
      shortened.map(({ data }) => data),
    );
    expect(records).toEqual([]);
    expect(problems).toContain('issue: fields: status is missing');
    expect(customFields(JSON.parse(text('jira-go-jira/all_fields.json')), undefined)).toEqual({ storyPoints: [] });
  });
});
