import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonDocumentLines } from '../../../src/ingest/read/json-document.ts';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import type { FileLine } from '../../../src/ingest/read/text-lines.ts';
import { times } from '../../setup/how-long.ts';
import { filesIn, linesUntilRefusal, pieces, temporaryFolder } from './temporary-files.ts';

const { read, written } = filesIn(temporaryFolder());

async function fromChunks(chunks: Iterable<Uint8Array>): Promise<FileLine[]> {
  const lines: FileLine[] = [];
  const bytes = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  for await (const line of jsonDocumentLines(bytes)) lines.push(line);
  return lines;
}

describe('a .json file', () => {
  test('A .json file may be one array, and each item has the line it begins on', async () => {
    expect(await read('array.json', '\ufeff\n [ {"a": "],}\\"["},\r\n\n{\n"a":\n[2]} ,3,"x"\n]\n\n')).toEqual([
      { line: 2, value: { a: '],}"[' } },
      { line: 4, value: { a: [2] } },
      { line: 6, value: 3 },
      { line: 6, value: 'x' },
    ]);
    expect(await read('none.json', ' [ \n ] ')).toEqual([]);
    expect(await read('empty.json', '')).toEqual([]);
  });

  test('A .json file may be one record a line', async () => {
    expect(await read('lines.json', '\n\n{"a":1}\n{"a":2}')).toEqual([
      { line: 3, value: { a: 1 } },
      { line: 4, value: { a: 2 } },
    ]);
  });

  test('A .json file may be objects over several lines, or pages of a listing without a break between them', async () => {
    expect(await read('spread.json', '\n{\n "a": "}{\\""\n}\nx\n{\n"a": 2}')).toEqual([
      { line: 2, value: { a: '}{"' } },
      { line: 5, problem: expect.stringContaining('is not JSON'), raw: 'x' },
      { line: 6, value: { a: 2 } },
    ]);
    expect(await read('pages.json', '{"total_count":2,"x":[1]}{"total_count":2,"x":[2]}')).toEqual([
      { line: 1, value: { total_count: 2, x: [1] } },
      { line: 1, value: { total_count: 2, x: [2] } },
    ]);
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(written('half.json', '{\n"a":1}\n{"a"')));
    expect([lines, refusal]).toMatchObject([[{ line: 1 }], { message: expect.stringContaining('not closed') }]);
  });

  test('A .json file reports a bad item and reads on', async () => {
    const bytes = Buffer.concat([
      Buffer.from('[{"a":1},\n{a:2},\n{"b":1} {"b":2},\n,\n"'),
      Buffer.from([0xff]),
      Buffer.from('",\n7,\n]'),
    ]);
    const lines = await read('bad.json', bytes);
    expect(lines.map((line) => ('problem' in line ? [line.line, line.problem.slice(0, 11)] : line.value))).toEqual([
      { a: 1 },
      [2, 'is not JSON'],
      [3, 'is not JSON'],
      [4, 'is empty: a'],
      [5, 'is not vali'],
      7,
      [7, 'is empty: a'],
    ]);
  });

  test('A .json file does not hold an item beyond the limit, and reads the next one', async () => {
    const lines = await read('huge.json', `[{"a":["${'x'.repeat(9 * 1024 * 1024)}"]},\n{"a":2}]`);
    expect(lines).toEqual([
      { line: 1, problem: 'is longer than 8 MiB', raw: expect.stringMatching(/^.{900,1100}…$/) },
      { line: 2, value: { a: 2 } },
    ]);
  });

  test.each([
    ['is cut short', '[{"a":1},\n{"a":2', 'broke off after line 1: its array is not closed'],
    ['ends inside a text', '[{"a":1},\n"', 'its array is not closed'],
    ['closes one bracket too few', '[{"a":1},\n{"b":[}]', 'its array is not closed'],
    ['goes on after its end', '[{"a":1}]\n{"a":2}', 'something follows the end of its array'],
    ['closes twice', '[{"a":1}]]', 'something follows'],
  ])('A .json file whose array %s is refused after the good items', async (_, content, message) => {
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(written('cut.json', content)));
    expect(lines).toEqual([{ line: 1, value: { a: 1 } }]);
    expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringContaining(message) });
  });

  test('Any array, however it is laid out and cut into chunks, reads back the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(undefined, 1, '\t'),
        fc.array(fc.nat(), { maxLength: 5 }),
        async (values, indent, cuts) => {
          const bytes = Buffer.from(JSON.stringify(values, null, indent));
          const expected = JSON.parse(bytes.toString());
          const lines = await fromChunks(pieces(bytes));
          expect(lines.map((line) => ('value' in line ? line.value : line))).toEqual(expected);
          expect(await fromChunks(pieces(bytes, cuts))).toEqual(lines);
          const texts = bytes.toString().split('\n');
          for (const { line } of lines) expect(texts[line - 1]?.trim()).not.toBe('');
        },
      ),
      { numRuns: times(60, 150) },
    );
  });
});
