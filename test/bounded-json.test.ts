import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonLimits, readJson } from '../src/bounded-json.ts';
import { times } from './setup/how-long.ts';

const roomy: JsonLimits = { depth: 1_000, values: 1_000_000 };

const plainly = (text: string): unknown => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: expect.stringMatching(/^is not JSON: ./) };
  }
};

describe('JSON within limits', () => {
  test('JSON within limits is what the engine makes of it, in whatever pieces it is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 6, noUnicodeString: false }),
        fc.constantFrom('', ' ', '\n\t'),
        fc.integer({ min: 1, max: 60 }),
        async (text, blank, maxPieceLength) => {
          const laidOut = `${blank}${JSON.stringify(JSON.parse(text), null, blank)}${blank}`;
          expect(await readJson(laidOut, roomy, maxPieceLength)).toEqual({ value: JSON.parse(laidOut) });
        },
      ),
      { numRuns: times(40, 10_000) },
    );
  });

  test('JSON within limits is refused where the engine refuses it, in whatever pieces it is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', 'x', '1', '\\', ' '),
        fc.integer({ min: 1, max: 30 }),
        async (text, place, change, maxPieceLength) => {
          const at = place % (text.length + 1);
          const changed = text.slice(0, at) + change + text.slice(at + 1);
          expect(await readJson(changed, roomy, maxPieceLength)).toEqual(plainly(changed));
        },
      ),
      { numRuns: times(1_000, 60_000) },
    );
  });

  test('A field of any name is a field', async () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"a":[1,2,3],"a":3}';
    const reading = await readJson(text, roomy, 4);
    expect(JSON.stringify(reading)).toBe('{"value":{"__proto__":{"a":1},"constructor":2,"a":3}}');
    expect(Object.getPrototypeOf('value' in reading ? reading.value : null)).toBe(Object.prototype);
  });

  test.each([10, 1_000_000])(
    'JSON within limits in pieces of %d, has a depth and a number of values',
    async (maxPieceLength) => {
      const limits = { depth: 4, values: 20 };
      const list = (values: number) => `[${Array.from({ length: values }, () => '12').join(',')}]`;
      const nested = (depth: number) => `${'['.repeat(depth)}123456789${']'.repeat(depth)}`;
      expect(await readJson(nested(4), limits, maxPieceLength)).toEqual({ value: [[[[123456789]]]] });
      expect(await readJson(nested(5), limits, maxPieceLength)).toEqual({ problem: 'is nested deeper than 4 levels' });
      expect(await readJson(list(19), limits, maxPieceLength)).toMatchObject({ value: { length: 19 } });
      expect(await readJson(list(20), limits, maxPieceLength)).toEqual({ problem: 'has more than 20 values' });
      const brackets = JSON.stringify(['[[[[[[', ',,,,,,,,,,,,,,,,,,,,,,,,', '\\"[[[[[[']);
      expect(await readJson(brackets, limits, maxPieceLength)).toEqual({ value: JSON.parse(brackets) });
    },
  );

  test('A long text is what the engine makes of it, wherever its escapes stand', async () => {
    const bits = ['\\', '"', '\u001b', '\n', 'ä', '😀', 'x', '\ud800'].join('');
    const isRead = async (text: string) => {
      const escaped = JSON.stringify({ text }).replaceAll('😀', '\\ud83d\\ude00');
      expect(await readJson(escaped, roomy)).toEqual({ value: { text } });
    };
    // Escaped they take 32 characters, and a text is cut each 262,144: at each of the 32, one after the other.
    for (let shift = 0; shift < 32; shift += 1) await isRead('x'.repeat(shift) + bits.repeat(times(8_200, 60_000)));
    for (const shift of [0, 1]) await isRead('x'.repeat(shift) + bits.repeat(8_200) + '\\'.repeat(300_001));
    expect(await readJson(`["${'x'.repeat(600_000)}\\q"]`, roomy)).toEqual({
      problem: expect.stringMatching(/^is not JSON/),
    });
    expect(await readJson(`["${'x'.repeat(600_000)}`, roomy)).toHaveProperty('problem');
  });

  test('A number has an end', async () => {
    expect(await readJson(`[${'9'.repeat(1_000_000)}]`, roomy)).toEqual({
      problem: 'is not JSON: what begins at character 2 has more than 1000 characters',
    });
  });
});
