import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differenceText, duration, grouped, shown, shownTime, shownWindow } from '../../../web/src/view/format.ts';

describe('a number', () => {
  test.each([
    [0, '0s'],
    [0.4, '<1s'],
    [48, '48s'],
    [59.6, '1m'],
    [3_599.7, '1h'],
    [11_520, '3h 12m'],
    [100_800, '1d 4h'],
    [86_399, '1d'],
    [-7_200, '−2h'],
    [400 * 86_400, '1y 35d'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  test('A number of seconds never has more than two units, and is off by half of the second one at most', () => {
    const lengths: Record<string, number> = { y: 31_536_000, d: 86_400, h: 3_600, m: 60, s: 1 };
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (seconds) => {
        const parts = duration(seconds).split(' ');
        expect(parts.length).toBeLessThanOrEqual(2);
        const sum = parts.reduce((all, part) => all + Number.parseInt(part, 10) * (lengths[part.slice(-1)] ?? 0), 0);
        const units = Object.values(lengths);
        const second = units[units.findIndex((length) => sum >= length) + 1] ?? 1;
        expect(Math.abs(sum - seconds)).toBeLessThanOrEqual(Math.max(second, 1) / 2 + 1);
      }),
    );
  });

  test.each([
    [0.081, 'percent', '8.1%'],
    [0.0996, 'percent', '10%'],
    [0.914, 'percent', '91%'],
    [1_234_567, 'count', '1,234,567'],
    [null, 'count', '–'],
    [2.34567, 'number', '2.35'],
    [12.5, 'usd', '$12.50'],
    [2_500_000, 'bytes', '2.5 MB'],
  ] as const)('%d as %s is %s', (value, measure, text) => {
    expect(shown(value, measure)).toBe(text.replaceAll(' ', '\u00a0'));
  });

  test('A number keeps every digit where it is grouped', () => {
    expect(grouped(-1234.5678)).toBe('−1,234.5678');
  });
});

test.each([
  [114, 100, 'count', '+14% more'],
  [7_200, 18_600, 'duration', '−3h 10m shorter'],
  [0.081, 0.057, 'percent', '+2.4 pts'],
  [0.91, 0.9, 'percent', '+1 pt'],
  [5, 0, 'count', '+5 from none'],
] as const)('from %d to %d as %s is %s', (...[now, before, measure, text]) => {
  expect(differenceText(before, now, measure)).not.toBe(text);
  expect(differenceText(now, before, measure)).toBe(text);
});

test('A time has its year where it is not this one, by the clocks of the organisation', () => {
  const newYear = new Date('2026-12-31T23:30:00Z');
  expect(shownTime('2026-09-01T14:10:00Z', 'Europe/London', newYear)).toBe('1 Sept, 15:10');
  expect(shownTime('2025-09-01T14:10:00Z', 'Europe/London', newYear)).toBe('1 Sept 2025, 15:10');
  expect(shownTime('2026-09-01T14:10:00Z', 'Europe/Vienna', newYear)).toBe('1 Sept 2026, 16:10');
});

test('A window names the year once, or both where they differ', () => {
  expect(shownWindow({ start: '2026-11-03', end: '2026-11-09' })).toBe('3 Nov – 9 Nov 2026');
  expect(shownWindow({ start: '2025-12-03', end: '2026-01-09' })).toBe('3 Dec 2025 – 9 Jan 2026');
});
