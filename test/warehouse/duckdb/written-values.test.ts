import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineConnection } from '../../../src/warehouse/duckdb/connection.ts';
import { boundStatement, statementFor } from '../../../src/warehouse/duckdb/query-session.ts';
import {
  date,
  integer,
  number,
  ourText,
  type Sql,
  sql,
  text,
  texts,
  timestamp,
} from '../../../src/warehouse/sql/sql.ts';

describe('values of a statement', () => {
  let connection: EngineConnection;
  let instance: DuckDBInstance;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    connection = new EngineConnection(await instance.connect());
  });
  afterAll(async () => {
    await connection.close();
    instance.closeSync();
  });

  const answer = async (statement: ReturnType<typeof statementFor>) =>
    (await connection.perform(statement, { seconds: 10 })).getChunk(0).getRows();

  const doubles = [0, 0.1, 0.30000000000000004, 1 / 3, 5e-324, 1.7976931348623157e308, -1e21, 123_456_789.125];
  const integers = [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  const words = ['success', "it's", '', "'; DROP TABLE people; --", "a\\'", 'ä $1 %'];
  const sent = [...words, 'a\u0001\n\t\r', '日本語 🐙', '\u0000', 'x'.repeat(256)];
  const days = ['2024-02-29', '0001-01-01', '9999-12-31'];
  const seconds = [0, 1, -1, 1_700_000_000, -62_135_596_800, 253_402_300_799];

  test.each([
    ...doubles.map((value) => sql`SELECT ${number(value)}, typeof(${number(value)})`),
    ...integers.map((value) => sql`SELECT ${integer(value)} - ${integer(-7)}, typeof(${integer(value)})`),
    ...words.map((value) => sql`SELECT ${ourText(value)} || '.', coalesce(${ourText(value)}, NULL)`),
    ...sent.map((value) => sql`SELECT ${text(value)} || '.', upper(${text(value)}), typeof(${text(value)})`),
    ...days.map((value) => sql`SELECT ${date(value)}, typeof(${date(value)})`),
    ...seconds.map((value) => sql`SELECT ${timestamp(value)}, typeof(${timestamp(value)})`),
  ] as Sql[])('are the same to the engine written as bound: %j', async (...piece) => {
    const written = statementFor(piece as unknown as Sql);
    expect(written.values).toEqual([]);
    expect(await answer(written)).toEqual(await answer(boundStatement(piece as unknown as Sql)));
  });

  test('Values of a statement are digits where they are texts that may come from a caller', () => {
    for (const value of sent) {
      const [written, ...more] = statementFor(sql`${text(value)}`)
        .sql.split("'")
        .filter((_, i) => i % 2 === 1);
      expect([written, more]).toEqual([expect.stringMatching(/^[0-9a-f]*$/), []]);
    }
  });

  test('Values of a statement are bound where they are long texts or lists, and all of them are shown as bound', () => {
    const long = "'".repeat(257);
    const piece = sql`SELECT ${text(long)}, ${texts(['a'])}, ${text('b')}, ${ourText('open')}, ${date('2024-01-31')}, ${integer(3)}`;
    expect(statementFor(piece).values).toEqual([long, '["a"]']);
    expect(boundStatement(piece).values).toEqual([long, '["a"]', 'b', 'open', '2024-01-31', 3]);
  });

  test('Values of a statement are bound where they are no days', () => {
    expect(statementFor(sql`SELECT ${date("2024-01-31' --")}`).values).toEqual(["2024-01-31' --"]);
  });

  test('Values of a statement are bound where they are no numbers that can be written', () => {
    const piece = sql`SELECT ${integer(1.5)}, ${number(Number.POSITIVE_INFINITY)}, ${timestamp(0.5)}`;
    expect(statementFor(piece).values).toHaveLength(3);
  });
});
