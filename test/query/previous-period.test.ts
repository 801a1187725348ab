import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimeZone } from '../../src/calendar.ts';
import type { AnswerRow, Cell } from '../../src/query/plan.ts';
import { changePercentage, comparePeriods } from '../../src/query/previous-period.ts';
import { windowBefore, windowBetween } from '../../src/query/request-window.ts';
import { asking, before, type SomeAsking, utc } from './some-asking.ts';

/** Key, value and previous value of every row. */
function compared(some: SomeAsking, current: readonly AnswerRow[], previous: readonly AnswerRow[]): Cell[][] {
  const asked = asking(some);
  const { rows } = comparePeriods(asked, asked.columns, current, before(asked, previous));
  return rows.map(({ key, values, previous: before }) => [...key, ...values, ...before]);
}

const byName: SomeAsking = { of: 'pull-requests-count', by: ['name'] };

describe('two periods', () => {
  test('Two periods meet in their groups', () => {
    expect(compared({ of: 'pull-requests-count' }, [[5]], [[4]])).toEqual([[5, 4]]);
    expect(
      compared(
        byName,
        [
          ['Ada', 5],
          ['Bob', 2],
        ],
        [
          ['Bob', 3],
          ['Ada', 4],
        ],
      ),
    ).toEqual([
      ['Ada', 5, 4],
      ['Bob', 2, 3],
    ]);
  });

  test('Two periods give 0 for a count of a group that one of them lacks, and nothing for an average', () => {
    expect(compared(byName, [['Ada', 5]], [['Bob', 3]])).toEqual([
      ['Ada', 5, 0],
      ['Bob', 0, 3],
    ]);
    expect(compared({ of: 'cycle-time avg', by: ['name'] }, [['Ada', 5]], [['Bob', 3]])).toEqual([
      ['Ada', 5, null],
      ['Bob', null, 3],
    ]);
    expect(compared({ of: 'cycle-time sum', by: ['name'] }, [['Ada', null]], [['Bob', 3]])).toEqual([
      ['Ada', 0, 0],
      ['Bob', 0, 3],
    ]);
  });

  test('Two periods keep groups apart whose texts only look alike when joined', () => {
    const by = ['name', 'repository'];
    expect(compared({ of: 'pull-requests-count', by }, [['a,b', 'c', 1]], [['a', 'b,c', 2]])).toEqual([
      ['a', 'b,c', 0, 2],
      ['a,b', 'c', 1, 0],
    ]);
    expect(compared(byName, [[null, 1]], [['null', 2]])).toEqual([
      ['null', 0, 2],
      [null, 1, 0],
    ]);
  });

  test('Two periods align days by their position', () => {
    const some: SomeAsking = { of: 'pull-requests-count', level: 'day', window: ['2024-01-08', '2024-01-14'] };
    const previous = [
      ['2024-01-01', 4],
      ['2024-01-07', 9],
    ];
    expect(compared(some, [['2024-01-08', 1]], previous)).toEqual([
      ['2024-01-08', 1, 4],
      ['2024-01-14', 0, 9],
    ]);
  });

  test('Two periods align weeks and months by their position, and drop what lies beyond the last', () => {
    // The thirty days before are the 1st of February to the 1st of March: two months, of which the window has one.
    const march: SomeAsking = { of: 'pull-requests-count', level: 'month', window: ['2024-03-02', '2024-03-31'] };
    const two = [
      ['2024-02-01', 50],
      ['2024-03-01', 2],
    ];
    expect(compared(march, [['2024-03-01', 40]], two)).toEqual([['2024-03-01', 40, 50]]);

    const weeks: SomeAsking = { of: 'pull-requests-count', level: 'week', window: ['2024-01-15', '2024-01-28'] };
    const earlier = [
      ['2024-01-01', 3],
      ['2024-01-08', 4],
    ];
    expect(compared(weeks, [['2024-01-22', 7]], earlier)).toEqual([
      ['2024-01-15', 0, 3],
      ['2024-01-22', 7, 4],
    ]);
  });

  test('Two periods have no previous value, not even 0, where a bucket has no counterpart', () => {
    const march: SomeAsking = { of: 'pull-requests-count', level: 'day', window: ['2024-03-01', '2024-03-31'] };
    const now = [
      ['2024-03-28', 1],
      ['2024-03-29', 2],
      ['2024-03-30', 3],
    ];
    expect(compared(march, now, [['2024-02-29', 7]])).toEqual([
      ['2024-03-28', 1, 0],
      ['2024-03-29', 2, 7],
      ['2024-03-30', 3, null],
    ]);
    const sizes: SomeAsking = { ...march, of: 'pull-requests-size sum' };
    expect(compared(sizes, [['2024-03-31', 1, 2, 3]], [])).toEqual([['2024-03-31', 1, 2, 3, null, null, null]]);
  });

  test('Two periods drop earlier buckets without a counterpart', () => {
    const february: SomeAsking = { of: 'pull-requests-count', level: 'day', window: ['2024-02-01', '2024-02-29'] };
    const january = [
      ['2024-01-29', 4],
      ['2024-01-30', 5],
      ['2024-01-31', 6],
    ];
    expect(compared(february, [], january)).toEqual([['2024-02-29', 0, 4]]);
  });

  test('Two periods align buckets within their groups', () => {
    const some: SomeAsking = { ...byName, level: 'day', window: ['2024-01-02', '2024-01-02'] };
    const [current, previous] = [[['2024-01-02', 'Ada', 1]], [['2024-01-01', 'Bob', 4]]];
    expect(compared(some, current, previous)).toEqual([
      ['2024-01-02', 'Ada', 1, 0],
      ['2024-01-02', 'Bob', 0, 4],
    ]);
  });

  test('Two periods leave out groups of the previous one alone when nothing is less than what was asked for at least', () => {
    expect(compared({ ...byName, least: 1 }, [['Ada', 5]], [['Bob', 3]])).toEqual([['Ada', 5, 0]]);
  });

  test('Two periods compare every value of a metric that has several, and of several metrics', () => {
    expect(compared({ of: 'pull-requests-size sum' }, [[1, 2, 3]], [[4, 5, 9]])).toEqual([[1, 2, 3, 4, 5, 9]]);
    const of = ['pull-requests-count', 'cycle-time avg'];
    expect(compared({ of, by: ['name'] }, [['Ada', 1, 60]], [])).toEqual([['Ada', 1, 60, 0, null]]);
  });
});

describe('the window before', () => {
  const previous = (start: string, end: string, name = 'UTC') => {
    const zone = TimeZone.named(name);
    const window = windowBetween({ start, end }, zone, new Date('2026-06-01T00:00:00Z'));
    const { firstDay, lastDay, from, until } = windowBefore(window, zone);
    expect(until).toBe(window.from);
    return [firstDay, lastDay, from] as const;
  };

  test.each([
    ['a month', '2024-03-01', '2024-03-31', '2024-02-01', '2024-02-29'],
    ['a month after a short February', '2023-03-01', '2023-03-31', '2023-02-01', '2023-02-28'],
    ['a leap February', '2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31'],
    ['January', '2024-01-01', '2024-01-31', '2023-12-01', '2023-12-31'],
    ['a quarter', '2024-01-01', '2024-03-31', '2023-10-01', '2023-12-31'],
    ['a year', '2024-01-01', '2024-12-31', '2023-01-01', '2023-12-31'],
    ['five months over New Year', '2023-11-01', '2024-03-31', '2023-06-01', '2023-10-31'],
    ['ten years', '2015-01-01', '2024-12-31', '2005-01-01', '2014-12-31'],
    ['all but the last day of a month', '2024-03-01', '2024-03-30', '2024-01-31', '2024-02-29'],
    ['February in a leap year without its 29th', '2024-02-01', '2024-02-28', '2024-01-04', '2024-01-31'],
    ['all but the first day of a month', '2024-03-02', '2024-03-31', '2024-02-01', '2024-03-01'],
    ['a month from its middle', '2024-02-15', '2024-03-14', '2024-01-17', '2024-02-14'],
    ['a week', '2024-03-04', '2024-03-10', '2024-02-26', '2024-03-03'],
    ['a day', '2024-03-01', '2024-03-01', '2024-02-29', '2024-02-29'],
    ['a month between timestamps', '2024-03-01T00:00:00', '2024-03-31T23:59:59', '2024-02-01', '2024-02-29'],
  ])('The window before of %s', (_, start, end, first, last) => {
    expect(previous(start, end).slice(0, 2)).toEqual([first, last]);
  });

  test('The window before is of months in the zone of the organisation, whatever its clocks do', () => {
    for (const zone of ['America/New_York', 'Pacific/Auckland', 'Asia/Kolkata', 'Europe/Vienna']) {
      expect(previous('2024-03-01', '2024-03-31', zone)).toEqual([
        '2024-02-01',
        '2024-02-29',
        TimeZone.named(zone).startOf('2024-02-01'),
      ]);
    }
    // The same instants are March in UTC and no month in Vienna: there they are moved by their own length.
    const [start, end] = ['2024-03-01T00:00:00Z', '2024-03-31T23:59:59Z'];
    expect(previous(start, end)[2]).toBe(Date.parse('2024-02-01T00:00:00Z') / 1_000);
    expect(previous(start, end, 'Europe/Vienna')[2]).toBe(Date.parse('2024-01-30T00:00:00Z') / 1_000);
  });

  test('The window before of a window that ends today is as many days, since today is no end of a month', () => {
    const window = windowBetween({ start: '2024-03-01', end: undefined }, utc, new Date('2024-03-20T10:00:00Z'));
    expect(windowBefore(window, utc)).toMatchObject({ firstDay: '2024-02-10', lastDay: '2024-02-29' });
    const whole = windowBetween({ start: '2024-03-01', end: undefined }, utc, new Date('2024-03-31T10:00:00Z'));
    expect(windowBefore(whole, utc)).toMatchObject({ firstDay: '2024-02-01', lastDay: '2024-02-29' });
  });
});

describe('the order of a comparison', () => {
  const current = [
    ['Ada', 5],
    ['Bob', 5],
    ['Cyd', 1],
    [null, 2],
  ];
  const previous = [
    ['Bob', 10],
    ['Cyd', 1],
    ['Dan', 7],
  ];
  const names = (order: SomeAsking['order'], limit = 200) =>
    compared({ ...byName, order, limit } as SomeAsking, current, previous).map(([name]) => name);

  test('The order of a comparison is that of the groups when none is asked for, nothing last', () => {
    expect(names(undefined)).toEqual(['Ada', 'Bob', 'Cyd', 'Dan', null]);
  });

  test.each([
    ['pr_count', 'asc', ['Dan', 'Cyd', null, 'Ada', 'Bob']],
    ['pr_count', 'desc', ['Ada', 'Bob', null, 'Cyd', 'Dan']],
    ['value', 'desc', ['Ada', 'Bob', null, 'Cyd', 'Dan']],
    ['previous_value', 'desc', ['Bob', 'Dan', 'Cyd', 'Ada', null]],
    ['change_percentage', 'asc', ['Dan', 'Bob', 'Cyd', 'Ada', null]],
    ['change_percentage', 'desc', ['Cyd', 'Bob', 'Dan', 'Ada', null]],
    ['name', 'desc', ['Dan', 'Cyd', 'Bob', 'Ada', null]],
  ] as const)('by %s %s has ties by group and nothing last', (column, direction, expected) => {
    expect(names({ column, direction })).toEqual(expected);
  });

  test('The order of a comparison is by bucket before group, and by code point', () => {
    const some: SomeAsking = { ...byName, level: 'day', window: ['2024-01-02', '2024-01-03'] };
    const rows = [
      ['2024-01-03', 'B', 1],
      ['2024-01-02', '\u{1F600}', 1],
      ['2024-01-02', '\uFF21', 1],
      ['2024-01-02', 'a', 1],
      ['2024-01-02', 'B', 1],
    ];
    expect(compared(some, rows, []).map(([day, name]) => [day, name])).toEqual([
      ['2024-01-02', 'B'],
      ['2024-01-02', 'a'],
      ['2024-01-02', '\uFF21'],
      ['2024-01-02', '\u{1F600}'],
      ['2024-01-03', 'B'],
    ]);
    const latest = { ...some, order: { column: 'day_date', direction: 'desc' } } as const;
    expect(compared(latest, rows, [])[0]?.slice(0, 2)).toEqual(['2024-01-03', 'B']);
  });

  test('The order of a comparison goes by the total of the size of pull requests', () => {
    const some: SomeAsking = {
      of: 'pull-requests-size sum',
      by: ['name'],
      order: { column: 'value', direction: 'desc' },
    };
    const sizes = [
      ['Ada', 100, 0, 100],
      ['Bob', 1, 200, 201],
    ];
    expect(compared(some, sizes, []).map(([name]) => name)).toEqual(['Bob', 'Ada']);
    const byAdditions: SomeAsking = { ...some, order: { column: 'sum_additions', direction: 'desc' } };
    expect(compared(byAdditions, sizes, []).map(([name]) => name)).toEqual(['Ada', 'Bob']);
  });

  test('The order of a comparison is cut to the limit with the total given, but never for several metrics', () => {
    const asked = asking({ ...byName, limit: 2 });
    const { rows, total } = comparePeriods(asked, asked.columns, current, before(asked, previous));
    expect([rows.map(({ key }) => key[0]), total]).toEqual([['Ada', 'Bob'], 5]);
    const several = asking({ ...byName, of: ['pull-requests-count'], limit: 2 });
    expect(comparePeriods(several, several.columns, current, before(several, previous)).rows).toHaveLength(5);
  });

  test('The order of a comparison does not depend on the order in which rows come', () => {
    const row = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', null), fc.nat(3));
    const rows = fc.uniqueArray(row, { selector: ([name]) => name });
    const column = fc.constantFrom('name', 'value', 'previous_value', 'change_percentage', undefined);
    const direction = fc.constantFrom('asc', 'desc');
    fc.assert(
      fc.property(rows, rows, column, direction, (now, then, by, way) => {
        const some = { ...byName, order: by && { column: by, direction: way } } as SomeAsking;
        const straight = compared(some, now, then);
        expect(compared(some, now.toReversed(), then.toReversed())).toEqual(straight);
        expect(new Set(straight.map(([name]) => name))).toEqual(new Set([...now, ...then].map(([name]) => name)));
      }),
    );
  });
});

describe('the change in percent', () => {
  test.each([
    [150, 100, 50],
    [50, 100, -50],
    [1, 3, -66.7],
    [2001, 2000, 0.1],
    [1999, 2000, -0.1],
    [100, 100, 0],
    [0, 4, -100],
    [5, 0, null],
    [0, 0, null],
    [5, null, null],
    [null, 5, null],
    [-5, -10, 50],
    ['opus', 'haiku', null],
  ])('The change in percent from %j before is %j → %j', (value, previous, change) => {
    expect(changePercentage(value, previous)).toBe(change);
  });
});
