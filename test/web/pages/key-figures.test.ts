import { expect, test } from 'vitest';
import { keyFigures } from '../../../src/conclusions/key-figure-words.ts';
import { addsUp, measureOf } from '../../../web/src/ask/metric-facts.ts';

test.each(keyFigures)('The overview writes $metric as the catalogue measures it', ({ metric, aggregation, ...key }) => {
  expect({ measure: key.measure, isCount: key.isCount }).toEqual({
    measure: measureOf(metric, aggregation),
    isCount: addsUp(metric, aggregation),
  });
});
