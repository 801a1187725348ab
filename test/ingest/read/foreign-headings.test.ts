import { describe, expect, test } from 'vitest';
import type { RecordTable } from '../../../src/catalogue/record-tables.ts';
import { ColumnMapping } from '../../../src/ingest/read/foreign/column-mapping.ts';
import { readForeign } from './read-foreign.ts';

const record = (value: object) => readForeign('pull_requests', value);

describe('a heading', () => {
  const mapping = new ColumnMapping('pull_requests');
  const fieldsOf = (headings: string[], said: Record<string, string> = {}, table: RecordTable = 'pull_requests') =>
    new ColumnMapping(table, said, headings).fieldsOf('x.csv');
  test.each([
    ['title', 'pr_title'],
    ['PR Title', 'pr_title'],
    ['pullRequestTitle', 'pr_title'],
    ['Number', 'pr_number'],
    ['url', 'pr_url'],
    ['Repo', 'repository'],
    ['Created At', 'pr_created_at'],
    ['createdAt', 'pr_created_at'],
    ['CREATEDAT', 'pr_created_at'],
    ['Merged At (UTC)', 'pr_merged_at'],
    ['MR IID', 'pr_number'],
    ['merged-at', 'pr_merged_at'],
    ['Author', 'person'],
    ['state', 'pr_state'],
    ['Lines added', 'additions'],
    ['Target Branch', 'base_branch'],
    ['person_login', 'person_login'],
    ['_deleted', '_deleted'],
    ['Mood', undefined],
  ])('%s means %s', (heading, field) => expect(mapping.fieldOf(heading)).toBe(field));

  test('A heading means the one whose row it is: an issue is its assignee’s, not its author’s', () => {
    const issues = new ColumnMapping('issues');
    expect([issues.fieldOf('Assignee'), issues.fieldOf('Author'), issues.fieldOf('Status')]).toEqual([
      'person',
      undefined,
      'ticket_status',
    ]);
    expect(new ColumnMapping('pull_request_reviews').fieldOf('Reviewer')).toBe('person');
    expect(new ColumnMapping('people').fieldOf('E-mail')).toBe('main_email');
    expect(new ColumnMapping('people').fieldOf('Email')).toBe('main_email');
  });

  test('A heading that a field had once means that field only where the file has no column of it', () => {
    const headings = ['deployment_id', 'Is Production', 'Production'];
    expect(fieldsOf(headings, {}, 'deployments')).toEqual(['deployment_id', '', 'production']);
    expect(fieldsOf(headings.slice(0, 2), {}, 'deployments')).toEqual(['deployment_id', 'production']);
  });

  test('A heading that is unknown refuses the file, with every such column and its likely field', () => {
    expect(() => fieldsOf(['Url', 'Mergd At', 'titel', 'autor', 'Commit branch', 'Mood'])).toThrow(
      "x.csv was not imported: 5 columns are no fields of pull_requests: 'Mergd At', did you mean merged_at (pr_merged_at)?; " +
        "'titel', did you mean title (pr_title)?; 'autor', did you mean author?; " +
        "'Commit branch', did you mean first_commit_at?; 'Mood', which is like no field. Say what a column is with " +
        "--map 'Mergd At=merged_at', or leave it out with --map 'Mergd At='.",
    );
    expect(record({ pr_id: 'p', mergd_at: '2024-01-01' })).toEqual({
      problem: expect.stringMatching(
        /^'mergd_at' is not a field of pull_requests. Did you mean merged_at \(pr_merged_at\)\? Fields: /,
      ),
    });
  });

  test('A heading is what --map says, or left out', () => {
    const said = { mood: '', when: 'merged_at' };
    expect(fieldsOf(['Mood', 'When', 'id'], said)).toEqual(['', 'pr_merged_at', 'pr_id']);
    expect(() => fieldsOf(['Mood', 'id'], said)).toThrow("x.csv has no column 'when', which --map names.");
    expect(() => fieldsOf(['id'], { a: 'pr_titel' })).toThrow("Did you mean 'pr_title'?");
    expect(fieldsOf(['Mood', 'id', 'Weather'], { mood: '', weather: '' })).toEqual(['', 'pr_id', '']);
  });

  test('A heading of the same field twice refuses the file', () => {
    expect(() => fieldsOf(['title', 'pr_title'])).toThrow("'title' and 'pr_title' both mean pr_title");
    expect(() => fieldsOf(['id', 'title', 'title'])).toThrow(
      "names the column 'title' twice, and pr_title takes one value",
    );
    expect(fieldsOf(['id', 'Labels', 'Labels'])).toEqual(['pr_id', 'labels', 'labels']);
  });

  test('A heading of what is derived here is left out, and said', () => {
    const headings = ['id', 'Cycle Time (hours)', 'Time in review', 'reviews_count'];
    expect(fieldsOf(headings)).toEqual(['pr_id', '', '', '']);
    expect(new ColumnMapping('pull_requests', {}, headings).notesOf('x.csv')).toEqual([
      'Left out of x.csv, because Plumb derives it itself: Cycle Time (hours), Time in review, reviews_count.',
    ]);
    // What somebody typed is never left out in silence.
    expect(record({ pr_id: 'p', cycle_time: 5 })).toEqual({ problem: expect.stringContaining("'cycle_time' is not") });
  });
});
