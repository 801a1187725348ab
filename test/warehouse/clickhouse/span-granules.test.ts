import { afterAll, beforeAll, expect, test } from 'vitest';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import type { Query } from '../../../src/query/plan.ts';
import { planOf } from '../../../src/query/planner.ts';
import { readMultiple } from '../../../src/query/reading/metric-request.ts';
import { MemoryWriterTurns } from '../../../src/store/writer-turns.ts';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { type ClickHouseWarehouse, openClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import { describeWithClickHouse, type FreshTables, freshTables } from '../../setup/clickhouse.ts';
import { someOwner } from '../../setup/some-owner.ts';
import { rowOf, someOrganisationId } from '../some-warehouse.ts';
import { addRows, patchRows, removeRows } from '../table-writes.ts';

const [hour, day] = [3_600, 86_400];
const hours = 10_240;
const first = Date.parse('2024-01-01') / 1_000;

/** An issue an hour, each completed two days later but for every tenth, which never is. */
const issue = (n: number): never => {
  const created = first + n * hour;
  return rowOf(issues, {
    issue_id: `issue-${n}`,
    created_at: created,
    completed_at: n % 10 === 0 ? null : created + 2 * day,
  });
};

/** Ten days in the midst of them. */
const tenDays = { start_date: '2024-07-01', end_date: '2024-07-10' };

function question(organisationId: string, dateField: string): Query {
  const owner = someOwner(organisationId);
  const dates = { 'issues-count': dateField };
  const body = { filters: tenDays, metrics: ['issues-count'], date_fields: dates, group_by: ['issue_id'] };
  return planOf(readMultiple(body, { principal: owner, now: new Date(0) }), owner);
}

describeWithClickHouse('a question about some days', () => {
  const turns = new MemoryWriterTurns();
  const organisationId = someOrganisationId();
  let tables: FreshTables;
  let warehouse: ClickHouseWarehouse;
  let engine: ClickHouseEngine;

  const reopened = () => openClickHouseWarehouse({ url: tables.url }, turns);
  const run = (sql: string) => engine.run({ sql, values: {} });

  beforeAll(async () => {
    tables = await freshTables();
    engine = new ClickHouseEngine(tables.url);
    warehouse = await reopened();
    // As tables are that an earlier Plumb has made and filled; and no index helps the date that rows are sorted by.
    for (const name of ['started_at_else_at', 'completed_at_else_at', 'closed_at_else_at', 'created_at']) {
      await run(`ALTER TABLE issues DROP INDEX by_${name}`);
    }
    await warehouse.change(organisationId, (writer) =>
      addRows(
        writer,
        issues,
        Array.from({ length: hours }, (_, n) => issue(n)),
      ),
    );
  });

  afterAll(async () => {
    await warehouse.close();
    await engine.close();
    await tables.drop();
  });

  const idsBy = async (dateField: string): Promise<Set<string>> => {
    const rows = await warehouse.ask(organisationId, (session) => session.rows(question(organisationId, dateField)));
    return new Set(rows.map(([id]) => String(id)));
  };

  /** How many of the rows the engine would read. */
  async function rowsReadBy(dateField: string): Promise<number> {
    const { sql, parameters } = warehouse.explainSql(organisationId, question(organisationId, dateField));
    const values = Object.fromEntries(parameters.map((value, i) => [`p${i + 1}`, String(value)]));
    const lines = await engine.lines({ sql: `EXPLAIN ESTIMATE ${sql}`, values }, { seconds: 30 });
    const estimates = lines.map((line) => line.split('\t'));
    return Number(estimates.find(([, table]) => table === 'issues')?.[3]);
  }

  test('A question about some days reads little more than those days, by the date that rows are sorted by', async () => {
    expect((await idsBy('created_at')).size).toBe(240);
    expect(await rowsReadBy('created_at')).toBeLessThanOrEqual(3_072);
  });

  test('A question about some days reads as little by another date once a server has indexed what an earlier one had written', async () => {
    const before = await idsBy('completed_at');
    expect(before.size).toBe(216);
    expect(await rowsReadBy('completed_at')).toBeGreaterThan(5_000);
    await warehouse.close();
    warehouse = await reopened();
    await expect.poll(() => rowsReadBy('completed_at')).toBeLessThanOrEqual(3_072);
    expect(await idsBy('completed_at')).toEqual(before);
  });

  test('A question about some days is answered from rows that changed since, wherever they are sorted', async () => {
    const before = await idsBy('completed_at');
    const within = Date.parse('2024-07-05') / 1_000;
    const [gone, moved] = [...before];
    await warehouse.change(organisationId, async (writer) => {
      // Completed long after it was created, and the other way round.
      const late = { issue_id: 'issue-10', completed_at: within };
      const early = { issue_id: 'issue-10230', completed_at: within };
      await patchRows(writer, issues, ['completed_at'], [late, early, { issue_id: String(moved), completed_at: null }]);
      await removeRows(writer, issues, { column: 'issue_id', in: [String(gone)] });
    });
    const after = new Set([...before].filter((id) => id !== gone && id !== moved)).add('issue-10').add('issue-10230');
    expect(await idsBy('completed_at')).toEqual(after);
    expect(await rowsReadBy('completed_at')).toBeLessThan(hours / 2);
  });
});
