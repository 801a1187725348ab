import { describe, expect, test } from 'vitest';
import { type DateLevel, TimeZone } from '../../src/calendar.ts';
import { rowReader } from '../../src/query/answer-columns.ts';
import { dateDetailColumns, dateDetailRows } from '../../src/query/date-details.ts';
import { windowBetween } from '../../src/query/request-window.ts';
import { utc } from './some-asking.ts';

interface Asked {
  readonly now?: string;
  readonly through?: string;
  readonly zone?: TimeZone;
  readonly before?: readonly [start: string, end: string];
}

function details(level: DateLevel, start: string, end: string, asked: Asked = {}) {
  const { now: at = '2024-02-05T12:00:00Z', through, zone = utc, before } = asked;
  const now = new Date(at);
  const windowOf = (first: string, last: string) =>
    windowBetween({ start: first, end: last }, zone, new Date('2024-06-01T00:00:00Z'));
  const rows = dateDetailRows({
    window: windowOf(start, end),
    chosenBefore: before && windowOf(...before),
    level,
    zone,
    now,
    through: through === undefined ? undefined : Date.parse(through) / 1_000,
  });
  return rows.map(rowReader(dateDetailColumns(level)));
}

describe('date details', () => {
  test('Date details tell every week as far as it is in the window, beside the one at its position before', () => {
    const rows = details('week', '2024-01-31', '2024-02-09');
    expect(JSON.stringify(rows[0])).toBe(
      '{"week_date":"2024-01-29","start_date":"2024-01-31","end_date":"2024-02-04","days":5,"is_current":false,"is_complete":false,' +
        '"previous_start_date":"2024-01-21","previous_end_date":"2024-01-21"}',
    );
    expect(rows.slice(1)).toEqual([
      {
        week_date: '2024-02-05',
        start_date: '2024-02-05',
        end_date: '2024-02-09',
        days: 5,
        is_current: true,
        is_complete: false,
        previous_start_date: '2024-01-22',
        previous_end_date: '2024-01-28',
      },
    ]);
  });

  test('Date details tell every day', () => {
    expect(details('day', '2024-02-28', '2024-03-01').map((row) => Object.values(row))).toEqual([
      ['2024-02-28', '2024-02-28', '2024-02-28', 1, false, false, '2024-02-25', '2024-02-25'],
      ['2024-02-29', '2024-02-29', '2024-02-29', 1, false, false, '2024-02-26', '2024-02-26'],
      ['2024-03-01', '2024-03-01', '2024-03-01', 1, false, false, '2024-02-27', '2024-02-27'],
    ]);
  });

  test('Date details tell the days of as many seconds before, where the window begins and ends at some time of day', () => {
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

  test('Date details have nothing beside a bucket where the window before has fewer', () => {
    // The 31st of January to the 1st of March touch three months, the 31 days before only one.
    const rows = details('month', '2024-01-31', '2024-03-01');
    expect(rows.map((row) => [row.month_date, row.days, row.previous_start_date, row.previous_end_date])).toEqual([
      ['2024-01-01', 1, '2023-12-31', '2023-12-31'],
      ['2024-02-01', 29, '2024-01-01', '2024-01-30'],
      ['2024-03-01', 1, null, null],
    ]);
  });

  test('Date details compare whole months with whole months', () => {
    expect(details('month', '2024-03-01', '2024-03-31').map((row) => Object.values(row))).toEqual([
      ['2024-03-01', '2024-03-01', '2024-03-31', 31, false, false, '2024-02-01', '2024-02-29'],
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
  ])('Date details on %s call current only what that day lies in', (today, current) => {
    expect(
      details('week', '2024-01-31', '2024-02-09', { now: `${today}T12:00:00Z` }).map((row) => row.is_current),
    ).toEqual(current);
  });

  test('Date details call a bucket complete that is over, once the data reach to its end or it ended more than three days ago', () => {
    // It is noon of the fifth: the second has been over for two days and a half, the first for three and a half.
    const complete = (asked: Asked) =>
      details('day', '2024-02-01', '2024-02-05', asked)
        .map((row) => Number(row.is_complete))
        .join('');
    expect(complete({})).toBe('10000');
    expect(complete({ through: '2023-12-31T00:00:00Z' })).toBe('10000');
    expect(complete({ through: '2024-02-03T23:59:59Z' })).toBe('11000');
    expect(complete({ through: '2024-02-04T00:00:00Z' })).toBe('11100');
    expect(complete({ through: '2024-02-05T11:00:00Z' })).toBe('11110');
    // What is not over is not complete, however far a table says that it reaches.
    expect(complete({ through: '2024-03-01T00:00:00Z' })).toBe('11110');
  });

  test('Date details end the buckets of a window where the clocks of the organisation do', () => {
    const zone = TimeZone.named('America/New_York');
    const asked = { zone, now: '2024-03-12T00:00:00Z' };
    const complete = (through: string) =>
      details('day', '2024-03-10', '2024-03-10', { ...asked, through }).map((row) => row.is_complete);
    // Its clocks went forward on the tenth.
    expect([complete('2024-03-11T03:59:59Z'), complete('2024-03-11T04:00:00Z')]).toEqual([[false], [true]]);
  });

  test('Date details are compared with the window that the caller chose', () => {
    const rows = details('month', '2024-01-01', '2024-02-29', { before: ['2022-03-05', '2022-03-31'] });
    expect(rows.map((row) => [row.previous_start_date, row.previous_end_date])).toEqual([
      ['2022-03-05', '2022-03-31'],
      [null, null],
    ]);
  });

  test('Date details cover the window without gaps', () => {
    for (const level of ['day', 'week', 'month', 'quarter', 'year'] as const) {
      const days = details(level, '2023-05-17', '2024-05-16').map((row) => Number(row.days));
      expect(days.reduce((sum, some) => sum + some, 0)).toBe(366);
    }
  });
});
