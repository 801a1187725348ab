import { describe, expect, test } from 'vitest';
import type { DateLevel } from '../../src/calendar.ts';
import { dateDetailColumns, dateDetailRows } from '../../src/query/date-details.ts';
import { rowReader } from '../../src/query/shape/rows.ts';
import { windowBetween } from '../../src/query/window.ts';
import { utc } from './some-asking.ts';

function details(level: DateLevel, start: string, end: string, today = '2024-02-05') {
  const window = windowBetween({ start, end }, utc, new Date('2024-06-01T00:00:00Z'));
  return dateDetailRows({ window, level, zone: utc, today }).map(rowReader(dateDetailColumns(level)));
}

describe('date details', () => {
  test('tell every week as far as it is in the window, beside the one at its position before', () => {
    const rows = details('week', '2024-01-31', '2024-02-09');
    expect(JSON.stringify(rows[0])).toBe(
      '{"week_date":"2024-01-29","start_date":"2024-01-31","end_date":"2024-02-04","days":5,"is_current":false,' +
        '"previous_start_date":"2024-01-21","previous_end_date":"2024-01-21"}',
    );
    expect(rows.slice(1)).toEqual([
      {
        week_date: '2024-02-05',
        start_date: '2024-02-05',
        end_date: '2024-02-09',
        days: 5,
        is_current: true,
        previous_start_date: '2024-01-22',
        previous_end_date: '2024-01-28',
      },
    ]);
  });

  test('tell every day', () => {
    expect(details('day', '2024-02-28', '2024-03-01').map((row) => Object.values(row))).toEqual([
      ['2024-02-28', '2024-02-28', '2024-02-28', 1, false, '2024-02-25', '2024-02-25'],
      ['2024-02-29', '2024-02-29', '2024-02-29', 1, false, '2024-02-26', '2024-02-26'],
      ['2024-03-01', '2024-03-01', '2024-03-01', 1, false, '2024-02-27', '2024-02-27'],
    ]);
  });

  test('tell the days of as many seconds before, where the window begins and ends at some time of day', () => {
    const compared = (start: string, end: string) =>
      details('day', start, end).map((row) => [row.day_date, row.previous_start_date]);
    expect(compared('2024-02-28T12:00:00', '2024-03-01T11:59:59')).toEqual([
      ['2024-02-28', '2024-02-26'],
      ['2024-02-29', '2024-02-27'],
      ['2024-03-01', '2024-02-28'],
    ]);
    // It touches every day of a month and is no whole month all the same.
    const march = compared('2024-03-01T08:00:00Z', '2024-03-31T18:00:00Z');
    expect(march[0]).toEqual(['2024-03-01', '2024-01-30']);
    expect(march.at(-1)).toEqual(['2024-03-31', '2024-02-29']);
  });

  test('have nothing beside a bucket where the window before has fewer', () => {
    // The 31st of January to the 1st of March touch three months, the 31 days before only one.
    const rows = details('month', '2024-01-31', '2024-03-01');
    expect(rows.map((row) => [row.month_date, row.days, row.previous_start_date, row.previous_end_date])).toEqual([
      ['2024-01-01', 1, '2023-12-31', '2023-12-31'],
      ['2024-02-01', 29, '2024-01-01', '2024-01-30'],
      ['2024-03-01', 1, null, null],
    ]);
  });

  test('compare whole months with whole months', () => {
    expect(details('month', '2024-03-01', '2024-03-31').map((row) => Object.values(row))).toEqual([
      ['2024-03-01', '2024-03-01', '2024-03-31', 31, false, '2024-02-01', '2024-02-29'],
    ]);
    const days = details('day', '2024-03-01', '2024-03-31');
    expect(days.slice(28).map((row) => [row.day_date, row.previous_start_date, row.previous_end_date])).toEqual([
      ['2024-03-29', '2024-02-29', '2024-02-29'],
      ['2024-03-30', null, null],
      ['2024-03-31', null, null],
    ]);
    // The first week of March begins in February, and the first one of February in January.
    const [first] = details('week', '2024-03-01', '2024-03-31');
    expect(first).toMatchObject({
      week_date: '2024-02-26',
      start_date: '2024-03-01',
      previous_start_date: '2024-02-01',
      previous_end_date: '2024-02-04',
    });
    const quarters = details('quarter', '2024-01-01', '2024-06-30');
    expect(quarters.map((row) => row.previous_start_date)).toEqual(['2023-07-01', '2023-10-01']);
  });

  test.each([
    ['2024-01-30', [false, false]],
    ['2024-01-31', [true, false]],
    ['2024-02-09', [false, true]],
    ['2024-02-10', [false, false]],
  ])('on %s call current only what that day lies in', (today, current) => {
    expect(details('week', '2024-01-31', '2024-02-09', today).map((row) => row.is_current)).toEqual(current);
  });

  test('cover the window without gaps', () => {
    for (const level of ['day', 'week', 'month', 'quarter', 'year'] as const) {
      const days = details(level, '2023-05-17', '2024-05-16').map((row) => Number(row.days));
      expect(days.reduce((sum, some) => sum + some, 0)).toBe(366);
    }
  });
});
