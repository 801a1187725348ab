import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { teamMembersCopy } from '../../../src/catalogue/directory-copies.ts';
import type { Row, Table } from '../../../src/catalogue/table.ts';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { pullRequestEvents } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

describe('a stream of rows', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse();
  });
  afterAll(() => place.close());

  async function collect(id: string, table: Table, columns: readonly string[], batchRows?: number): Promise<Row[][]> {
    const batches: Row[][] = [];
    for await (const batch of place.warehouse.stream(id, table, columns as never, { batchRows })) {
      batches.push(batch as unknown as Row[]);
    }
    return batches;
  }

  test('A stream of rows brings every row once, by time and then by key, those without a time last', async () => {
    const id = someOrganisationId();
    const rows = Array.from({ length: 300 }, (_, i) =>
      rowOf(incidents, {
        incident_id: `i${(i * 7_919) % 300}`.padEnd(8, 'ä'),
        opened_at: i % 10 === 0 ? null : 1_600_000_000 + ((i * 31) % 17),
        title: `t${i}`,
      }),
    ) as Row[];
    await place.warehouse.change(id, (session) => putRows(session, incidents, rows as never));
    const batches = await collect(id, incidents, Object.keys(rows[0] ?? {}), 64);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(64);
    const time = (row: Row) => (row.opened_at ?? Number.POSITIVE_INFINITY) as number;
    const sorted = rows.toSorted(
      (a, b) => time(a) - time(b) || (String(a.incident_id) < String(b.incident_id) ? -1 : 1),
    );
    // Infinity minus Infinity is not a number, and not a number decides nothing either.
    expect(batches.flat()).toEqual(sorted);
  });

  test('A stream of rows follows a key of several columns, one of which is the time', async () => {
    const id = someOrganisationId();
    const rows = Array.from({ length: 200 }, (_, i) =>
      rowOf(pullRequestEvents, {
        pr_id: `p${i % 7}`,
        event_type: i % 2 === 0 ? 'opened' : 'closed',
        event_at: 1_000 + (i % 5),
        event_url: `u${i}`,
      }),
    );
    await place.warehouse.change(id, (session) => putRows(session, pullRequestEvents, rows));
    const columns = ['event_at', 'pr_id', 'event_type', 'event_url'];
    const found = (await collect(id, pullRequestEvents, columns, 9)).flat();
    const texts = found.map((row) => JSON.stringify(Object.values(row)));
    expect(texts).toHaveLength(200);
    expect(texts).toEqual(texts.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  test('A stream of rows goes by key where a table has no time', async () => {
    const id = someOrganisationId();
    const rows = Array.from({ length: 50 }, (_, i) =>
      rowOf(teamMembersCopy, { team_id: `t${i % 3}`, merged_user_id: `u${(i * 7) % 50}` }),
    );
    await place.warehouse.change(id, (session) => putRows(session, teamMembersCopy, rows));
    const found = (await collect(id, teamMembersCopy, ['team_id', 'merged_user_id'], 8)).flat();
    const texts = found.map((row) => `${row.team_id} ${row.merged_user_id}`);
    expect(texts).toHaveLength(50);
    expect(texts).toEqual(texts.toSorted());
  });

  test('A stream of rows of an empty table is empty', async () => {
    expect(await collect(someOrganisationId(), incidents, ['incident_id'])).toEqual([]);
  });

  test('A stream of rows is of one state, while rows are replaced and reclustered under it', async () => {
    const id = someOrganisationId();
    const rows = (title: string) =>
      Array.from({ length: 400 }, (_, i) => rowOf(incidents, { incident_id: `i${i}`, opened_at: i, title }));
    await place.warehouse.change(id, (session) => putRows(session, incidents, rows('0')));
    let version = 0;
    const titles = new Set<unknown>();
    let count = 0;
    for await (const batch of place.warehouse.stream(id, incidents, ['title'], { batchRows: 40 })) {
      version += 1;
      await place.warehouse.change(id, (session) => putRows(session, incidents, rows(String(version))));
      for (const { title } of batch) titles.add(title);
      count += batch.length;
    }
    expect(count).toBe(400);
    expect([...titles]).toEqual(['0']);
  });

  test('A stream of rows keeps a batch at a time in memory, also when single texts are long', async () => {
    const id = someOrganisationId();
    const body = 'x'.repeat(3_000_000);
    for (let i = 0; i < 20; i += 10) {
      const rows = Array.from({ length: 10 }, (_, k) =>
        rowOf(pullRequests, { pr_id: `p${i + k}`, pr_created_at: i + k, pr_body: body }),
      );
      await place.warehouse.change(id, (session) => putRows(session, pullRequests, rows));
    }
    const sizes: number[] = [];
    for await (const batch of place.warehouse.stream(id, pullRequests, ['pr_id', 'pr_body'])) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(12);
    await place.warehouse.remove(id);
  });

  test('A stream of rows that nobody reads to its end lets go of everything', async () => {
    const id = someOrganisationId();
    await place.warehouse.change(id, (session) =>
      putRows(
        session,
        incidents,
        Array.from({ length: 100 }, (_, i) => rowOf(incidents, { incident_id: `i${i}` })),
      ),
    );
    for await (const batch of place.warehouse.stream(id, incidents, ['incident_id'], { batchRows: 10 })) {
      expect(batch).toHaveLength(10);
      break;
    }
    await place.warehouse.remove(id);
    expect(place.warehouse.holds(id)).toBe(false);
  });

  test('A stream of rows that is given up ends with the reason, not as if it were complete', async () => {
    const id = someOrganisationId();
    await place.warehouse.change(id, (session) =>
      putRows(
        session,
        incidents,
        Array.from({ length: 100 }, (_, i) => rowOf(incidents, { incident_id: `i${i}` })),
      ),
    );
    const caller = new AbortController();
    const reading = (async () => {
      for await (const _ of place.warehouse.stream(id, incidents, ['incident_id'], {
        batchRows: 10,
        signal: caller.signal,
      })) {
        caller.abort(new Error('hung up'));
      }
    })();
    await expect(reading).rejects.toThrow('hung up');
  });
});
