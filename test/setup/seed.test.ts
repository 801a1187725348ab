import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seed } from './seed.ts';

const folder = join(import.meta.dirname, '..');
/** They hold the demo to not drawing from it. */
const forbidding = ['demo/demo-organisations.test.ts', 'demo/history.test.ts', 'setup/seed.test.ts'];

describe('random tests', () => {
  test('Random tests grow from the seed of the run, so that a failure can be repeated', () => {
    expect(Number.isInteger(seed)).toBe(true);
    expect(fc.readConfigureGlobal().seed).toBe(seed);
    const once = fc.sample(fc.string(), 20);
    expect(fc.sample(fc.string(), 20)).toEqual(once);
  });

  test('Random tests draw from nothing else', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const drawing = files.filter((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return /Math\.random|PLUMB_TEST_SEED \?\?|seed\b.*Date\.now/.test(text);
    });
    expect(drawing.filter((file) => !forbidding.includes(file))).toEqual([]);
  });
});
