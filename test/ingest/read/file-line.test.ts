import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf, type FileLine } from '../../../src/ingest/read/text-lines.ts';

async function* numbered(count: number, taken = { lines: 0 }): AsyncGenerator<FileLine> {
  for (let line = 1; line <= count; line++) {
    taken.lines = line;
    yield line % 3 === 0 ? { line, problem: 'is bad', raw: 'x' } : { line, value: { line } };
  }
}

async function sizes(batches: AsyncIterable<readonly FileLine[]>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const batch of batches) lengths.push(batch.length);
  return lengths;
}

test('Lines come in batches of five thousand, the last one with the rest', async () => {
  expect(await sizes(batchesOf(numbered(12_001)))).toEqual([5_000, 5_000, 2_001]);
  expect(await sizes(batchesOf(numbered(10_000)))).toEqual([5_000, 5_000]);
  expect(await sizes(batchesOf(numbered(0)))).toEqual([]);
});

test('Batches hold every line once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (count, maxLines) => {
      const all: FileLine[] = [];
      for await (const batch of batchesOf(numbered(count), { maxLines })) all.push(...batch);
      expect(all.map(({ line }) => line)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    }),
  );
});

test('A few heavy lines make a batch, whether they are records or rejected text', async () => {
  const heavy = 'x'.repeat(6 * 1024 * 1024);
  async function* lines(): AsyncGenerator<FileLine> {
    for (let line = 1; line <= 7; line++) {
      yield line % 2 === 0 ? { line, problem: 'is bad', raw: heavy } : { line, value: { files: [{ path: heavy }] } };
    }
  }
  expect(await sizes(batchesOf(lines()))).toEqual([3, 3, 1]);
});

test('No line is taken before the batch that holds it is asked for', async () => {
  const taken = { lines: 0 };
  for await (const _ of batchesOf(numbered(100, taken), { maxLines: 10 })) break;
  expect(taken.lines).toBe(10);
});
