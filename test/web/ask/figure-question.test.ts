import { expect, test } from 'vitest';
import { noPoint, recorded } from '../../../web/src/ask/figure-question.ts';

test('A share of 0 % is shown where a bucket has one, and is not known where none has', () => {
  const nobody = { value: 0, n: 7 };
  expect(recorded('adoption-rate', nobody, [noPoint, nobody])).toEqual(nobody);
  // Other metrics of the same answer may have a row for a bucket.
  expect(recorded('adoption-rate', nobody, [noPoint, { value: null, n: 7 }])).toEqual(noPoint);
  expect(recorded('review-rate', nobody, [noPoint])).toEqual(nobody);
});
