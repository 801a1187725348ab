import { expect, test } from 'vitest';
import { aboutMetric, measureOf } from '../../../web/src/ask/metric-facts.ts';
import { boundsOf, layers, linesOf, placeOn } from '../../../web/src/pages/benchmarks/reference-lines.ts';
import { referenceMarks } from '../../../web/src/pages/benchmarks/reference-marks-words.ts';

test('Every reference mark has a source, a unit of its metric, and three bounds that grow', () => {
  const units = { duration: 'hours', count: 'lines', number: 'lines', percent: 'percent', usd: '', bytes: '' };
  for (const mark of referenceMarks) {
    const [first, second, third] = boundsOf(mark);
    expect([first, second, third]).toEqual([first, second, third].toSorted((a = 0, b = 0) => a - b));
    expect(mark.unit, mark.metric).toBe(units[measureOf(mark.metric, mark.aggregation)]);
    expect(mark.aggregation !== undefined, mark.metric).toBe(aboutMetric(mark.metric).needsAggregation);
    expect(mark.source).toMatch(/^https:\/\//);
  }
  expect(referenceMarks.length).toBe(14);
});

test('Reference marks are compared with the same statistic, in the unit of the metric', () => {
  const lines = linesOf(() => true);
  const lead = lines.find(({ metric, aggregation }) => metric === 'lead-time-for-changes' && aggregation === 'P75');
  expect(lead?.marks.map(({ edition }) => edition)).toEqual(['2026', 'undated, after 2023']);
  expect(lead?.marks.map(boundsOf)[0]).toEqual([25 * 3_600, 72 * 3_600, 161 * 3_600]);
  const failures = lines.find(({ metric }) => metric === 'change-failure-rate');
  expect(failures?.marks.map(boundsOf)).toEqual([[0.01, 0.08, 0.39]]);
});

test('A layer that is hidden takes its marks along, and a line without marks is gone', () => {
  expect(layers.map(({ id }) => id)).toEqual(['LinearB 2026', 'LinearB undated', 'LinearB undated, averages']);
  const newest = linesOf((layer) => layer === 'LinearB 2026');
  expect(newest.map(({ metric, marks }) => [metric, marks.length])).toEqual([['lead-time-for-changes', 1]]);
  expect(linesOf(() => false)).toEqual([]);
});

test('The axis holds every tick and your own number', () => {
  const [line] = linesOf((layer) => layer === 'LinearB 2026');
  if (!line) throw new Error('There is no line.');
  const place = placeOn(line, 400 * 3_600);
  const all = [0, ...line.marks.flatMap(boundsOf), 400 * 3_600].map(place);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect([all[0], (all.at(-1) ?? 0) > 0.9 && (all.at(-1) ?? 2) <= 1]).toEqual([0, true]);
});
