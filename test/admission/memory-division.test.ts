import { expect, test } from 'vitest';
import {
  defaultMemory,
  divideMemory,
  memoryOfMachine,
  minMemory,
  readMemory,
} from '../../src/admission/memory-division.ts';

const gibibyte = 2 ** 30;

/** What Node.js, the code and the engines' libraries take before anything is done: measured. */
const codeBytes = 120e6;

test.each([minMemory, 1e9, 4 * gibibyte, 64 * gibibyte])('%d bytes are enough for all parts and the code', (total) => {
  const { total: all, ...parts } = divideMemory(total);
  const sum = Object.values(parts).reduce((so, part) => so + part, 0);
  expect(all).toBe(total);
  expect(sum + codeBytes).toBeLessThanOrEqual(1.25 * total);
  if (total > 2e9) expect(sum).toBeLessThanOrEqual(0.9 * total);
  expect(Math.min(...Object.values(parts))).toBeGreaterThan(5e6);
});

test('A container that has less than its machine decides, and no limit is none', () => {
  expect(memoryOfMachine(2 * gibibyte, 8 * gibibyte)).toBe(2 * gibibyte);
  expect(memoryOfMachine(0, 8 * gibibyte)).toBe(8 * gibibyte);
  // What Node.js tells in a control group without a limit.
  expect(memoryOfMachine(18_446_744_073_709_552_000, 8 * gibibyte)).toBe(8 * gibibyte);
  expect(defaultMemory()).toBe(Math.max(minMemory, Math.floor(memoryOfMachine() / 2)));
});

test.each([
  ['512MB', 512e6],
  ['4 GiB', 4 * gibibyte],
  ['1gb', 1e9],
  ['0GB', undefined],
  ['1.5GB', undefined],
  ['lots', undefined],
])('%s is %s bytes', (text, bytes) => {
  expect(readMemory(text)).toBe(bytes);
});
