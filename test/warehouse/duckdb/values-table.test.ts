import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import type { Row } from '../../../src/catalogue/table.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { BoundValues, valuesTable } from '../../../src/warehouse/duckdb/statement.ts';

async function rowsOf(columns: readonly string[], rows: readonly Row[]): Promise<unknown[][]> {
  const values = new BoundValues();
  const sql = `SELECT ${columns.join(', ')} FROM ${valuesTable(pullRequests, columns, rows, values)} v`;
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const bound = values.list.map((value) => (typeof value === 'function' ? value() : value));
  const read = await connection.runAndReadAll(sql, bound as never);
  const found = read.getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return found;
}

const columns = ['pr_id', 'pr_title', 'additions'];

test.each([0, 1, 4, 5, 9])('Of %i rows that are all the same there are as many', async (count) => {
  const row = { pr_id: 'p', pr_title: null, additions: 3 };
  expect(await rowsOf(columns, Array(count).fill(row))).toEqual(Array(count).fill(['p', null, '3']));
});

test('Values that differ from row to row stay beside each other, whether or not others are the same', async () => {
  const rows = Array.from({ length: 7 }, (_, i) => ({
    pr_id: `p${i}`,
    pr_title: 'the same',
    additions: i % 2 ? i : null,
    // Not asked for.
    deletions: i,
  }));
  expect(await rowsOf(columns, rows)).toEqual(
    rows.map(({ pr_id, additions }) => [pr_id, 'the same', additions === null ? null : String(additions)]),
  );
});
