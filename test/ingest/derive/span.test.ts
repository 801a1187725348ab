import { expect, test } from 'vitest';
import { closedSpan } from '../../../src/ingest/derive/span.ts';

test.each([
  [10, 25, 15],
  [10, 10, 0],
  [25, 10, 0],
  [0, 5, 5],
  [null, 10, null],
  [10, null, null],
  [null, null, null],
])('From %s to %s is %s', (from, to, span) => {
  expect(closedSpan(from, to)).toBe(span);
});
