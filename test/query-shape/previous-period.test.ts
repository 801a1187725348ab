import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerRow, Cell } from '../../src/query/plan.ts';
import { changePercentage, comparePeriods } from '../../src/query/previous-period.ts';
import { asking, before, type SomeAsking } from './some-asking.ts';

/** Key, value and previous value of every row. */
function compared(some: SomeAsking, current: readonly AnswerRow[], previous: readonly AnswerRow[]): Cell[][] {
  const asked = asking(some);
  const { rows } = comparePeriods(asked, asked.columns, current, before(asked, previous));
  return rows.map(({ key, values, previous: before }) => [...key, ...values, ...before]);
}

const byName: SomeAsking = { of: 'pull-requests-count', by: ['name'] };

describe('two periods', () => {
  test('meet in their groups', () => {
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

  test('give 0 for a count of a group that one of them lacks, and nothing for an average', () => {
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

  test('keep groups apart whose texts only look alike when joined', () => {
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

  test('align days by their position', () => {
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

  test('align weeks and months by their position, and drop what lies beyond the last', () => {
    // Thirty-one days before March are the 30th of January to the 29th of February: two months, of which March has one.
    const march: SomeAsking = { of: 'pull-requests-count', level: 'month', window: ['2024-03-01', '2024-03-31'] };
    const two = [
      ['2024-01-01', 2],
      ['2024-02-01', 50],
    ];
    expect(compared(march, [['2024-03-01', 40]], two)).toEqual([['2024-03-01', 40, 2]]);

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

  test('align buckets within their groups', () => {
    const some: SomeAsking = { ...byName, level: 'day', window: ['2024-01-02', '2024-01-02'] };
    const [current, previous] = [[['2024-01-02', 'Ada', 1]], [['2024-01-01', 'Bob', 4]]];
    expect(compared(some, current, previous)).toEqual([
      ['2024-01-02', 'Ada', 1, 0],
      ['2024-01-02', 'Bob', 0, 4],
    ]);
  });

  test('leave out groups of the previous one alone when nothing is less than what was asked for at least', () => {
    expect(compared({ ...byName, least: 1 }, [['Ada', 5]], [['Bob', 3]])).toEqual([['Ada', 5, 0]]);
  });

  test('compare every value of a metric that has several, and of several metrics', () => {
    expect(compared({ of: 'pull-requests-size sum' }, [[1, 2, 3]], [[4, 5, 9]])).toEqual([[1, 2, 3, 4, 5, 9]]);
    const of = ['pull-requests-count', 'cycle-time avg'];
    expect(compared({ of, by: ['name'] }, [['Ada', 1, 60]], [])).toEqual([['Ada', 1, 60, 0, null]]);
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

  test('is that of the groups when none is asked for, nothing last', () => {
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

  test('is by bucket before group, and by code point', () => {
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

  test('goes by the total of the size of pull requests', () => {
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

  test('is cut to the limit with the total told, but never for several metrics', () => {
    const asked = asking({ ...byName, limit: 2 });
    const { rows, total } = comparePeriods(asked, asked.columns, current, before(asked, previous));
    expect([rows.map(({ key }) => key[0]), total]).toEqual([['Ada', 'Bob'], 5]);
    const several = asking({ ...byName, of: ['pull-requests-count'], limit: 2 });
    expect(comparePeriods(several, several.columns, current, before(several, previous)).rows).toHaveLength(5);
  });

  test('does not depend on the order in which rows come', () => {
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
  ])('from %j before is %j → %j', (value, previous, change) => {
    expect(changePercentage(value, previous)).toBe(change);
  });
});
