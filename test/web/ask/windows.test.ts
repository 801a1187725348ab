import { describe, expect, test } from 'vitest';
import { TimeZone } from '../../../src/calendar.ts';
import { categoryAxis } from '../../../src/charts/chart-axes.ts';
import { lightTheme } from '../../../src/charts/chart-theme.ts';
import { bucketCategory, type DayReach, partInWords } from '../../../src/charts/time-buckets.ts';
import {
  dayReach,
  levelOf,
  shifted,
  timeBuckets,
  todayIn,
  wholeBuckets,
  windowOf,
  windowToCompare,
} from '../../../web/src/ask/windows.ts';

const zone = 'Europe/London';
const wholeTo = (lastWhole: string, lastBegun = lastWhole): DayReach => ({
  lastWhole,
  lastBegun,
  lastSettled: lastWhole,
});

describe('a range', () => {
  test.each([
    ['7d', '2026-11-08', '2026-11-14'],
    ['90d', '2026-08-17', '2026-11-14'],
    ['month', '2026-11-01', '2026-11-14'],
    ['last-month', '2026-10-01', '2026-10-31'],
    ['quarter', '2026-10-01', '2026-11-14'],
    ['last-quarter', '2026-07-01', '2026-09-30'],
    ['year', '2026-01-01', '2026-11-14'],
    ['last-year', '2025-01-01', '2025-12-31'],
  ] as const)('%s is from %s to %s where the data are whole up to the 14th', (preset, start, end) => {
    expect(windowOf(preset, '2026-11-16', wholeTo('2026-11-14'))).toEqual({ start, end });
  });

  test('A range of the reader is cut at the last whole day, unless nothing would be left of it', () => {
    const own = { start: '2026-11-01', end: '2026-11-30' };
    expect(windowOf(own, '2026-11-16', wholeTo('2026-11-14'))).toEqual({ start: '2026-11-01', end: '2026-11-14' });
    expect(windowOf(own, '2026-11-16', wholeTo('2026-10-20'))).toEqual(own);
    const begun = wholeTo('2026-10-31', '2026-11-01');
    expect(windowOf('month', '2026-11-01', begun)).toEqual({ start: '2026-11-01', end: '2026-11-01' });
    // Days to come are not shown beside the one that has begun.
    expect(windowOf(own, '2026-11-01', begun)).toEqual({ start: '2026-11-01', end: '2026-11-01' });
    const october = { start: '2026-10-01', end: '2026-10-20' };
    expect(windowOf('last-month', '2026-11-16', wholeTo('2026-10-20'))).toEqual(october);
  });

  test('A range ends with the last day that is over and whose data are there to its last second', () => {
    const startOf = (day: string): number => TimeZone.named(zone).startOf(day);
    const last = (through: number | undefined, of = zone) => {
      const { lastWhole, lastBegun } = dayReach(through, of, '2026-11-16');
      return [lastWhole, lastBegun];
    };
    expect(last(undefined)).toEqual(['2026-11-15', '2026-11-16']);
    expect(last(startOf('2026-11-16') + 3_600)).toEqual(['2026-11-15', '2026-11-16']);
    expect(last(startOf('2026-11-15') - 1)).toEqual(['2026-11-13', '2026-11-14']);
    expect(last(startOf('2026-11-15'))).toEqual(['2026-11-14', '2026-11-14']);
    // The days of the organisation are those of its own clocks.
    expect(last(startOf('2026-11-15'), 'America/New_York')).toEqual(['2026-11-13', '2026-11-14']);
  });

  test('A range ends today as the organisation has it, not as the browser does', () => {
    const midnight = Date.parse('2026-11-16T23:30:00Z');
    expect(todayIn('Asia/Tokyo', midnight)).toBe('2026-11-17');
    expect(todayIn('America/St_Johns', midnight)).toBe('2026-11-16');
  });

  test('A range is shifted by its own length, and not past today', () => {
    const window = { start: '2026-11-10', end: '2026-11-16' };
    expect(shifted(window, -1, '2026-11-16')).toEqual({ start: '2026-11-03', end: '2026-11-09' });
    expect(shifted(window, 1, '2026-11-18')).toEqual({ start: '2026-11-12', end: '2026-11-18' });
  });
});

describe('the window to compare with', () => {
  const march = { start: '2025-03-01', end: '2025-03-31' };

  test.each([
    ['previous', march, { start: '2025-02-01', end: '2025-02-28' }],
    ['previous', { start: '2025-03-02', end: '2025-03-31' }, { start: '2025-01-31', end: '2025-03-01' }],
    ['year', march, { start: '2024-03-01', end: '2024-03-31' }],
    ['year', { start: '2024-02-29', end: '2024-02-29' }, { start: '2023-02-28', end: '2023-02-28' }],
    ['weekday', march, { start: '2025-01-25', end: '2025-02-24' }],
    ['weekday', { start: '2025-03-03', end: '2025-03-09' }, { start: '2025-02-24', end: '2025-03-02' }],
  ] as const)('%s of %o is %o', (compare, window, before) => {
    expect(windowToCompare(window, compare, zone)).toEqual(before);
  });

  test.each([
    // As many days, also where they happen to be a whole month.
    ['30d', { start: '2026-11-01', end: '2026-11-30' }, { start: '2026-10-02', end: '2026-10-31' }],
    ['month', { start: '2026-11-01', end: '2026-11-14' }, { start: '2026-10-01', end: '2026-10-14' }],
    ['month', { start: '2026-03-01', end: '2026-03-30' }, { start: '2026-02-01', end: '2026-02-28' }],
    ['last-month', { start: '2026-02-01', end: '2026-02-28' }, { start: '2026-01-01', end: '2026-01-31' }],
    ['last-month', { start: '2026-10-01', end: '2026-10-20' }, { start: '2026-09-01', end: '2026-09-20' }],
    ['quarter', { start: '2026-10-01', end: '2026-11-14' }, { start: '2026-07-01', end: '2026-08-14' }],
    ['last-quarter', { start: '2026-07-01', end: '2026-09-30' }, { start: '2026-04-01', end: '2026-06-30' }],
    ['year', { start: '2024-01-01', end: '2024-02-29' }, { start: '2023-01-01', end: '2023-02-28' }],
  ] as const)('before %s of %o is %o', (range, window, before) => {
    expect(windowToCompare(window, 'previous', zone, range)).toEqual(before);
  });

  test('The window to compare with is none where nothing is compared', () => {
    expect(windowToCompare(march, 'none', zone)).toBeUndefined();
  });
});

describe('buckets', () => {
  const weeksOf = (start: string, end: string, reach: DayReach) =>
    timeBuckets({ start, end }, 'week', reach).map((week) => [week.start, week.end, partInWords(week, 'week')]);

  test('Buckets say which of their days there are where the range cuts them, and that they are unfinished where data are to come', () => {
    const reach = wholeTo('2026-11-14', '2026-11-15');
    expect(weeksOf('2026-10-29', '2026-11-14', reach)).toEqual([
      ['2026-10-29', '2026-11-01', 'from 29 Oct'],
      ['2026-11-02', '2026-11-08', undefined],
      ['2026-11-09', '2026-11-14', 'so far'],
    ]);
    expect(weeksOf('2026-10-28', '2026-10-30', reach)).toEqual([
      ['2026-10-28', '2026-10-30', 'from 28 Oct, to 30 Oct'],
    ]);
    expect(weeksOf('2026-11-10', '2026-11-15', reach)).toEqual([['2026-11-10', '2026-11-15', 'from 10 Nov, so far']]);
    // Of days that ended long ago nothing more is expected.
    expect(weeksOf('2026-11-09', '2026-11-14', { ...reach, lastSettled: '2026-11-20' })).toEqual([
      ['2026-11-09', '2026-11-14', 'to 14 Nov'],
    ]);
  });

  test('After the data have none yet', () => {
    expect(weeksOf('2026-11-09', '2026-11-22', wholeTo('2026-11-14')).at(-1)?.[2]).toBe('no data yet');
  });

  test('Buckets are called so on an axis, and the last one always is', () => {
    const buckets = timeBuckets({ start: '2026-10-26', end: '2026-11-11' }, 'day', wholeTo('2026-11-10', '2026-11-11'));
    const all = buckets.map((bucket) => bucketCategory(bucket, 'day'));
    expect(all.slice(-2)).toEqual([
      { label: '10 Nov', name: '10 Nov 2026' },
      { label: 'so far', name: '11 Nov 2026', part: 'so far' },
    ]);
    const { interval } = categoryAxis(lightTheme, all, 5).axisLabel;
    const shown = all.filter((_, at) => typeof interval === 'function' && interval(at)).map(({ label }) => label);
    expect(shown).toEqual(['26 Oct', '30 Oct', '3 Nov', '7 Nov', 'so far']);
  });

  describe('are counted up to the last whole one', () => {
    const startOf = (day: string): number => TimeZone.named(zone).startOf(day);
    const wholeOf = (start: string, end: string, level: 'day' | 'week', until: number): number =>
      wholeBuckets(timeBuckets({ start, end }, level, wholeTo(end)), level, zone, until);

    test('Buckets are counted up to the last whole one which is not the one under way', () => {
      expect(wholeOf('2026-10-26', '2026-11-11', 'week', startOf('2026-11-11'))).toBe(2);
      expect(wholeOf('2026-11-08', '2026-11-11', 'day', startOf('2026-11-11'))).toBe(3);
      expect(wholeOf('2026-11-11', '2026-11-11', 'day', startOf('2026-11-11'))).toBe(0);
    });

    test('Buckets are counted up to the last whole one which is the last of a window that is over, unless the window ends within it', () => {
      expect(wholeOf('2026-10-26', '2026-11-08', 'week', startOf('2026-11-11'))).toBe(2);
      expect(wholeOf('2026-10-26', '2026-11-04', 'week', startOf('2026-11-11'))).toBe(1);
    });

    test('Buckets are counted up to the last whole one which has arrived to its last second', () => {
      expect(wholeOf('2026-10-26', '2026-11-08', 'week', startOf('2026-11-09'))).toBe(2);
      expect(wholeOf('2026-10-26', '2026-11-08', 'week', startOf('2026-11-09') - 1)).toBe(1);
    });
  });

  test.each([
    [30, 'day'],
    [90, 'week'],
    [365, 'month'],
    [3_000, 'quarter'],
  ] as const)('of %i days are by %s', (days, level) => {
    const start = new Date(Date.UTC(2026, 10, 16) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    expect(levelOf({ start, end: '2026-11-16' })).toBe(level);
  });
});
