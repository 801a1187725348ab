import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceTicket } from '../../src/admission/ticket.ts';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import { issues } from '../../src/catalogue/tables/issues.ts';
import type { AnswerRow, Query } from '../../src/query/plan.ts';
import { planOf } from '../../src/query/planner.ts';
import { readMultiple } from '../../src/query/reading/metric-request.ts';
import { someOwner } from '../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someLimits, someOrganisationId, someWarehouse, tiny } from './some-warehouse.ts';
import { putRows } from './table-writes.ts';

const id = someOrganisationId();
const owner = someOwner(id);
const day = 86_400;

/** Texts that a file of lines could stumble over. */
const hostile = ['a#b', '"', "'", '\\', 'two\nlines', '\u0001', '\u0002', ',', '', ' ', '\r', '\u2028', '🦆', 'null'];

describe('an answer of any length', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse(someLimits, tiny);
    const rows = Array.from({ length: 60 }, (_, i) =>
      rowOf(issues, {
        issue_id: `${i % 10}#${i}`,
        issue_title: hostile[i % hostile.length] ?? null,
        project_id: i % 9 === 0 ? null : `p${i % 4}`,
        story_points: i % 3 === 0 ? null : i / 4,
        created_at: i % 5 === 0 ? 10 * day : (i + 1) * day,
        labels: i % 2 === 0 ? null : JSON.stringify([`#${i % 3}`]),
      }),
    );
    await place.warehouse.change(id, (session) => putRows(session, issues, rows));
  });
  afterAll(() => place.close());

  const ask = (...group_by: string[]): Query => {
    const body = { filters: { start_date: '1970-01-01', end_date: '1970-12-31' }, metrics: ['issues-count'], group_by };
    return planOf(readMultiple(body, { principal: owner, now: new Date(0) }), owner);
  };
  const allOf = async (query: Query): Promise<AnswerRow[]> => {
    const rows: AnswerRow[] = [];
    for await (const batch of place.warehouse.answers(id, query)) rows.push(...batch);
    return rows;
  };
  const filesLeft = () => readdirSync(place.place).filter((name) => name.startsWith('copy-'));

  test.each([
    ['texts', ['issue_id', 'issue_title']],
    ['moments', ['created_at', 'issue_id']],
    ['numbers, some of them missing', ['story_points', 'issue_id']],
    ['a few values that occur often, or not at all', ['project_id', 'issue_title']],
    ['lists', ['labels', 'project_id']],
  ])(
    'An answer of any length has the rows that the engine gives at once, in their order, part by part: by %s',
    async (_, columns) => {
      const query = ask(...columns);
      const atOnce = await place.warehouse.ask(id, (session) => session.rows({ ...query, limit: 1_000 }));
      expect(atOnce.length).toBeGreaterThan(tiny.sortedRows);
      expect(await allOf(query)).toEqual(atOnce);
      expect(filesLeft()).toEqual([]);
    },
  );

  test('An answer of any length leaves nothing behind when nobody wants the rest of it', async () => {
    for await (const _ of place.warehouse.answers(id, ask('issue_id'))) break;
    expect(filesLeft()).toEqual([]);
  });

  test('An answer of any length is given up when its caller is', async () => {
    const caller = new AbortController();
    caller.abort(new Error('hung up'));
    const asked = place.warehouse.answers(id, ask('issue_id'), { ticket: serviceTicket(id, caller.signal) });
    await expect(asked[Symbol.asyncIterator]().next()).rejects.toThrow('hung up');
    expect(filesLeft()).toEqual([]);
  });

  test('An answer of any length is one state of the data, whatever is written while it is read', async () => {
    const seen: AnswerRow[] = [];
    for await (const batch of place.warehouse.answers(id, ask('issue_id'))) {
      await place.warehouse.change(id, (session) =>
        putRows(session, incidents, [rowOf(incidents, { incident_id: 'i' })]),
      );
      await place.warehouse.change(id, (session) =>
        putRows(session, issues, [rowOf(issues, { issue_id: 'late', created_at: day })]),
      );
      seen.push(...batch);
    }
    expect(seen).toHaveLength(60);
    expect(await allOf(ask('issue_id'))).toHaveLength(61);
  });
});
