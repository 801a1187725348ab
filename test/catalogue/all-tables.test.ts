import { describe, expect, test } from 'vitest';
import {
  inheritedColumns,
  orderColumn,
  recordShapeOf,
  shownColumns,
  storedColumns,
  type Table,
} from '../../src/catalogue/table.ts';
import { askedTables, childrenOf, factTables, isFactTable } from '../../src/catalogue/tables/all-tables.ts';

const tables: readonly (readonly [string, Table])[] = Object.entries({ ...factTables, ...askedTables });
const facts: readonly (readonly [string, Table])[] = Object.entries(factTables);

describe('the catalogue', () => {
  test('The catalogue has the eighteen tables that a metric is asked of, each with its key', () => {
    const keys = Object.fromEntries(
      Object.entries(askedTables).map(([name, table]: [string, Table]) => [
        name,
        (table.publicKey ?? table.key).join(' '),
      ]),
    );
    expect(keys).toEqual({
      pull_requests: 'pr_id',
      pull_request_reviews: 'pr_review_id',
      pull_request_comments: 'comment_id',
      pull_request_commits: 'commit_id',
      pull_request_events: 'pr_id event_type event_at event_url',
      issues: 'issue_id',
      issue_comments: 'issue_comment_id',
      release_details: 'release_id',
      workflow_runs: 'workflow_run_id',
      ai_copilot: 'merged_user_id source date',
      user_metrics: 'merged_user_id',
      posthook_sessions: 'session_id',
      posthook_session_messages: 'message_id',
      posthook_session_files: 'session_id file_path',
      posthook_session_commits: 'session_id commit_id',
      survey_responses: 'survey_response_id',
      survey_recipients: 'survey_recipient_id',
      deployments: 'deployment_id',
    });
    expect(isFactTable('incidents')).toBe(true);
    expect(isFactTable('toString')).toBe(false);
  });

  test.each(tables)('%s is declared so that everything can derive from it', (name, table) => {
    expect(table.name).toBe(name);
    for (const column of [...table.key, ...(table.publicKey ?? []), ...(table.parent?.key ?? [])]) {
      expect(table.columns).toHaveProperty(column);
    }
    for (const column of Object.values(table.dates))
      expect(['timestamp', 'date']).toContain(table.columns[column]?.type);
    for (const { meaning } of Object.values(table.columns)) expect(meaning).toMatch(/^\S.*[.…]$/s);
    // An explanation would say no more than that a value is missing.
    for (const [column, { type, origin }] of Object.entries(table.columns))
      if (type === 'duration' && origin === 'derived') expect(table.needs).toHaveProperty(column);
    for (const field of Object.values(table.aliases ?? {})) expect(recordShapeOf(table).fields).toHaveProperty(field);
  });

  test.each(facts)('%s keeps its rows in the order of a date', (_, table) => {
    expect(orderColumn(table)).toBeDefined();
  });

  test.each(facts.filter(([, table]) => table.parent))('%s inherits only what its parent keeps', (name, table) => {
    const parent = Object.entries<Table>(factTables).find(([parent]) => parent === table.parent?.table)?.[1];
    expect(childrenOf(table.parent?.table ?? '')).toContain(name);
    for (const column of inheritedColumns(table)) {
      expect([column, parent && storedColumns(parent).get(column)]).toEqual([column, table.columns[column]?.type]);
    }
  });

  test.each(facts.filter(([, table]) => table.carriesPullRequests))(
    '%s names columns of pull requests by which these name it',
    (_, table) => {
      const known = storedColumns(factTables.pull_requests);
      expect(table.key).toHaveLength(1);
      expect(table.carriesPullRequests?.by.filter((column) => !known.has(column))).toEqual([]);
    },
  );

  // Each time that is shown as it is would tell answers of one person from others.
  test.each(facts.filter(([, table]) => table.anonymous))(
    '%s hides every time, and is nobody’s activity',
    (_, table) => {
      const times = Object.entries(table.columns).flatMap(([name, { type }]) =>
        type === 'timestamp' || type === 'date' ? [name] : [],
      );
      const { answeredAt = [], leftOut = [] } = table.anonymous ?? {};
      expect([...answeredAt, ...leftOut].sort()).toEqual(times.sort());
      expect(table.activity).toBeUndefined();
    },
  );

  test('The catalogue never shows whose an answer to a survey is', () => {
    const shown = shownColumns(factTables.survey_responses);
    expect(shown.filter((name) => /person|merged|recipient_id|email|login|actor|is_bot/.test(name))).toEqual([]);
    expect(shown).toContain('team_names');
  });
});
