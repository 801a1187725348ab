import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issues } from '../../src/catalogue/tables/issues.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import type { Query, QuerySession } from '../../src/query/plan.ts';
import type { QuestionPort } from '../../src/query/question-port.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { someOwner } from '../setup/some-owner.ts';
import { fewRows, rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const day = 86_400;
const id = someOrganisationId();
const owner = someOwner(id);
const longName = 'n'.repeat(2_000);

let place: SomeWarehouse;
let metrics: Metrics;
/** What the engine was asked, in turn. */
let asked: string[] = [];

beforeAll(async () => {
  place = await someWarehouse(fewRows);
  await place.warehouse.change(id, (session) =>
    putRows(
      session,
      issues,
      Array.from({ length: 40 }, (_, i) => {
        const project_name = i < 30 ? `acme/${String(i).padStart(2, '0')}` : longName;
        return rowOf(issues, { issue_id: `i${i}`, created_at: (i + 1) * day, project_name, is_bot: false });
      }),
    ),
  );
  const eyed = (session: QuerySession): QuerySession => ({
    rows: (query) => session.rows(query),
    found: (lookup) => session.found(lookup),
    suppressed: (plan) => session.suppressed(plan),
    rowsRead: (plan) => session.rowsRead(plan),
    rowsWithin: (query: Query, maxBytes) => {
      asked.push('rows');
      return session.rowsWithin(query, maxBytes);
    },
    count: (query) => {
      asked.push('count');
      return session.count(query);
    },
  });
  const { warehouse } = place;
  const tables: QuestionPort = {
    ask: (organisationId, work, options) => warehouse.ask(organisationId, (session) => work(eyed(session)), options),
    answers: (...of) => warehouse.answers(...of),
    lines: (...of) => warehouse.lines(...of),
    explainSql: (...of) => warehouse.explainSql(...of),
    versionOf: () => undefined,
    changedAt: (organisationId) => warehouse.changedAt(organisationId),
  };
  metrics = metricsOver(tables, () => new Date(100 * day * 1_000));
});
afterAll(() => place.close());

async function ask(group_by: readonly string[], end_date: string, date_level?: string) {
  asked = [];
  const body = { filters: { start_date: '1970-01-01', end_date }, group_by, date_level, limit: 7 };
  const { answer } = await metrics.single(owner, 'issues-count', body);
  if (answer.form !== 'rows') throw new Error(`not rows: ${answer.form}`);
  return answer;
}

describe('an answer that is cut', () => {
  test('An answer that is cut is asked with one statement where it is of groups, which also counts them', async () => {
    const { rows, total } = await ask(['project_name'], '1970-01-31');
    expect(rows).toHaveLength(7);
    expect(total).toBe(30);
    expect(asked).toEqual(['rows']);
  });

  test('An answer that is cut says the same number where a text is too long for its share of a short answer', async () => {
    const { rows, total } = await ask(['project_name', 'issue_id'], '1970-03-01');
    expect(rows).toHaveLength(7);
    expect(total).toBe(40);
    expect(asked).toEqual(['rows', 'count']);
    const { rows: groups, total: all } = await ask(['project_name'], '1970-03-01');
    expect([groups.length, all]).toEqual([7, 31]);
  });

  test('An answer that is cut counts rows that are groups of their own apart, and buckets only where they may be too many', async () => {
    const { total: rows } = await ask(['issue_id'], '1970-01-31');
    expect(rows).toBe(30);
    expect(asked).toEqual(['rows', 'count']);
    const { total: days } = await ask([], '1970-01-31', 'day');
    expect(days).toBe(30);
    expect(asked).toEqual(['rows']);
  });

  test('An answer that is cut counts nothing further where all of it is there', async () => {
    const { rows, total } = await ask(['project_name'], '1970-01-05');
    expect([rows.length, total]).toEqual([4, undefined]);
    expect(asked).toEqual(['rows']);
  });
});
