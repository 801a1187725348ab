import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLines } from '../../../src/ingest/read/csv.ts';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import type { FileLine } from '../../../src/ingest/read/text-lines.ts';
import { Refusal } from '../../../src/refusal.ts';
import { times } from '../../setup/how-long.ts';
import { filesIn, linesOf, linesUntilRefusal, pieces, temporaryFolder } from './temporary-files.ts';

const { read, written } = filesIn(temporaryFolder());

async function fromChunks(chunks: Iterable<Uint8Array>): Promise<FileLine[]> {
  const lines: FileLine[] = [];
  const bytes = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  for await (const line of csvLines(bytes, 'a.csv')) lines.push(line);
  return lines;
}

describe('CSV', () => {
  test('CSV makes records of its rows, all text, with empty cells kept', async () => {
    expect(await read('plain.csv', 'name, age ,emails\nAda,36,"[""ada@example.com"", ""a@b""]"\n,, \n')).toEqual([
      { line: 2, value: { name: 'Ada', age: '36', emails: '["ada@example.com", "a@b"]' } },
      { line: 3, value: { name: '', age: '', emails: ' ' } },
    ]);
  });

  test('CSV numbers a row by the physical line it begins on, past blank lines and line breaks in quotes', async () => {
    const content = '\ufeffa,b\r\n\r\n1,"x\r\ny\nz"\r\n2,""\r\n  \r\n"3","""\r\n"""\n4,4';
    expect(await read('lines.csv', content)).toEqual([
      { line: 3, value: { a: '1', b: 'x\r\ny\nz' } },
      { line: 6, value: { a: '2', b: '' } },
      { line: 8, value: { a: '3', b: '"\r\n"' } },
      { line: 10, value: { a: '4', b: '4' } },
    ]);
  });

  test('CSV reports rows with too many or too few cells, and reads on', async () => {
    expect(await read('cells.csv', 'a,b\n1,2,3\n1\n"x\ny"\n1,2\n')).toEqual([
      { line: 2, problem: 'has 3 cells, the header has 2', raw: '1,2,3' },
      { line: 3, problem: 'has 1 cell, the header has 2', raw: '1' },
      { line: 4, problem: 'has 1 cell, the header has 2', raw: '"x\ny"' },
      { line: 6, value: { a: '1', b: '2' } },
    ]);
  });

  test('CSV reports a quote out of place as a problem of its own row', async () => {
    const lines = await read('quotes.csv', 'a,b\n5" screen,1\n"x"y,2\n "x",3\n"say "hi" you",4\n"ok",5\n');
    expect(lines.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect(lines.map((line) => ('problem' in line ? line.problem.slice(0, 20) : line.value))).toEqual([
      'has a quote inside a',
      'has text after the c',
      'has a quote inside a',
      'has text after the c',
      { a: 'ok', b: '5' },
    ]);
    expect(lines[0]).toMatchObject({ raw: '5" screen,1' });
  });

  test('CSV never makes rows of lines inside a quoted cell, even of a bad one', async () => {
    const lines = await read('inside.csv', 'a,b\n1,"text\n2,evil\n3,evil\n" oops\n4,good\n');
    expect(lines).toEqual([
      {
        line: 2,
        problem: expect.stringMatching(/after the closing quote.*lines 2 to 5 were read as one row/),
        raw: '1,"text\n2,evil\n3,evil\n" oops',
      },
      { line: 6, value: { a: '4', b: 'good' } },
    ]);
  });

  test('CSV reports a quote that is never closed, with all it swallowed', async () => {
    expect(await read('open.csv', 'a,b\n1,1\n2,"x\n3,3\n4,4\n')).toEqual([
      { line: 2, value: { a: '1', b: '1' } },
      { line: 3, problem: expect.stringMatching(/never closed.*lines 3 to 5/), raw: '2,"x\n3,3\n4,4' },
    ]);
  });

  test('CSV gives up on a quote that is not closed within 8 MiB, and reads on', async () => {
    const row = '1,"'.concat('x'.repeat(1021));
    const lines = await read('open-long.csv', `a,b\n${row}\n${`${'y'.repeat(1023)}\n`.repeat(16 * 1024)}2,2\n`);
    expect(lines[0]).toMatchObject({ line: 2, problem: expect.stringContaining('not closed within 8 MiB') });
    expect(lines.at(-1)).toEqual({ line: 16 * 1024 + 3, value: { a: '2', b: '2' } });
  });

  test('CSV reports a row longer than 8 MiB and one that is not UTF-8', async () => {
    const content = Buffer.concat([
      Buffer.from('a,b\n1,1\n2,'),
      Buffer.alloc(17 * 1024 * 1024, 'x'),
      Buffer.from('\n3,"x\n'),
      Buffer.from([0xe4]),
      Buffer.from('"\n4,4'),
    ]);
    const lines = await read('long.csv', content);
    expect(lines.map((line) => [line.line, 'problem' in line ? line.problem : 'fine'])).toEqual([
      [2, 'fine'],
      [3, 'is longer than 8 MiB'],
      [4, 'is not valid UTF-8 (lines 4 to 5 were read as one row)'],
      [6, 'fine'],
    ]);
  });

  test.each([
    ['', 'is empty'],
    ['\n\n', 'is empty'],
    ['a,,b\n1,2,3', 'has no name for column 2'],
    ['a,b,\n1,2,3', 'has no name for column 3'],
    ['""\n1', 'has no name for column 1'],
    ['a;b\n1;2', 'not by semicolons'],
    ['a\tb\n1\t2', 'not by semicolons or tabs'],
    ['a,b\r1,2\r', 'line break inside a column name'],
    ['"a,b\n1,2', 'never closed'],
  ])('CSV with the header of %j is refused', async (content, message) => {
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(written('header.csv', content)));
    expect(lines).toEqual([]);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringContaining(message) });
  });

  test('CSV with a repeated column has a list of its cells that are not empty', async () => {
    const lines = await read('repeated.csv', 'a,b, a ,a\n1,2,,3\n,,,\n');
    expect(lines).toEqual([
      { line: 2, value: { a: ['1', '3'], b: '2' } },
      { line: 3, value: { a: [], b: '' } },
    ]);
  });

  test('CSV with more than 10,000 columns is refused', async () => {
    const { refusal } = await linesUntilRefusal(openRecordFile(written('wider.csv', `${'a,'.repeat(10_000)}a\n`)));
    expect(refusal).toMatchObject({ message: expect.stringContaining('has 10,001 columns: at most 10,000') });
  });

  test('CSV with one name repeated over all columns takes no longer than with any names', async () => {
    const cells = Array.from({ length: 10_000 }, (_, at) => `${at}`);
    const content = `${'a,'.repeat(9_999)}a\n${`${cells.join(',')}\n`.repeat(20)}`;
    const began = performance.now();
    const lines = await read('wide.csv', content);
    // Cells that are compared with one another take twenty times as long.
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(lines).toHaveLength(20);
    expect(lines[0]).toEqual({ line: 2, value: { a: cells } });
  });

  test('CSV of a header alone holds no record', async () => {
    expect(await read('alone.csv', 'a,b\n')).toEqual([]);
  });

  test('CSV keeps a column named __proto__ a column', async () => {
    const [line] = await read('proto.csv', '__proto__,a\nx,y\n');
    expect(Object.entries((line as { value: object }).value)).toEqual([
      ['__proto__', 'x'],
      ['a', 'y'],
    ]);
  });

  test('CSV of thousands of bad rows is still read in one go', async () => {
    const rows = times(2_000, 20_000);
    const bad = await read('bad.csv', `a,b\n${'x"y,1\n'.repeat(rows)}1,1\n`);
    expect(bad).toHaveLength(rows + 1);
    expect(bad.filter((line) => 'value' in line)).toEqual([{ line: rows + 2, value: { a: '1', b: '1' } }]);
  });
});

describe('properties of CSV', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'x', '\ufeff'), maxLength: 8 }),
  );
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
    );
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const namesOf = (rows: readonly string[][]) => (rows[0] ?? []).map((_, at) => `c${at}`);

  test('Any cells written by the rules read back the same, packed or not, in whatever chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.array(fc.nat()),
        async (rows, ending, gzip, cuts) => {
          const names = namesOf(rows);
          const text = [names, ...rows.map((row) => row.map(quoted))].map((row) => row.join(',')).join(ending);
          const bytes = Buffer.from(text);
          const lines = gzip ? await read('any.csv.gz', gzipSync(text)) : await read('any.csv', text);
          expect(lines.map((line) => ('value' in line ? line.value : line))).toEqual(
            rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value]))),
          );
          let begins = 2;
          for (const [at, row] of rows.entries()) {
            expect(lines[at]?.line).toBe(begins);
            begins += 1 + (row.join('').match(/\n/g)?.length ?? 0);
          }
          expect(await fromChunks(pieces(bytes))).toEqual(lines);
          expect(await fromChunks(pieces(bytes, cuts))).toEqual(lines);
        },
      ),
      { numRuns: times(30, 150) },
    );
  });

  test('Any text at all is read without failing, and every row the parser takes whole is read as the parser does', async () => {
    const soup = fc.string({ unit: fc.constantFrom('"', '"', ',', '\n', '\r\n', 'x', 'y', ' '), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(soup, async (text) => {
        const lines = await fromChunks([Buffer.from(`a,b\n${text}`)]);
        const numbers = lines.map(({ line }) => line);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        let reference: string[][];
        try {
          reference = parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
        } catch {
          expect(lines.some((line) => 'problem' in line)).toBe(true);
          return;
        }
        // A line of blanks is one cell to the parser and nothing here.
        const rows = reference.filter((cells) => cells.length === 2);
        expect(lines.flatMap((line) => ('value' in line ? [Object.values(line.value as object)] : []))).toEqual(rows);
      }),
      { numRuns: times(80, 500) },
    );
  });

  test('Bytes that are no text make problems, never a crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const content = Buffer.concat([Buffer.from('a,b\n'), bytes]);
        const whole = await fromChunks([content]);
        expect(await fromChunks(pieces(content))).toEqual(whole);
      }),
      { numRuns: times(50, 300) },
    );
  });
});

test('A CSV file of very many rows is read as it is consumed', async () => {
  const rows = times(6_000, 200_000);
  let text = 'pr_id,pr_title\n';
  const row = (at: number) => `pr-${at},"a ""title"", with commas"\n`;
  for (let at = 0; at < rows; at++) text += row(at);
  const file = openRecordFile(written('many.csv', text));
  let consumed = 'pr_id,pr_title\n'.length;
  let maxAhead = 0;
  let at = 0;
  for await (const line of file.lines()) {
    if (at === 5_567)
      expect(line).toEqual({ line: at + 2, value: { pr_id: `pr-${at}`, pr_title: 'a "title", with commas' } });
    consumed += row(at++).length;
    maxAhead = Math.max(maxAhead, file.bytesRead() - consumed);
  }
  expect(at).toBe(rows);
  expect(maxAhead).toBeLessThanOrEqual(2 * 65_536);
  expect(await linesOf(file).then((lines) => lines.length)).toBe(rows);
});
