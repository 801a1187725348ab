import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceTicket, ticketOf } from '../../../src/admission/ticket.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { planOf } from '../../../src/query/planner.ts';
import { readMultiple } from '../../../src/query/reading/metric-request.ts';
import { AnswerParts, type SizedPart } from '../../../src/warehouse/duckdb/answer-parts.ts';
import type { EngineConnection } from '../../../src/warehouse/duckdb/connection.ts';
import { Engine } from '../../../src/warehouse/duckdb/engine.ts';
import { Lanes } from '../../../src/warehouse/duckdb/lanes.ts';
import { schemaOf } from '../../../src/warehouse/duckdb/organisation-file.ts';
import { OrganisationLock } from '../../../src/warehouse/duckdb/organisation-lock.ts';
import { sqlContextOf } from '../../../src/warehouse/duckdb/query-session.ts';
import { Task } from '../../../src/warehouse/duckdb/task.ts';
import { times } from '../../setup/how-long.ts';
import { someOwner } from '../../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

const id = someOrganisationId();
const owner = someOwner(id);
const limits = { rows: 20, bytes: 4_000 };

/** Some titles are the same for longer than is looked at first. */
function titleOf(i: number): string {
  if (i === 33) return 'x'.repeat(20_000);
  return i % 4 === 0 ? `${'long '.repeat(500)}${i}` : `title ${i % 50}`;
}

/** Most rows are of one project, and a few have none; one title is as long as several parts. */
const size = times(200, 400);
const rows = Array.from({ length: size }, (_, i) =>
  rowOf(issues, {
    issue_id: `i${1_000 + i}`,
    project_id: i % 20 === 0 ? null : i % 10 === 1 ? `p${i % 7}` : 'main',
    issue_title: titleOf(i),
    created_at: 86_400 * (1 + (i % 90)),
  }),
);

describe('an answer that is divided into parts', () => {
  let place: SomeWarehouse;
  let engine: Engine;
  let connection: EngineConnection;
  beforeAll(async () => {
    place = await someWarehouse();
    await place.warehouse.change(id, (session) => putRows(session, issues, rows));
    await place.warehouse.close();
    engine = await Engine.open(place.place, { threads: 2, memory: '512MB' });
    await engine.hold(id, ticketOf(serviceTicket(id), 5_000));
    connection = await engine.take();
  });
  afterAll(async () => {
    await engine.giveBack(connection, false);
    await engine.close();
    await place.close();
  });

  const partsFor = async (...group_by: string[]) => {
    const body = { filters: { start_date: '1970-01-01', end_date: '1970-12-31' }, metrics: ['issues-count'], group_by };
    const query = planOf(readMultiple(body, { principal: owner, now: new Date(0) }), owner);
    const { statements: gate, commits } = new OrganisationLock();
    const terms = { organisationId: id, ticket: serviceTicket(id), lane: 'heavy', seconds: 30, gate, commits } as const;
    const task = new Task({ take: async () => connection }, new Lanes(), terms);
    task.begin();
    try {
      const parts = new AnswerParts((statement) => task.values(statement), sqlContextOf(schemaOf(id)), query, limits);
      const whole = await parts.measure();
      const found: SizedPart[] = [];
      for await (const part of parts.of(whole)) found.push(part);
      const sizes = [];
      for (const { part } of found) sizes.push(await parts.measure(part));
      return { whole, sizes };
    } finally {
      await task.rollBack();
    }
  };

  test.each([
    ['by a key', ['issue_id', 'issue_title']],
    ['by a column that is nearly the same everywhere', ['project_id', 'issue_id', 'issue_title']],
    ['by texts with the same beginning', ['issue_title', 'issue_id']],
    ['by days', ['created_at', 'project_id', 'issue_id', 'issue_title']],
  ])(
    'An answer that is divided into parts has every row in one of them, and none of them is much too large: %s',
    async (_, columns) => {
      const { whole, sizes } = await partsFor(...columns);
      expect(whole.rows).toBe(size);
      expect(sizes.reduce((sum, { rows: some }) => sum + some, 0)).toBe(size);
      expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(whole.bytes);
      for (const size of sizes) {
        expect(size.rows).toBeLessThanOrEqual(2 * limits.rows);
        // A row is never divided.
        if (size.rows > 1) expect(size.bytes - size.longestRow).toBeLessThanOrEqual(2 * limits.bytes);
      }
    },
  );

  test('An answer that is divided into parts is one part where it is short', async () => {
    const { sizes } = await partsFor('project_id');
    expect(sizes.length).toBe(1);
  });
});
