import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { readForeign } from './read-foreign.ts';

const pullRequests = recordShapeFor('pull_requests');
const record = (value: object) => readForeign('pull_requests', value);

describe('a record', () => {
  test('A record is known by its address, by owner/name#number, or by repository and number', () => {
    const read = (value: object) => {
      const reading = readRecord(pullRequests, record(value), 'text');
      return 'record' in reading ? reading.record : reading;
    };
    expect(read({ url: 'https://github.com/acme/web/pull/7' })).toMatchObject({ pr_id: 'github:acme/web#7' });
    expect(read({ url: 'https://gitlab.example.com/acme/apps/web/-/merge_requests/9' })).toMatchObject({
      pr_id: 'gitlab:acme/apps/web#9',
      repository: 'acme/apps/web',
      pr_number: 9,
    });
    // Written out when it is taken in, by what is stored of its repository.
    expect(read({ id: 'acme/web#7' })).toEqual({ pr_id: 'acme/web#7' });
    expect(read({ repo: 'https://bitbucket.org/acme/web', number: '3' })).toMatchObject({
      pr_id: 'bitbucket:acme/web#3',
    });
    expect(read({ repo: 'https://github.com/acme/web.git', number: '3' })).toMatchObject({
      repository: 'acme/web',
    });
    expect(read({ pr_id: 'mine', repository: 'acme/web', pr_number: '3' })).toMatchObject({ pr_id: 'mine' });
    // What is said wins over what would follow.
    expect(read({ source: 'gitlab', url: 'https://github.com/acme/web/pull/7' })).toMatchObject({
      pr_id: 'gitlab:acme/web#7',
    });
    expect(read({ title: 'x' })).toEqual({ problem: expect.stringContaining('pr_id is missing') });
  });

  test('A record of a part of a pull request finds it in the same ways', () => {
    const review = readForeign('pull_request_reviews', {
      id: 'r1',
      repo: 'acme/web',
      number: '7',
      Reviewer: 'bo',
    });
    expect(review).toEqual({ pr_review_id: 'r1', pr_id: 'github:acme/web#7', source: 'github', person_login: 'bo' });
  });

  test.each([
    ['ada@acme.example', { person_email: 'ada@acme.example' }],
    ['Ada Quill <ada@acme.example>', { person_email: 'ada@acme.example', person_name: 'Ada Quill' }],
    ['@ada', { person_login: 'ada' }],
    ['Ada Quill', { person_name: 'Ada Quill' }],
  ])('A record says who by %s', (author, person) =>
    expect(record({ pr_id: 'p', author })).toEqual({ pr_id: 'p', ...person }),
  );

  test.each([
    [{ created_at: '2024-01-01' }, 'open'],
    [{ created_at: '2024-01-01', closed_at: '2024-01-02', merged_at: '' }, 'closed'],
    [{ created_at: '2024-01-01', closed_at: '2024-01-02', merged_at: '2024-01-02' }, 'merged'],
    [{ state: 'closed', merged_at: '2024-01-02' }, 'merged'],
    [{ state: 'Opened' }, 'open'],
    [{ state: 'declined' }, 'closed'],
    // A change of one field says nothing of the state.
    [{ closed_at: '2024-01-02' }, undefined],
    // Who clears it means to.
    [{ pr_state: null, created_at: '2024-01-01' }, null],
  ])('A record with %j is %s', (dates, state) =>
    expect((record({ pr_id: 'p', ...dates }) as { pr_state?: string }).pr_state).toBe(state),
  );

  test('A record of an issue has the tracker’s own words and ours', () => {
    const issue = readForeign('issues', {
      Key: 'ABC-1',
      Summary: 'x',
      Status: 'In Progress',
      Source: 'jira',
    });
    expect(issue).toMatchObject({ issue_id: 'jira:ABC-1', status_name: 'In Progress', ticket_status: 'started' });
  });

  test('A record takes from --set what it has not itself', () => {
    const set = { source: 'gitlab', repository: 'acme/web' };
    expect(readForeign('pull_requests', { pr_id: 'p', source: 'github', repository: '' }, { set })).toEqual({
      pr_id: 'p',
      source: 'github',
      repository: 'acme/web',
    });
  });

  test.each([
    ['12/Mar/26 9:05 AM', '2026-03-12T09:05:00Z'],
    ['12/Mar/26 12:05 AM', '2026-03-12T00:05:00Z'],
    ['12/Mar/26 12:05 PM', '2026-03-12T12:05:00Z'],
    ['Thu Mar 12 2026 09:05:07 GMT+0200 (EET)', '2026-03-12T09:05:07+0200'],
    ['March 12, 2026', '2026-03-12T00:00:00Z'],
    ['2026/3/12 9:05', '2026-03-12T09:05:00Z'],
    ['12.03.2026 09:05', '2026-03-12T09:05:00Z'],
    ['2026-03-12 09:05:07 UTC', '2026-03-12 09:05:07 UTC'],
    ['25/12/2026', '2026-12-25T00:00:00Z'],
    ['12/25/26 1:05 PM', '2026-12-25T13:05:00Z'],
    ['12/Mai/26', '12/Mai/26'],
    ['soon', 'soon'],
    [`12/Mar/26${' '.repeat(2_000)}9:00`, `12/Mar/26${' '.repeat(2_000)}9:00`],
  ])('A record has the time %s as %s', (given, iso) => {
    expect(record({ pr_id: 'p', merged_at: given })).toMatchObject({ pr_merged_at: iso });
  });

  test('A record with a day by numbers alone needs to know what comes first', () => {
    const merged = { pr_id: 'p', merged_at: '12/03/26 9:05' };
    expect(record(merged)).toEqual({
      problem:
        "pr_merged_at is '12/03/26 9:05', and nothing says whether its day or its month comes first: add --dates dmy or --dates mdy",
    });
    const at = (dates: 'dmy' | 'mdy') => readForeign('pull_requests', merged, { dates });
    expect(at('dmy')).toMatchObject({ pr_merged_at: '2026-03-12T09:05:00Z' });
    expect(at('mdy')).toMatchObject({ pr_merged_at: '2026-12-03T09:05:00Z' });
  });

  test('A record with two names of one field keeps both, to be rejected', () => {
    expect(record({ pr_id: 'p', title: 'one', Title: 'two' })).toEqual({ pr_id: 'p', pr_title: 'one', Title: 'two' });
  });

  test('A record with lists writes them as a;b', () => {
    const reading = readRecord(pullRequests, { pr_id: 'p', labels: 'bug; ui;' }, 'text');
    expect(reading).toEqual({ record: { pr_id: 'p', labels: ['bug', 'ui'] } });
    expect(readRecord(pullRequests, { pr_id: 'p', labels: '["a;b"]' }, 'text')).toMatchObject({
      record: { labels: ['a;b'] },
    });
  });
});
