import { describe, expect, test } from 'vitest';
import { readRecord } from '../../src/catalogue/read-record.ts';
import { recordShapeOf, type Table } from '../../src/catalogue/table.ts';
import { factTables } from '../../src/catalogue/tables/all-tables.ts';

const { pull_requests: pullRequests, issues } = factTables;
const pullRequest = recordShapeOf(factTables.pull_requests);
const read = (fields: object) => readRecord(pullRequest, { pr_id: 'p', ...fields });

describe('a time in a record', () => {
  test.each([
    ['2024-02-29T10:11:12Z', Date.UTC(2024, 1, 29, 10, 11, 12)],
    ['2024-02-29T10:11:12.999Z', Date.UTC(2024, 1, 29, 10, 11, 12)],
    ['2024-02-29T10:11:12,5z', Date.UTC(2024, 1, 29, 10, 11, 12)],
    ['2024-02-29 10:11:12', Date.UTC(2024, 1, 29, 10, 11, 12)],
    ['2024-02-29 10:11:12 UTC', Date.UTC(2024, 1, 29, 10, 11, 12)],
    ['2024-02-29T10:11', Date.UTC(2024, 1, 29, 10, 11)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2024-02-29T10:11:12+05:30', Date.UTC(2024, 1, 29, 4, 41, 12)],
    ['2024-02-29T10:11:12-0800', Date.UTC(2024, 1, 29, 18, 11, 12)],
    ['2024-02-29T10:11:12+02', Date.UTC(2024, 1, 29, 8, 11, 12)],
    ['1970-01-01T00:00:00Z', 0],
  ])('%s is cut to whole seconds, UTC', (text, ms) => {
    expect(read({ pr_created_at: text })).toEqual({ record: { pr_id: 'p', pr_created_at: ms / 1_000 } });
  });

  test.each([
    '2023-02-29T10:11:12Z',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '2024-02-29T25:00:00Z',
    '2024-02-29T10:11:61Z',
    'yesterday',
    '',
    '1969-12-31T23:59:59Z',
    '10000-01-01',
    '2024-2-9',
    1_700_000_000,
    true,
    {},
  ])('%j is refused with what would be right', (value) => {
    expect(read({ pr_created_at: value })).toEqual({
      problem: expect.stringMatching(/^pr_created_at must be a time such as 2024-01-31T14:05:00Z, not /),
    });
  });
});

describe('a record', () => {
  test('A record needs its key, a child also its parent, and only the key to be removed', () => {
    const review = recordShapeOf(factTables.pull_request_reviews);
    expect(readRecord(pullRequest, { pr_title: 'x' })).toEqual({
      problem: expect.stringContaining('pr_id is missing'),
    });
    expect(readRecord(review, { pr_review_id: 'r' })).toEqual({ problem: expect.stringContaining('pr_id is missing') });
    expect(readRecord(review, { pr_review_id: 'r', _deleted: true })).toHaveProperty('record');
    expect(readRecord(review, { _deleted: true })).toEqual({
      problem: expect.stringContaining('pr_review_id is missing'),
    });
  });

  test('A record cannot give what is derived or inherited', () => {
    expect(read({ cycle_time: 5 })).toEqual({
      problem: expect.stringMatching(/^'cycle_time' is not a field of pull_requests/),
    });
    expect(read({ actor: 'x' })).toHaveProperty('problem');
  });

  test('A record may use another name of a field', () => {
    const release = recordShapeOf(factTables.release_details);
    expect(readRecord(release, { release_id: 'r', published_at: '2024-01-01' })).toEqual({
      record: { release_id: 'r', release_date: Date.UTC(2024, 0, 1) / 1_000 },
    });
  });

  test('A record may use two names of a field that say the same, and is pointed to the other name where they do not', () => {
    const session = recordShapeOf(factTables.posthook_sessions);
    const both = (engineer_email: unknown, person_email: unknown) => ({
      engineer_email,
      person_email,
      session_id: 's',
    });
    expect(readRecord(session, both('Ada@example.org', 'ada@example.org'))).toHaveProperty('record');
    expect(readRecord(session, both('ada@example.org', null))).toEqual({
      record: { session_id: 's', engineer_email: 'ada@example.org' },
    });
    expect(readRecord(session, both(null, 'ada@example.org'))).toEqual({
      record: { session_id: 's', engineer_email: 'ada@example.org' },
    });
    const problem =
      'engineer_email is given twice with two values, also as person_email: give one, or the same in both';
    expect(readRecord(session, both('ada@example.org', 'bob@example.org'))).toEqual({ problem });
    const otherOrder = { session_id: 's', person_email: 'bob@example.org', engineer_email: 'ada@example.org' };
    expect(readRecord(session, otherOrder)).toEqual({ problem });
    expect(readRecord(session, { session_id: 's', person_email: 7 })).toEqual({
      problem: 'person_email must be text, not 7',
    });
  });

  test('A record of a part of a session may say whose it is, which is read and not kept', () => {
    const message = recordShapeOf(factTables.posthook_session_messages);
    const named = { person_login: 'ada', person_email: 'ada@example.org', engineer_email: 'ada@example.org' };
    expect(readRecord(message, { message_id: 'm', session_id: 's', ...named })).toEqual({
      record: { message_id: 'm', session_id: 's' },
    });
    expect(readRecord(message, { message_id: 'm', session_id: 's', person_login: 7 })).toHaveProperty('problem');
  });

  test('A record holds large amounts and long texts, and refuses what nothing could keep', () => {
    expect(read({ additions: Number.MAX_SAFE_INTEGER, pr_body: 'x'.repeat(100_000) })).toHaveProperty('record');
    expect(read({ additions: 1.5 })).toHaveProperty('problem');
    expect(read({ additions: 2 ** 53 })).toHaveProperty('problem');
    expect(read({ pr_title: 'x'.repeat(10_001) })).toHaveProperty('problem');
    expect(read({ pr_title: 'a\0b' })).toHaveProperty('problem');
  });

  test('A record holds a long text of a mebibyte in UTF-8, and no more, in either form', () => {
    const mebibyte = 1_048_576;
    const most = 'pr_body must have at most 1 MiB (1,048,576 bytes in UTF-8), not ';
    expect(read({ pr_body: 'x'.repeat(mebibyte) })).toHaveProperty('record');
    expect(read({ pr_body: 'x'.repeat(mebibyte + 1) })).toEqual({ problem: `${most}1,048,577 bytes` });
    expect(read({ pr_body: 'я'.repeat(mebibyte / 2) })).toHaveProperty('record');
    expect(read({ pr_body: `${'я'.repeat(mebibyte / 2)}x` })).toEqual({ problem: `${most}1,048,577 bytes` });
    expect(readRecord(pullRequest, { pr_id: 'p', pr_body: 'x'.repeat(mebibyte + 1) }, 'text')).toEqual({
      problem: `${most}1,048,577 bytes`,
    });
  });

  test('A record holds lists and JSON of a mebibyte as a whole, and says which is too large', () => {
    const label = 'x'.repeat(9_000);
    expect(read({ labels: Array(100).fill(label) })).toHaveProperty('record');
    expect(read({ labels: Array(120).fill(label) })).toEqual({
      problem: expect.stringMatching(
        /^labels must have at most 1 MiB \(1,048,576 bytes in UTF-8\) as JSON, not 1,080,361/,
      ),
    });
    expect(read({ labels: ['x'.repeat(10_001)] })).toEqual({
      problem: 'labels must have at most 10000 characters, not 10001',
    });
    const file = { path: 'x'.repeat(500), additions: 1, deletions: 1 };
    expect(read({ files: Array(1_900).fill(file) })).toHaveProperty('record');
    expect(read({ files: Array(2_000).fill(file) })).toEqual({
      problem: expect.stringMatching(/^files must have at most 1 MiB .* as JSON, not /),
    });
    expect(read({ files: [{ path: '\u001b'.repeat(180_000) }] })).toHaveProperty('problem');
  });

  test('A record says the name of an unknown field, and not all of a very long one', () => {
    const { problem } = read({ ['x'.repeat(1_000_000)]: 1 }) as { problem: string };
    expect(problem).toMatch(/^'x{100}…' is not a field of pull_requests\./);
    expect(problem.length).toBeLessThan(3_000);
  });
});

test('An unknown field is refused with the list of known ones', () => {
  expect(read({ pr_titel: 'x' })).toMatchObject({ problem: expect.stringMatching(/'pr_title'\? Fields: pr_id, /) });
});

describe('a record without its key', () => {
  const keyOf = (table: Table, record: object) => {
    const reading = readRecord(recordShapeOf(table), record);
    return 'problem' in reading ? reading.problem : (reading.record as Record<string, unknown>)[table.key[0] ?? ''];
  };
  const pull = { source: 'GitHub', repository: 'acme/web', pr_number: 7 };

  test('A record without its key has the one that a connector makes, where a code host is known to have it', () => {
    expect(keyOf(pullRequests, pull)).toBe('github:acme/web#7');
    expect(keyOf(pullRequests, { ...pull, pr_id: null })).toBe('github:acme/web#7');
    expect(keyOf(pullRequests, { ...pull, repository: 'acme/tools/web' })).toBe('github:acme/tools/web#7');
    expect(keyOf(pullRequests, { ...pull, _deleted: true })).toBe('github:acme/web#7');
    expect(keyOf(issues, { source: 'github', issue_key: 'acme/web#8' })).toBe('github:acme/web#8');
  });

  test('A record without its key keeps the one that it has', () => {
    expect(keyOf(pullRequests, { ...pull, pr_id: 'p1' })).toBe('p1');
  });

  test.each([
    [pullRequests, { ...pull, repository: 'web' }, /pr_id is missing.*unless source, repository and pr_number are/],
    [pullRequests, { ...pull, source: undefined }, /pr_id is missing/],
    [issues, { source: 'jira', issue_key: 'ABC-12' }, /issue_id is missing/],
  ])('A record without its key is refused where nothing says it', (table, record, problem) => {
    expect(keyOf(table, JSON.parse(JSON.stringify(record)))).toMatch(problem);
  });
});
