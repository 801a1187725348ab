import { expect, test } from 'vitest';
import { maxLogSize } from '../../../src/warehouse/duckdb/limits.ts';

test('The log of an organisation is an eighth of the memory of the engine, between two bounds', () => {
  expect(maxLogSize('138MiB')).toBe('64MiB');
  expect(maxLogSize('800MiB')).toBe('100MiB');
  expect(maxLogSize('8192MiB')).toBe('128MiB');
});
