import type { ShownChange } from '../../../src/conclusions/verdict-words.ts';
import type { Verdict } from '../../../src/query/verdict.ts';
import type { Measure } from '../../../web/src/ask/metric-facts.ts';

/** A number that is the better the smaller it is, beside the one before, as the server judges it. */
export const aChange = (
  now: number | null,
  before: number | null,
  verdict: Verdict | null,
  measure: Measure,
  n = 100,
): ShownChange => ({
  now: { value: now, n },
  before: { value: before, n },
  verdict,
  isBetter: verdict === 'up' || verdict === 'down' ? verdict === 'down' : null,
  measure,
});
