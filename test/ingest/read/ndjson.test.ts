import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import { Refusal } from '../../../src/refusal.ts';
import { HeldObjects } from '../../setup/held-objects.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { filesIn, fromStdin, linesOf, linesUntilRefusal, pieces, temporaryFolder } from './temporary-files.ts';

const { read, written } = filesIn(temporaryFolder());

describe('NDJSON', () => {
  test('NDJSON numbers physical lines from 1 and passes blank ones over', async () => {
    expect(await read('blank.ndjson', '\n{"a":1}\n\n   \n\t\n{"a":2}\n\n')).toEqual([
      { line: 2, value: { a: 1 } },
      { line: 6, value: { a: 2 } },
    ]);
  });

  test('NDJSON takes CRLF, a byte order mark and a last line without an ending', async () => {
    expect(await read('windows.ndjson', '\ufeff{"a":1}\r\n\r\n{"a":"\ufeff"}')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 3, value: { a: '\ufeff' } },
    ]);
  });

  test.each([
    ['empty', ''],
    ['a mark alone', '\ufeff'],
    ['part of a mark', Buffer.from([0xef])],
    ['line endings', '\r\n\n'],
  ])('NDJSON of %s holds no record', async (_, content) => {
    const lines = await read('nothing.ndjson', content);
    expect(lines.filter((line) => 'value' in line)).toEqual([]);
  });

  test('NDJSON keeps what is not an object: whether it is a record is not for the file to say', async () => {
    expect(await read('values.ndjson', '1\nnull\n"x"\n[1]\n')).toEqual(
      [1, null, 'x', [1]].map((value, at) => ({ line: at + 1, value })),
    );
  });

  test('NDJSON reports malformed JSON by line, with the line as it stood, and reads on', async () => {
    const lines = await read('malformed.ndjson', '{"a":1}\n{"a":\n{a:1}\n{"a":1} x\n{"a":NaN}\n\u0000\n{"a":2}\n');
    expect(lines.map((line) => ('problem' in line ? line.raw : line.value))).toEqual([
      { a: 1 },
      '{"a":',
      '{a:1}',
      '{"a":1} x',
      '{"a":NaN}',
      '\u0000',
      { a: 2 },
    ]);
    expect(lines[1]).toMatchObject({ line: 2, problem: expect.stringMatching(/^is not JSON: \w+/) });
  });

  test('NDJSON reports bytes that are not UTF-8 as a problem of their line alone', async () => {
    const content = Buffer.concat([
      Buffer.from('{"a":"ä"}\n{"a":"'),
      Buffer.from([0xe4, 0xff]),
      Buffer.from('"}\r\n{"a":"€"}\n{"a":"'),
      // A surrogate and an overlong slash, which a lenient decoder lets through.
      Buffer.from([0xed, 0xa0, 0x80, 0xc0, 0xaf]),
      Buffer.from('"}'),
    ]);
    expect(await read('latin1.ndjson', content)).toEqual([
      { line: 1, value: { a: 'ä' } },
      { line: 2, problem: 'is not valid UTF-8', raw: '{"a":"\ufffd\ufffd"}' },
      { line: 3, value: { a: '€' } },
      { line: 4, problem: 'is not valid UTF-8', raw: expect.stringContaining('{"a":"') },
    ]);
  });

  test('NDJSON in UTF-16 is refused, with what to do', async () => {
    const path = written('utf16.ndjson', Buffer.from('\ufeff{"a":1}\n', 'utf16le'));
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(path));
    expect(lines).toEqual([]);
    expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringContaining('Save it as UTF-8') });
  });

  test('NDJSON reports nesting that would overflow the stack of whoever prints it', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const lines = await read('deep.ndjson', [nested(64), nested(65), nested(200_000), '{"a":1}'].join('\n'));
    expect(lines.map((line) => 'problem' in line)).toEqual([false, true, true, false]);
    expect(() => JSON.stringify(lines)).not.toThrow();
  });

  test('NDJSON keeps a field named __proto__ a field', async () => {
    const [line] = await read('proto.ndjson', '{"__proto__":{"is_bot":true},"constructor":1}');
    expect(Object.keys((line as { value: object }).value)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).is_bot).toBeUndefined();
  });

  test('NDJSON does not hold a line that never ends, and reads the next one', async () => {
    const pieces = times(20, 300);
    const held = new HeldObjects();
    const bytesHeld = () => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    const before = bytesHeld();
    let [maxPieces, maxBytes] = [0, 0];
    async function* endless() {
      yield Buffer.from('{"a":1}\n{"a":"');
      for (let written = 1; written <= pieces; written++) {
        maxBytes = Math.max(maxBytes, bytesHeld() - before);
        if (written % 10 === 0) maxPieces = Math.max(maxPieces, await held.count());
        const piece = Buffer.alloc(1024 * 1024, 'x');
        held.watch(piece.buffer);
        yield piece;
      }
      yield Buffer.from('"}\n{"a":3}\n');
    }
    const lines = await linesOf(fromStdin(endless()));
    expect(lines).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, problem: 'is longer than 8 MiB', raw: expect.stringMatching(/^\{"a":"x{900,1000}…$/) },
      { line: 3, value: { a: 3 } },
    ]);
    // The limit of a line is eight pieces; one more is on its way.
    expect(maxPieces).toBeGreaterThan(0);
    expect(maxPieces).toBeLessThanOrEqual(10);
    if (isLong) expect(maxBytes).toBeLessThan(150 * 1024 * 1024);
  });

  test('NDJSON takes a line of exactly the limit', async () => {
    const fitting = JSON.stringify('x'.repeat(8 * 1024 * 1024 - 2));
    const lines = await read('limit.ndjson', `${fitting}\n${fitting.slice(0, -1)}x"\n`);
    expect(lines.map((line) => 'problem' in line)).toEqual([false, true]);
  });
});

describe('properties of NDJSON', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const json = (values: readonly unknown[], ending = '\n') => values.map((one) => JSON.stringify(one)).join(ending);

  test('Any values written one a line read back the same, packed or not, whatever the line ending', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.boolean(),
        async (values, ending, gzip) => {
          const text = json(values, ending);
          const lines = gzip ? await read('any.ndjson.gz', gzipSync(text)) : await read('any.ndjson', text);
          const step = ending === '\n\n' ? 2 : 1;
          expect(lines).toEqual(
            values.map((one, at) => ({ line: at * step + 1, value: JSON.parse(JSON.stringify(one)) })),
          );
        },
      ),
      { numRuns: times(30, 150) },
    );
  });

  test('NDJSON reads the same wherever a chunk of standard input ends, hostile bytes among it', async () => {
    const someLines = fc.array(
      fc.oneof(
        value.map((one) => Buffer.from(JSON.stringify(one))),
        fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
        fc.constant(Buffer.from('\ufeff')),
      ),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(someLines, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), async (parts, cuts, gzip) => {
        const plain = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
        // Two members, since a packed log is often several of them.
        const middle = Math.floor(plain.length / 2);
        const bytes = gzip
          ? Buffer.concat([gzipSync(plain.subarray(0, middle)), gzipSync(plain.subarray(middle))])
          : plain;
        const isRefused = (error: unknown) => {
          if (error instanceof Refusal) return error.message;
          throw error;
        };
        const whole = await linesOf(fromStdin([bytes])).catch(isRefused);
        expect(await linesOf(fromStdin(pieces(bytes))).catch(isRefused)).toEqual(whole);
        expect(await linesOf(fromStdin(pieces(bytes, cuts))).catch(isRefused)).toEqual(whole);
      }),
      { numRuns: times(30, 150) },
    );
  });
});

describe('standard input', () => {
  test('Standard input has no size, counts its bytes and takes text chunks too', async () => {
    const { Readable } = await import('node:stream');
    const file = openRecordFile('-', { stdin: Readable.from(['{"a":"', 'ä"}\n', '{}']) });
    expect(file.form).toBe('json');
    expect(file.bytesTotal).toBeUndefined();
    expect(await linesOf(file)).toEqual([
      { line: 1, value: { a: 'ä' } },
      { line: 2, value: {} },
    ]);
    expect(file.bytesRead()).toBe(13);
  });

  test('Standard input that fails midway is refused after its whole lines', async () => {
    const { Readable } = await import('node:stream');
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('{"a":1}\n{"a":');
        throw Object.assign(new Error('gone'), { code: 'EIO' });
      })(),
    );
    const { lines, refusal } = await linesUntilRefusal(openRecordFile('-', { stdin: failing }));
    expect(lines).toEqual([{ line: 1, value: { a: 1 } }]);
    expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringMatching(/after line 1.*EIO/) });
  });
});
