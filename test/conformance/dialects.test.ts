import { createClient } from '@clickhouse/client';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, inject, test } from 'vitest';
import { clickhouseDialect } from '../../src/warehouse/clickhouse/dialect.ts';
import { readingSettings } from '../../src/warehouse/clickhouse/engine-settings.ts';
import { statementFor as clickhouseStatement } from '../../src/warehouse/clickhouse/statement.ts';
import { duckdbDialect } from '../../src/warehouse/duckdb/dialect.ts';
import { statementFor as duckdbStatement } from '../../src/warehouse/duckdb/query-session.ts';
import type { Dialect } from '../../src/warehouse/sql/dialect.ts';
import { type Sql, sql } from '../../src/warehouse/sql/sql.ts';
import { describeWithClickHouse } from '../setup/clickhouse.ts';
import { aggregateCases, aggregatedRows, type DialectCase, emptyCases, valueCases } from './dialect-cases.ts';

/** All cases in one statement, which answers with one row: an emulated engine takes a second for each statement. */
function together(dialect: Dialect, cases: readonly DialectCase[], from?: Sql): Sql {
  const cells = cases.map(({ piece, type = 'text' }) => ({ value: piece(dialect), type }));
  return sql`SELECT ${dialect.row(cells)} AS answer${from ? sql` FROM (${from}) AS r` : sql``}`;
}

const groups: readonly (readonly [string, readonly DialectCase[], (dialect: Dialect) => Sql | undefined])[] = [
  ['a value', valueCases, () => undefined],
  ['rows', aggregateCases, aggregatedRows],
  ['no rows', emptyCases, (dialect) => sql`SELECT * FROM (${aggregatedRows(dialect)}) AS none WHERE 1 = 2`],
];

test('Every emitter of a dialect is tried', () => {
  const tried = new Set<string>(groups.flatMap(([, cases]) => cases.map(({ emitter }) => emitter)));
  // Every statement here is a row.
  tried.add('name').add('row');
  expect([...tried].sort()).toEqual(Object.keys(clickhouseDialect).sort());
});

function answersAlike(dialect: Dialect, ask: (piece: Sql) => Promise<string>): void {
  test.each(groups)('Gives of %s what every engine gives', async (_, cases, from) => {
    const answer = JSON.parse(await ask(together(dialect, cases, from(dialect)))) as unknown[];
    const named = cases.map(({ emitter }, i) => ({ emitter, answer: answer[i] }));
    expect(named).toEqual(cases.map(({ emitter, expected }) => ({ emitter, answer: expected })));
  });
}

describe('the dialect of DuckDB', () => {
  answersAlike(duckdbDialect, async (piece) => {
    const { sql: said, values } = duckdbStatement(piece);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const [row] = (await connection.runAndReadAll(said, [...values] as string[])).getRows();
    connection.closeSync();
    return String(row?.[0]);
  });
});

describeWithClickHouse('the dialect of ClickHouse', () => {
  answersAlike(clickhouseDialect, async (piece) => {
    const { sql: query, values } = clickhouseStatement(piece);
    const client = createClient({
      url: inject('clickhouseUrl') ?? '',
      clickhouse_settings: readingSettings(60, false),
    });
    try {
      const asked = { query, query_params: values, format: 'TabSeparatedRaw', use_multipart_params: true } as const;
      return await (await client.query(asked)).text();
    } finally {
      await client.close();
    }
  });
});
