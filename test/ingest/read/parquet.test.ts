import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineFor } from '../../../src/formats/parquet/duckdb/parquet-reader.ts';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import { Refusal } from '../../../src/refusal.ts';
import { times } from '../../setup/how-long.ts';
import { filesIn, linesOf, linesUntilRefusal, temporaryFolder } from './temporary-files.ts';

const folder = temporaryFolder();
const { written } = filesIn(folder);

/** The engine that makes the files: one for all of them. */
let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
});
afterAll(() => instance.closeSync());

async function parquet(name: string, select: string, options = ''): Promise<string> {
  const path = join(folder, name);
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet ${options})`);
  connection.closeSync();
  return path;
}

/** Where the first page of the second column begins in a group of rows. */
async function pageOffset(path: string, rowGroup: number): Promise<number> {
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(
    `SELECT coalesce(dictionary_page_offset, data_page_offset)::integer FROM parquet_metadata($1)
      WHERE row_group_id = ${rowGroup} AND column_id = 1`,
    [path],
  );
  const offset = Number(found.getRows()[0]?.[0]);
  connection.closeSync();
  return offset;
}

const valuesOf = async (path: string): Promise<unknown[]> =>
  (await linesOf(openRecordFile(path))).map((line) => ('value' in line ? line.value : line));

describe('Parquet', () => {
  test('Parquet has the values that the same record has in JSON', async () => {
    const path = await parquet(
      'types.parquet',
      `SELECT true AS yes, 7::tinyint AS small, 12::bigint AS big, 9007199254740993::bigint AS unsafe,
        18446744073709551615::ubigint AS unsigned, 1.50::decimal(9,2) AS price, 12345678901234567890::decimal(38,0) AS wide,
        0.25::double AS ratio, 'nan'::double AS nan, 'ä' AS word, NULL::varchar AS nothing,
        date '2024-02-29' AS day, timestamp '2024-01-02 03:04:05.678901' AS at,
        timestamptz '2024-01-02 03:04:05+02' AS zoned, timestamp_ns '2024-01-02 03:04:05.123456789' AS fine,
        timestamp_s '2024-01-02 03:04:05' AS coarse, timestamp_ms '1969-12-31 23:59:59.999' AS before,
        timestamp '1969-12-31 23:59:59.9995' AS cut, 'infinity'::timestamp AS never, time '01:02:03' AS clock,
        ['a', NULL] AS labels, [{'path': 'x', 'additions': 1::bigint}] AS files, map {'github': 'ada'} AS logins,
        map {1: 'one'} AS numbered, 'ab'::blob AS bytes, interval '1 day 2 hours' AS span,
        '{"ubuntu": [1]}'::json AS billable, '11111111-2222-3333-4444-555555555555'::uuid AS id,
        'x'::enum('x', 'y') AS choice`,
    );
    expect(await valuesOf(path)).toEqual([
      {
        yes: true,
        small: 7,
        big: 12,
        unsafe: '9007199254740993',
        unsigned: '18446744073709551615',
        price: 1.5,
        wide: '12345678901234567890',
        ratio: 0.25,
        nan: 'NaN',
        word: 'ä',
        nothing: null,
        day: '2024-02-29',
        at: '2024-01-02T03:04:05.678Z',
        zoned: '2024-01-02T01:04:05.000Z',
        fine: '2024-01-02T03:04:05.123Z',
        coarse: '2024-01-02T03:04:05.000Z',
        before: '1969-12-31T23:59:59.999Z',
        cut: '1969-12-31T23:59:59.999Z',
        never: 'infinity',
        clock: '01:02:03',
        labels: ['a', null],
        files: [{ path: 'x', additions: 1 }],
        logins: { github: 'ada' },
        numbered: { '1': 'one' },
        bytes: 'YWI=',
        span: expect.stringMatching(/1 day.*02:00:00/),
        billable: { ubuntu: [1] },
        id: '11111111-2222-3333-4444-555555555555',
        choice: 'x',
      },
    ]);
  });

  test('Parquet keeps the order of its rows, numbered from 1, and tells how far it is', async () => {
    const rows = times(30_000, 50_000);
    const path = await parquet(
      'many.parquet',
      `SELECT i::integer AS i FROM range(${rows}) r(i)`,
      ', ROW_GROUP_SIZE 2048',
    );
    const file = openRecordFile(path);
    expect(file.form).toBe('json');
    let row = 0;
    const sharesAt: number[] = [];
    for await (const line of file.lines()) {
      row++;
      if (line.line !== row || !('value' in line) || (line.value as { i: number }).i !== row - 1) {
        throw new Error(`row ${row} came as ${JSON.stringify(line)}`);
      }
      if (row % (rows / 4) === 0) sharesAt.push(file.bytesRead() / (file.bytesTotal ?? 0));
    }
    expect(row).toBe(rows);
    for (const [at, share] of sharesAt.entries()) expect(Math.abs(share - (at + 1) / 4)).toBeLessThan(0.06);
    expect(file.bytesRead()).toBe(file.bytesTotal);
  });

  test('Parquet with rows that are too long says how long they were, and lets others go on meanwhile', async () => {
    const path = await parquet('long.parquet', 'SELECT repeat($$x$$, 9000000) AS word FROM range(40)');
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    let [began, most, rows] = [0, 0, 0];
    for await (const line of openRecordFile(path).lines()) {
      expect(line).toEqual({ line: line.line, problem: 'is longer than 8 MiB', raw: '', length: 9_000_000 });
      rows += 1;
      if (turns > most) [began, most] = [rows, turns];
      expect(rows - began).toBeLessThan(20);
    }
    clearImmediate(next);
    expect(rows).toBe(40);
  });

  test('Parquet without rows holds no record', async () => {
    expect(await valuesOf(await parquet('none.parquet', 'SELECT 1 AS a WHERE false'))).toEqual([]);
  });

  test('Parquet is read by its very name, though the engine takes names for patterns', async () => {
    mkdirSync(join(folder, "it's [a] folder"));
    for (const name of ["it's [a] folder/a*.parquet", 'a?.parquet', '[ab].parquet', 'x].parquet', 'ä $1.parquet']) {
      const path = await parquet('plain.parquet', `SELECT '${name.replaceAll("'", "''")}' AS name`);
      copyFileSync(path, join(folder, name));
    }
    // Each of these is what one of the patterns would find.
    for (const decoy of ["it's [a] folder/ab.parquet", 'ab.parquet', 'a.parquet', 'b.parquet']) {
      copyFileSync(await parquet('decoy.parquet', "SELECT 'decoy' AS name"), join(folder, decoy));
    }
    for (const name of ["it's [a] folder/a*.parquet", 'a?.parquet', '[ab].parquet', 'x].parquet', 'ä $1.parquet']) {
      expect(await valuesOf(join(folder, name))).toEqual([{ name }]);
    }
  });

  test('Parquet has no columns but its own, whatever its folder is called', async () => {
    mkdirSync(join(folder, 'is_bot=true'));
    copyFileSync(await parquet('plain.parquet', 'SELECT 1 AS a'), join(folder, 'is_bot=true', 'a.parquet'));
    expect(await valuesOf(join(folder, 'is_bot=true', 'a.parquet'))).toEqual([{ a: 1 }]);
  });

  test('Parquet keeps a column named __proto__ a column', async () => {
    const [value] = await valuesOf(await parquet('proto.parquet', `SELECT 1 AS "__proto__", {'__proto__': 2} AS s`));
    expect(Object.keys(value as object)).toEqual(['__proto__', 's']);
  });

  test('Parquet is read by an engine that can reach nothing else', async () => {
    const path = await parquet('own.parquet', 'SELECT 1 AS a');
    const other = await parquet('other.parquet', 'SELECT 2 AS a');
    const instance = await engineFor(path);
    const connection = await instance.connect();
    const answer = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    expect(await answer(`SELECT a FROM read_parquet('${path}')`)).toEqual([[1]]);
    for (const sql of [
      `SELECT * FROM read_parquet('${other}')`,
      `SELECT * FROM read_parquet('${join(folder, 'o*.parquet')}')`,
      `SELECT * FROM read_text('/etc/hostname')`,
      `SELECT * FROM read_parquet('https://127.0.0.1/a.parquet')`,
      `ATTACH '${join(folder, 'new.db')}'`,
      `COPY (SELECT 1) TO '${join(folder, 'new.csv')}'`,
      'INSTALL httpfs',
      'LOAD httpfs',
      'SET enable_external_access = true',
      `SET allowed_paths = ['${other}']`,
      "SET memory_limit = '90GB'",
    ]) {
      await expect(answer(sql), sql).rejects.toThrow();
    }
    instance.closeSync();
  });

  test.each([
    ['empty', ''],
    ['text', '{"a":1}\n'],
    ['nothing but its marks', 'PAR1PAR1'],
  ])('Parquet that is %s is refused', async (_, content) => {
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(written('bad.parquet', content)));
    expect(lines).toEqual([]);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringContaining('cannot be read: it is') });
  });

  test('Parquet that is cut short is refused', async () => {
    const bytes = readFileSync(await parquet('whole.parquet', 'SELECT i FROM range(20000) r(i)'));
    const { refusal } = await linesUntilRefusal(
      openRecordFile(written('cut.parquet', bytes.subarray(0, bytes.length - 10))),
    );
    expect(refusal).toBeInstanceOf(Refusal);
  });

  test('Parquet with a damaged page is refused after the rows before it, and never ends early in silence', async () => {
    const rows = times(180_000, 300_000);
    const damagedGroup = times(14, 20);
    const path = await parquet(
      'pages.parquet',
      `SELECT i, md5(i::text) AS hash FROM range(${rows}) r(i)`,
      ', ROW_GROUP_SIZE 10000, COMPRESSION zstd',
    );
    const bytes = readFileSync(path);
    const page = await pageOffset(path, damagedGroup);
    bytes.fill(0xff, page, page + 16);
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(written('damaged.parquet', bytes)));
    expect(lines.length).toBeGreaterThan(damagedGroup * 5_000);
    expect(lines.length).toBeLessThanOrEqual(damagedGroup * 10_240);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ message: expect.stringContaining(`broke off after line ${lines.length}: `) });
  });

  test('Parquet that is given up after its first row can be read again', async () => {
    const file = openRecordFile(await parquet('again.parquet', 'SELECT i FROM range(10000) r(i)'));
    for await (const line of file.lines()) {
      expect(line.line).toBe(1);
      break;
    }
    expect(await linesOf(file)).toHaveLength(10_000);
  });
});
