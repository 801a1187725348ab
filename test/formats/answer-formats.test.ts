import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerFormat, answerFormats } from '../../src/formats/answer-formats.ts';
import { answerPieces, type ParquetScratch } from '../../src/formats/answer-writer.ts';
import { textOfCell } from '../../src/formats/csv-cell.ts';
import { rowsPieces, rowsText } from '../../src/formats/text.ts';
import { jsonPieces, longText } from '../../src/formats/text-pieces.ts';
import { type FlatColumn, flatColumns, rowReader } from '../../src/query/answer-columns.ts';
import type { AnswerRow } from '../../src/query/plan.ts';
import { asking } from '../query/some-asking.ts';
import { times } from '../setup/how-long.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumb-formats-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As much room as there is. */
const scratch = (): ParquetScratch => ({
  folder,
  maxBytes: Number.POSITIVE_INFINITY,
  take: async () => {},
  giveBack: () => {},
  inTurn: (work) => work(),
});

async function* batchesOf(...batches: (readonly AnswerRow[])[]): AsyncGenerator<readonly AnswerRow[]> {
  yield* batches;
}

async function bytesOf(format: AnswerFormat, columns: readonly FlatColumn[], ...batches: (readonly AnswerRow[])[]) {
  const pieces: Buffer[] = [];
  for await (const piece of answerPieces(format, { columns, batches: batchesOf(...batches) }, scratch())) {
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

const textOf = async (format: AnswerFormat, columns: readonly FlatColumn[], ...batches: (readonly AnswerRow[])[]) =>
  (await bytesOf(format, columns, ...batches)).toString('utf8');

const exported = flatColumns(
  asking({
    of: 'pull-requests-count',
    by: ['pr_title', 'pr_created_at', 'coding_time', 'team_names', 'is_promotion_pr', 'additions', 'ai_pct_of_code'],
  }).columns,
);
const one: AnswerRow = ['Fix, "all"\nof it', 1_706_695_200, 93_845, '["Core", "Web"]', true, -3, 0.25, 1];
const empty: AnswerRow = [null, null, null, null, null, null, null, null];

const roles = flatColumns(asking({ of: 'pull-requests-count', by: ['pr_title'] }).columns);
const titleInCsv = async (title: string) =>
  (await textOf('csv', roles, [[title, 1]])).split('\r\n').slice(1).join('\r\n');

describe('rows as JSON', () => {
  test('Rows as JSON are an array as JSON.stringify writes it', async () => {
    const objects = [one, empty].map(rowReader(exported));
    expect(await textOf('json', exported, [one], [empty])).toBe(JSON.stringify(objects));
    expect(await textOf('json', exported)).toBe('[]');
    expect(await textOf('json', exported, [])).toBe('[]');
  });
});

describe('rows as NDJSON', () => {
  test('Rows as NDJSON are one object a line', async () => {
    expect(await textOf('ndjson', roles, [['Fix\nit', 1]], [[null, null]])).toBe(
      '{"date_level_not_set":true,"pr_title":"Fix\\nit","pr_count":1}\n' +
        '{"date_level_not_set":true,"pr_title":null,"pr_count":0}\n',
    );
    expect(await textOf('ndjson', roles)).toBe('');
  });
});

describe('rows as CSV', () => {
  test('Rows as CSV have a line with names, and a cell for every column', async () => {
    expect(await textOf('csv', exported, [one, empty])).toBe(
      'date_level_not_set,pr_title,pr_created_at,coding_time,team_names,is_promotion_pr,additions,ai_pct_of_code,pr_count\r\n' +
        'true,"Fix, ""all""\nof it",2024-01-31T10:00:00Z,PT26H4M5S,"[""Core"",""Web""]",true,-3,0.25,1\r\n' +
        'true,,,,,,,,0\r\n',
    );
  });

  test('Rows as CSV are nothing but names when there are none', async () => {
    expect(await textOf('csv', roles)).toBe('date_level_not_set,pr_title,pr_count\r\n');
  });

  test.each([
    ['=1+1', "true,'=1+1,1\r\n"],
    ['+1', "true,'+1,1\r\n"],
    ['-1', "true,'-1,1\r\n"],
    ['@SUM(A1)', "true,'@SUM(A1),1\r\n"],
    ['\tx', 'true,"\'\tx",1\r\n'],
    ['a;b', 'true,"a;b",1\r\n'],
    ['a\tb', 'true,"a\tb",1\r\n'],
    ['\rx', 'true,"\'\rx",1\r\n'],
    ['=HYPERLINK("http://x","y")', 'true,"\'=HYPERLINK(""http://x"",""y"")",1\r\n'],
    ['a=1', 'true,a=1,1\r\n'],
    ["'quoted", "true,'quoted,1\r\n"],
    ['\n=1+1', 'true,"\'\n=1+1",1\r\n'],
    ['＝1+1', "true,'＝1+1,1\r\n"],
    ['＋1', "true,'＋1,1\r\n"],
    ['－1', "true,'－1,1\r\n"],
    ['＠SUM(A1)', "true,'＠SUM(A1),1\r\n"],
    ["'=1+1", "true,''=1+1,1\r\n"],
  ])('Rows as CSV keep a spreadsheet from running %j', async (title, line) => {
    expect(await titleInCsv(title)).toBe(line);
  });

  test('Rows as CSV keep a spreadsheet from running a formula in a text so long that it is written in parts', async () => {
    const long = `=1+1${'x'.repeat(longText)}`;
    expect(await titleInCsv(long)).toBe(`true,'${long},1\r\n`);
    expect(await titleInCsv(`${long}"`)).toBe(`true,"'${long}""",1\r\n`);
  });

  test('Rows as CSV keep numbers below zero numbers', async () => {
    const columns = flatColumns(asking({ of: 'cycle-time min', by: ['additions'] }).columns);
    expect(await textOf('csv', columns, [[-4, -2.5]])).toBe(
      'date_level_not_set,additions,min_cycle_time\r\ntrue,-4,-2.5\r\n',
    );
  });

  test('Rows as CSV tell an empty text from a missing one, and keep spaces at the ends', async () => {
    expect(await titleInCsv('')).toBe('true,"",1\r\n');
    expect(await titleInCsv(' x ')).toBe('true," x ",1\r\n');
  });

  test('Rows as CSV are read back by any reader as they were, whatever the text', () => {
    const start = fc.constantFrom('', "'", "''", '=', "'=", "''-", '\n', '\t', '\r', '＝', "'＠", '@', '+');
    const someTitle = fc
      .tuple(start, fc.string({ unit: 'binary', minLength: 1 }))
      .map(([before, text]) => before + text);
    fc.assert(
      fc.property(fc.array(someTitle), (titles) => {
        const rowsOfTitles = titles.map((title): AnswerRow => [title, 1]);
        const text = rowsText('csv', roles, rowsOfTitles);
        const rows: string[][] = parse(text, { relax_column_count: false });
        const cells = rows.slice(1).map(([, cell]) => cell ?? '');
        for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(cells.map(textOfCell)).toEqual(titles);
      }),
      { numRuns: times(40, 100) },
    );
  });
});

describe('long texts', () => {
  const texts = ['x', '🦆', '"', '\\', '\n', '\u001b', '\ud800', ',', '=', 'é'].map((one) => one.repeat(140_000));
  const rows = texts.flatMap((text, i): AnswerRow[] => [
    [`${'x'.repeat(i)}${text}`, i],
    ['short', i],
  ]);

  test('Long texts are the same slice by slice, in every format of text and in documents', () => {
    const objects = rows.map(rowReader(roles));
    expect(rowsText('json', roles, rows) === JSON.stringify(objects)).toBe(true);
    const lines = objects.map((object) => `${JSON.stringify(object)}\n`).join('');
    expect(rowsText('ndjson', roles, rows) === lines).toBe(true);
    const document = { objects, none: undefined, empty: {}, list: [1, null, 'a', { b: [] }, [], true, undefined] };
    expect([...jsonPieces(document)].join('') === JSON.stringify(document)).toBe(true);
    const cells: string[][] = parse(rowsText('csv', roles, rows));
    // Half a character is no text to anyone who reads bytes.
    const asBytes = (text: unknown) => Buffer.from(String(text)).toString();
    expect(cells.slice(1).map(([, cell]) => asBytes(textOfCell(cell ?? '')))).toEqual(
      rows.map(([text]) => asBytes(text)),
    );
  });

  test('Long texts come in pieces that are not long', () => {
    for (const format of ['json', 'ndjson', 'csv'] as const) {
      for (const piece of rowsPieces(format, roles, rows)) expect(piece.length).toBeLessThan(500_000);
    }
  });
});

describe('rows as Parquet', () => {
  test('Rows as Parquet have typed columns with their values', async () => {
    const path = join(folder, 'typed.parquet');
    await writeFile(path, await bytesOf('parquet', exported, [one], [empty]));
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    try {
      const connection = await instance.connect();
      const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
      expect(described.getRows().map(([name, type]) => [name, type])).toEqual([
        ['date_level_not_set', 'BOOLEAN'],
        ['pr_title', 'VARCHAR'],
        ['pr_created_at', 'TIMESTAMP WITH TIME ZONE'],
        ['coding_time', 'DOUBLE'],
        ['team_names', 'JSON'],
        ['is_promotion_pr', 'BOOLEAN'],
        ['additions', 'BIGINT'],
        ['ai_pct_of_code', 'DOUBLE'],
        ['pr_count', 'BIGINT'],
      ]);
      const cells = await connection.runAndReadAll(
        `SELECT * REPLACE (epoch(pr_created_at) AS pr_created_at, team_names::VARCHAR AS team_names,
           additions::DOUBLE AS additions, pr_count::DOUBLE AS pr_count) FROM read_parquet('${path}')`,
      );
      expect(cells.getRows()).toEqual([
        [true, 'Fix, "all"\nof it', 1_706_695_200, 93_845, '["Core","Web"]', true, -3, 0.25, 1],
        [true, null, null, null, null, null, null, null, 0],
      ]);
    } finally {
      instance.closeSync();
    }
  });

  test('Rows as Parquet hold a day as a day, and no rows at all when there are none', async () => {
    const columns = flatColumns(asking({ of: 'review-rate', level: 'day' }).columns);
    const path = join(folder, 'days.parquet');
    await writeFile(path, await bytesOf('parquet', columns));
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    try {
      const connection = await instance.connect();
      const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
      expect(described.getRows().map(([name, type]) => [name, type])).toEqual([
        ['day_date', 'DATE'],
        ['review_rate', 'DOUBLE'],
      ]);
      expect((await connection.runAndReadAll(`SELECT 1 FROM read_parquet('${path}')`)).getRows()).toEqual([]);
    } finally {
      instance.closeSync();
    }
  });

  test('Rows as Parquet leave nothing behind, neither when all was taken nor when nobody takes more nor when rows fail', async () => {
    const left = () => readdirSync(folder).filter((name) => name.startsWith('answer-'));
    await bytesOf('parquet', roles, [['x', 1]]);
    expect(left()).toEqual([]);

    const pieces = answerPieces('parquet', { columns: roles, batches: batchesOf([['x', 1]]) }, scratch());
    await pieces.next();
    expect(left()).toHaveLength(1);
    await pieces.return(undefined);
    expect(left()).toEqual([]);

    async function* failing(): AsyncGenerator<readonly AnswerRow[]> {
      yield [['x', 1]];
      throw new Error('the engine is away');
    }
    await expect(answerPieces('parquet', { columns: roles, batches: failing() }, scratch()).next()).rejects.toThrow(
      'the engine is away',
    );
    expect(left()).toEqual([]);
  });
});

describe('a large answer', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i): AnswerRow => [`Title ${i}`, i]);

  test.each(answerFormats)('A large answer has the same bytes in %s however its rows come', async (format) => {
    const all = rows(5_000);
    const whole = await bytesOf(format, roles, all);
    const parts = await bytesOf(format, roles, [], all.slice(0, 1), all.slice(1, 3_333), [], all.slice(3_333));
    expect(parts.equals(whole)).toBe(true);
    if (format !== 'parquet') expect(rowsText(format, roles, all)).toBe(whole.toString('utf8'));
  });

  test('A large answer in JSON is what JSON.stringify makes of its objects, whatever is in it', async () => {
    const row = fc.tuple(fc.option(fc.string({ unit: 'binary' })), fc.option(fc.double()));
    const columns = flatColumns(asking({ of: 'cycle-time avg', by: ['pr_title'] }).columns);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row)), async (batches) => {
        const objects = batches.flat().map(rowReader(columns));
        expect(await textOf('json', columns, ...batches)).toBe(JSON.stringify(objects));
      }),
    );
  });

  test.each(['json', 'ndjson', 'csv'] as const)(
    'comes in pieces in %s, and rows are asked for only as they are taken',
    async (format) => {
      let asked = 0;
      async function* endless(): AsyncGenerator<readonly AnswerRow[]> {
        for (;;) {
          asked += 1;
          yield rows(1_000);
        }
      }
      const pieces = answerPieces(format, { columns: roles, batches: endless() }, scratch());
      for (let i = 0; i < 20; i += 1) {
        const { value } = await pieces.next();
        expect(String(value).length).toBeLessThan(128 * 1024);
      }
      await pieces.return(undefined);
      expect(asked).toBeLessThan(80);
    },
  );

  test('A large answer that fails ends with the error, never as if it were whole', async () => {
    async function* failing(): AsyncGenerator<readonly AnswerRow[]> {
      yield rows(3);
      throw new Error('the engine is away');
    }
    const taken: string[] = [];
    const take = async () => {
      for await (const piece of answerPieces('json', { columns: roles, batches: failing() }, scratch()))
        taken.push(String(piece));
    };
    await expect(take()).rejects.toThrow('the engine is away');
    expect(taken.join('')).not.toContain(']');
  });
});
