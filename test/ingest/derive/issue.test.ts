import { expect, test } from 'vitest';
import { issueCycleTime } from '../../../src/ingest/derive/row-derivations.ts';

test.each([
  ['runs from creation to completion', 100, 400, 300],
  ['is nothing when it was completed before it was created', 400, 100, 0],
  ['is missing while it is not completed', 100, null, null],
  ['is missing when its creation is not known', null, 400, null],
])('The cycle time of an issue %s', (_, created_at, completed_at, span) => {
  expect(issueCycleTime({ created_at, completed_at })).toBe(span);
});
