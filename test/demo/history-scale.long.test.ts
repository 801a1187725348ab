import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { demoHistory } from '../../src/demo/history/demo-history.ts';
import { options as ofTests } from './some-history.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const megabytes = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
};

describe('a large history', () => {
  test('A large history is made without keeping what was made', () => {
    const options = { seed: 'plumb', scale: 20 };
    const largest = demoOrganisations(options).find(({ slug }) => slug === 'harrow-and-tide');
    if (!largest) throw new Error('the largest organisation is gone');
    const to = 400;
    const measured: number[] = [];
    let batches = 0;
    for (const { tables } of demoHistory(largest, { ...options, until: ofTests.until, maxRows: 5_000 })) {
      batches += 1;
      expect(tables.reduce((sum, { records }) => sum + records.length, 0)).toBeLessThan(5_200);
      // Measured inside: a history that is left has nothing to keep any more.
      if (batches % 20 === 0) measured.push(megabytes());
      if (batches === to) break;
    }
    expect(batches).toBe(to);
    // Keeping only the merges of days that are over would take twice that.
    expect(Math.max(...measured) - (measured[0] ?? 0)).toBeLessThan(5);
  });
});
