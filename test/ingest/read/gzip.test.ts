import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unpacked } from '../../../src/ingest/read/byte-source.ts';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { countingPackedBytes } from '../../setup/packed-bytes.ts';
import { filesIn, fromStdin, linesOf, linesUntilRefusal, pieces, temporaryFolder } from './temporary-files.ts';

const { read, written } = filesIn(temporaryFolder());

// Random enough that it does not pack to nothing, so that a cut leaves something to unpack.
const rows = times(4_000, 20_000);
const text = Array.from({ length: rows }, (_, at) => `{"a":${at},"b":${(at * 7_919) % 65_537}}\n`).join('');
const packed = gzipSync(text);
const mebibyte = 1024 * 1024;

describe('a packed file', () => {
  test('A packed file that is cut short is refused after its whole lines, naming the last', async () => {
    for (const length of [packed.length - 1, packed.length - 8, Math.floor(packed.length / 2)]) {
      const path = written('cut.ndjson.gz', packed.subarray(0, length));
      const { lines, refusal } = await linesUntilRefusal(openRecordFile(path));
      expect(lines.length).toBeGreaterThan(rows * 0.4);
      expect(lines.map((line) => ('value' in line ? (line.value as { a: number }).a : line))).toEqual(
        Array.from(lines, (_, at) => at),
      );
      expect(refusal).toMatchObject({
        reason: 'bad-input',
        message: expect.stringMatching(new RegExp(`after line ${lines.length}: .*gzip`)),
      });
    }
  });

  test('A packed file with a flipped byte is refused, unless the byte means nothing', async () => {
    const whole = await read('whole.ndjson.gz', packed);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 10, max: packed.length - 1 }), async (at) => {
        const damaged = Buffer.from(packed);
        damaged[at] = (damaged[at] ?? 0) ^ 0x10;
        const path = written('flipped.ndjson.gz', damaged);
        // The bits that fill up the last byte before the checksum are the only ones that mean nothing.
        if (at === packed.length - 9) {
          const lines = await linesOf(openRecordFile(path)).catch(() => whole);
          expect(lines).toEqual(whole);
        } else {
          const { refusal } = await linesUntilRefusal(openRecordFile(path));
          expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringContaining('gzip data is') });
        }
      }),
      { numRuns: 30, examples: [[packed.length - 9], [packed.length - 8], [packed.length - 1]] },
    );
  });

  test.each([
    ['empty', '', 'it is empty'],
    ['not packed at all', '{"a":1}\n', 'it is not gzip'],
    ['a header and no more', Buffer.from([0x1f, 0x8b]), 'cut short'],
  ])('A packed file that is %s is refused', async (_, content, message) => {
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(written('none.ndjson.gz', content)));
    expect(lines).toEqual([]);
    expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringContaining(`cannot be read: `) });
    expect(refusal).toMatchObject({ message: expect.stringContaining(message) });
  });

  test('A packed file followed by something else is refused, and by zeros is not', async () => {
    const trailing = written('trailing.ndjson.gz', Buffer.concat([packed, Buffer.from('{"a":-1}\n')]));
    const { lines, refusal } = await linesUntilRefusal(openRecordFile(trailing));
    expect(lines.length).toBeGreaterThan(rows - 2_000);
    expect(refusal).toMatchObject({ message: expect.stringContaining(`after line ${lines.length}: `) });
    for (const zeros of [1, 512, 100_000]) {
      expect(await read('padded.ndjson.gz', Buffer.concat([packed, Buffer.alloc(zeros)]))).toHaveLength(rows);
      const more = written('more.ndjson.gz', Buffer.concat([packed, Buffer.alloc(zeros), packed]));
      const { lines, refusal } = await linesUntilRefusal(openRecordFile(more));
      expect(lines).toHaveLength(rows);
      expect(refusal).toMatchObject({ message: expect.stringMatching(new RegExp(`after line ${rows}: .* follows`)) });
    }
  });

  test('A packed file may be several packed files in a row', async () => {
    const lines = await read('members.ndjson.gz', Buffer.concat([gzipSync('{"a":1}\n{"a"'), gzipSync(':2}\n')]));
    expect(lines).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, value: { a: 2 } },
    ]);
  });

  test('A packed file on standard input is recognised, in pieces of one byte, cut short or not', async () => {
    const small = gzipSync('{"a":1}\n{"a":2}\n');
    const whole: unknown[] = [];
    for await (const line of fromStdin(pieces(small)).lines()) whole.push(line);
    expect(whole).toHaveLength(2);
    const { refusal } = await linesUntilRefusal(fromStdin(pieces(small.subarray(0, -1))));
    expect(refusal).toMatchObject({ message: expect.stringMatching(/^Standard input .*gzip/) });
  });

  test('A packed file is unpacked only a little ahead of its reader, however small it is packed', async () => {
    const unpackedBytes = times(40, 64) * mebibyte;
    const bomb = gzipSync(Buffer.alloc(unpackedBytes, 'x'), { level: 9 });
    async function* atOnce() {
      yield bomb;
    }
    const maxAhead = await countingPackedBytes(async (packedBytes) => {
      let [read, most] = [0, 0];
      for await (const chunk of unpacked(atOnce(), true)) {
        read += chunk.length;
        most = Math.max(most, (packedBytes() / bomb.length) * unpackedBytes - read);
      }
      expect([read, packedBytes()]).toEqual([unpackedBytes, bomb.length]);
      return most;
    });
    expect(maxAhead).toBeGreaterThan(0);
    expect(maxAhead).toBeLessThan(17 * mebibyte);
  });

  test('A packed file of one line that is far too long is not unpacked into memory', async () => {
    const bomb = gzipSync(Buffer.alloc(times(16, 256) * mebibyte, 'x'), { level: 9 });
    expect(bomb.length).toBeLessThan(400_000);
    const path = written('bomb.ndjson.gz', Buffer.concat([bomb, bomb, gzipSync('\n{"a":2}\n')]));
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 5);
    const lines: unknown[] = [];
    for await (const line of openRecordFile(path).lines()) lines.push(line);
    clearInterval(timer);
    expect(lines).toEqual([
      { line: 1, problem: 'is longer than 8 MiB', raw: expect.any(String) },
      { line: 2, value: { a: 2 } },
    ]);
    if (!isLong) return;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(300 * mebibyte);
  });
});
