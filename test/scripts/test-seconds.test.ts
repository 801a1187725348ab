import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { longDefaults, readTestSeconds, recordTestSeconds } from '../../scripts/test-seconds.mjs';

const project = join(import.meta.dirname, '..', '..');

test('Every test file that a fresh clone begins with exists', () => {
  expect(Object.keys(longDefaults).filter((file) => !existsSync(join(project, file)))).toEqual([]);
});

test('What a run recorded counts, then what is known to take long', () => {
  const root = mkdtempSync(join(tmpdir(), 'plumb-seconds-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [[long = '', seconds] = []] = Object.entries(longDefaults);
  const usual = readTestSeconds(root)('test/usual.test.ts');
  expect(readTestSeconds(root)(long)).toBe(seconds);
  expect(usual).toBeLessThan(seconds ?? 0);
  recordTestSeconds(root, { [long]: 3 });
  recordTestSeconds(root, { 'test/other.test.ts': 4 });
  const secondsOf = readTestSeconds(root);
  expect([long, 'test/other.test.ts', 'test/usual.test.ts'].map(secondsOf)).toEqual([3, 4, usual]);
});
