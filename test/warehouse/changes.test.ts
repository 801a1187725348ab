import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceTicket } from '../../src/admission/ticket.ts';
import type { Row, Table, Value } from '../../src/catalogue/table.ts';
import { pullRequestComments, pullRequestEvents } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import type { Condition, TableWriter } from '../../src/warehouse/intake-port.ts';
import { times } from '../setup/how-long.ts';
import {
  byKey,
  everyRow,
  fewRows,
  rowOf,
  type SomeWarehouse,
  someLimits,
  someOrganisationId,
  someWarehouse,
  tiny,
} from './some-warehouse.ts';
import { patchRows, putRows, removeRows } from './table-writes.ts';

const tables = { pullRequests, pullRequestComments, pullRequestEvents } as const;
type TableName = keyof typeof tables;

type TableChange =
  | { readonly put: TableName; readonly rows: readonly Row[] }
  | { readonly patch: TableName; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | { readonly remove: TableName; readonly where: Condition };

/** The same changes on plain maps: what a warehouse has to agree with. */
class TablesModel {
  readonly rows: Record<TableName, Map<string, Row>> = {
    pullRequests: new Map(),
    pullRequestComments: new Map(),
    pullRequestEvents: new Map(),
  };

  apply(change: TableChange): void {
    if ('put' in change) {
      for (const row of change.rows) this.rows[change.put].set(keyOf(tables[change.put], row), row);
    } else if ('patch' in change) {
      for (const row of change.rows) this.#patch(change.patch, row, change.columns);
    } else {
      const kept = this.rows[change.remove];
      for (const [key, row] of kept) if (holds(change.where, row)) kept.delete(key);
    }
  }

  #patch(name: TableName, row: Row, columns: readonly string[]): void {
    const key = keyOf(tables[name], row);
    const before = this.rows[name].get(key);
    if (!before) return;
    const given = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
    this.rows[name].set(key, { ...before, ...given });
  }
}

const keyOf = (table: Table, row: Row) => JSON.stringify(table.key.map((column) => row[column]));

function holds(where: Condition, row: Row): boolean {
  if ('all' in where) return where.all.every((part) => holds(part, row));
  if ('any' in where) return where.any.some((part) => holds(part, row));
  if ('columns' in where)
    return where.among.some((tuple) => where.columns.every((column, i) => row[column] === tuple[i]));
  if ('spans' in where) throw new Error('These tests ask for no spans.');
  const value = row[where.column] ?? null;
  if ('in' in where) return value !== null && where.in.includes(value);
  if ('isNull' in where) return (value === null) === where.isNull;
  if (value === null) return false;
  if ('below' in where) return value < (where.below ?? 0);
  return 'atLeast' in where ? value >= (where.atLeast ?? 0) : value <= (where.atMost ?? 0);
}

const prIds = Array.from({ length: 9 }, (_, i) => `p${i}`);
const prId = fc.constantFrom(...prIds);
const optional = <T extends Value>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 5 });
const time = fc.integer({ min: 0, max: 2_000_000_000 });

const rows: Readonly<Record<TableName, fc.Arbitrary<Row>>> = {
  pullRequests: fc
    .record({
      pr_id: prId,
      pr_title: optional(fc.string()),
      pr_created_at: optional(time),
      pr_body: optional(fc.string()),
    })
    .map((row) => rowOf(pullRequests, row)),
  pullRequestComments: fc
    .record({ comment_id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), pr_id: prId, commented_at: optional(time) })
    .map((row) => rowOf(pullRequestComments, row)),
  pullRequestEvents: fc
    .record({
      pr_id: prId,
      event_type: fc.constantFrom('opened', 'closed'),
      event_at: fc.constantFrom(1, 2),
      event_url: fc.constantFrom('', 'u'),
    })
    .map((row) => rowOf(pullRequestEvents, row)),
};
const patched: Readonly<Record<TableName, readonly string[]>> = {
  pullRequests: ['pr_title', 'pr_created_at', 'cycle_time', 'is_reworked', 'pr_body'],
  pullRequestComments: ['comment', 'commented_at'],
  pullRequestEvents: ['pr_title', 'pr_number'],
};
const name = fc.constantFrom<TableName>('pullRequests', 'pullRequestComments', 'pullRequestEvents');
const condition = (of: TableName): fc.Arbitrary<Condition> =>
  fc.oneof(
    fc.uniqueArray(prId, { maxLength: 4 }).map((ids) => ({ column: 'pr_id', in: ids })),
    fc.array(rows[of], { maxLength: 6 }).map((some) => ({
      columns: tables[of].key,
      among: some.map((row) => tables[of].key.map((column) => row[column] ?? null)),
    })),
    fc.boolean().map((isNull) => ({ column: 'pr_title', isNull })),
    fc.tuple(prId, prId).map(([from, to]) => ({
      all: [
        { column: 'pr_id', atLeast: from },
        { column: 'pr_id', atMost: to },
      ],
    })),
    fc.tuple(prId, fc.boolean()).map(([id, isNull]) => ({
      any: [
        { column: 'pr_id', in: [id] },
        {
          all: [
            { column: 'pr_title', isNull },
            { column: 'pr_id', atMost: 'p2' },
          ],
        },
      ],
    })),
    fc.constant({ all: [] }),
    fc.constant({ any: [] }),
  );
const change: fc.Arbitrary<TableChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: name.chain((put) => fc.array(rows[put], { maxLength: 9 }).map((some) => ({ put, rows: some }))),
  },
  {
    weight: 4,
    arbitrary: name.chain((patch) =>
      fc
        .tuple(fc.subarray([...patched[patch]], { minLength: 1 }), fc.array(rows[patch], { maxLength: 6 }))
        .map(([columns, some]) => ({ patch, columns, rows: some })),
    ),
  },
  { weight: 1, arbitrary: name.chain((remove) => condition(remove).map((where) => ({ remove, where }))) },
);

async function apply(session: TableWriter, change: TableChange): Promise<void> {
  if ('put' in change) await putRows(session, tables[change.put] as Table, change.rows as never);
  else if ('patch' in change) await patchRows(session, tables[change.patch], change.columns as never, change.rows);
  else await removeRows(session, tables[change.remove], change.where);
}

describe('a warehouse', () => {
  let place: SomeWarehouse;
  let large: SomeWarehouse;
  const id = someOrganisationId();
  beforeAll(async () => {
    place = await someWarehouse(fewRows);
    large = await someWarehouse(someLimits, tiny);
  });
  afterAll(async () => {
    await place.close();
    await large.close();
  });

  test('Changes rows as plain maps would, in small tables and in large ones, inside a transaction and after it', async () => {
    const batches = fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        batches,
        name.chain((of) => condition(of).map((where) => ({ of, where }))),
        async (all, asked) => {
          for (const { warehouse } of [place, large]) {
            const model = new TablesModel();
            const agree = async (session: TableWriter) => {
              for (const [of, table] of Object.entries(tables)) {
                expect(await everyRow(session, table)).toEqual(byKey(table, [...model.rows[of as TableName].values()]));
              }
            };
            for (const batch of all) {
              await warehouse.change(id, async (session) => {
                for (const one of batch) {
                  await apply(session, one);
                  model.apply(one);
                }
                await agree(session);
              });
            }
            const table: Table = tables[asked.of];
            const kept = [...model.rows[asked.of].values()].filter((row) => holds(asked.where, row));
            await warehouse.change(id, async (session) => {
              await agree(session);
              const columns = Object.keys(rowOf(table, {}));
              const found = (await session.select(table, columns as never, asked.where)) as never as Row[];
              expect(byKey(table, found)).toEqual(byKey(table, kept));
              const [tally] = await session.tally(table, [], asked.where);
              expect(tally?.rows).toBe(kept.length);
            });
            await warehouse.change(id, async (session) => {
              for (const one of Object.values(tables)) await removeRows(session, one, { all: [] });
            });
          }
        },
      ),
      { numRuns: times(6, 800) },
    );
  });

  test('Ends a change that may be stopped with its signal and keeps nothing of it, and goes on to the end with any other', async () => {
    const { warehouse } = place;
    const write = async (number: number, mayBeStopped: boolean) => {
      const stopping = new AbortController();
      const ticket = serviceTicket(id, stopping.signal);
      const work = async (session: TableWriter) => {
        const row = (part: number) => rowOf(pullRequests, { pr_id: `stopped/${number}/${part}`, repository: 'r' });
        await putRows(session, pullRequests, [row(1)]);
        stopping.abort(new Error('enough'));
        await putRows(session, pullRequests, [row(2)]);
      };
      return warehouse.change(id, work, { ticket, mayBeStopped });
    };
    const there = async () => {
      const rows = await warehouse.read(id, (session) => everyRow(session, pullRequests));
      return rows.map((row) => row.pr_id).filter((pr) => String(pr).startsWith('stopped/'));
    };
    await expect(write(1, true)).rejects.toThrow('enough');
    expect(await there()).toEqual([]);
    await write(2, false);
    expect(await there()).toEqual(['stopped/2/1', 'stopped/2/2']);
    await warehouse.change(id, (session) => removeRows(session, pullRequests, { all: [] }));
  });
});
