import { dateLevels, dayNumber } from '../../src/calendar.ts';
import type { FieldType } from '../../src/catalogue/record.ts';
import { type Aggregation, aggregations } from '../../src/expression/expression.ts';
import type { Dialect, ObjectField } from '../../src/warehouse/sql/dialect.ts';
import {
  date,
  integer,
  integers,
  joined,
  number,
  raw,
  type Sql,
  sql,
  text,
  texts,
  timestamp,
} from '../../src/warehouse/sql/sql.ts';

export type Emitter = Exclude<keyof Dialect, 'name'>;

/** What an emitter makes of some values, and what that has to be on every engine. */
export interface DialectCase {
  readonly emitter: Emitter;
  readonly piece: (dialect: Dialect) => Sql;
  readonly expected: unknown;
  readonly type?: FieldType;
}

const second = (time: string): number => Date.parse(time) / 1_000;
/** An hour ahead of UTC, and two from the end of March on. */
const clock = [
  { from: second('2023-10-29T01:00:00Z'), offset: 3_600 },
  { from: second('2024-03-31T01:00:00Z'), offset: 7_200 },
];
const utc = [{ from: 0, offset: 0 }];

/** Engines have different words for truth in an answer. */
const yesNo = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN 'yes' ELSE 'no' END`;
const said = (value: string): Sql => sql`${text(value)}`;
/** JSON as the text that it is, which would else become part of the row around it. */
const asText = (json: Sql): Sql => sql`(${json} || '')`;
const kept = (list: readonly string[]): Sql => said(JSON.stringify(list));

const starts = {
  day: '2024-08-15',
  week: '2024-08-12',
  month: '2024-08-01',
  quarter: '2024-07-01',
  year: '2024-01-01',
} as const;

/** One value each, of no rows. */
export const valueCases: readonly DialectCase[] = [
  {
    emitter: 'identifier',
    piece: ({ identifier }) =>
      sql`(SELECT odd.${identifier('a "b` c')} FROM (SELECT 7 AS ${identifier('a "b` c')}) AS odd)`,
    expected: 7,
  },
  { emitter: 'place', piece: () => said(`it's "$1" \\ {p1:String}\n`), expected: `it's "$1" \\ {p1:String}\n` },
  { emitter: 'place', piece: () => sql`${integer(-9_007_199_254_740_991)}`, expected: -9_007_199_254_740_991 },
  { emitter: 'place', piece: () => sql`${number(0.1)}`, expected: 0.1 },
  { emitter: 'place', piece: () => sql`${date('0001-02-28')}`, expected: '0001-02-28', type: 'date' },
  { emitter: 'place', piece: () => sql`${timestamp(-1)}`, expected: -1, type: 'timestamp' },
  ...dateLevels.map(
    (level): DialectCase => ({
      emitter: 'bucketOfDay',
      piece: (dialect) => dialect.bucketOfDay(level, sql`${date('2024-08-15')}`),
      expected: starts[level],
      type: 'date',
    }),
  ),
  ...dateLevels.map(
    (level): DialectCase => ({
      emitter: 'bucket',
      piece: (dialect) => dialect.bucket(level, sql`${timestamp(second('2024-08-14T22:30:00Z'))}`, clock),
      expected: starts[level],
      type: 'date',
    }),
  ),
  {
    emitter: 'bucket',
    piece: ({ bucket }) => bucket('day', sql`${timestamp(second('2024-03-30T23:30:00Z'))}`, clock),
    expected: '2024-03-31',
    type: 'date',
  },
  {
    emitter: 'bucket',
    piece: ({ bucket }) => bucket('day', sql`${timestamp(second('2024-03-30T23:30:00Z'))}`, utc),
    expected: '2024-03-30',
    type: 'date',
  },
  {
    emitter: 'midnight',
    piece: ({ midnight }) => midnight(sql`${timestamp(second('2024-03-30T23:30:00Z'))}`),
    expected: second('2024-03-30T00:00:00Z'),
    type: 'timestamp',
  },
  {
    emitter: 'midnight',
    piece: ({ midnight }) => midnight(sql`${timestamp(second('1969-12-31T00:00:01Z'))}`),
    expected: second('1969-12-31T00:00:00Z'),
    type: 'timestamp',
  },
  { emitter: 'percentile', piece: ({ percentile }) => percentile(raw('1.3000000004'), 'integer'), expected: 1.3 },
  {
    emitter: 'percentile',
    piece: ({ percentile }) => percentile(raw('1.23456789012345'), 'number'),
    expected: 1.23456789012,
  },
  { emitter: 'ratio', piece: ({ ratio }) => ratio(raw('1'), raw('4')), expected: 0.25 },
  { emitter: 'ratio', piece: ({ ratio }) => ratio(raw('1'), raw('0')), expected: null },
  { emitter: 'number', piece: (dialect) => dialect.number(raw('12')), expected: 12 },
  { emitter: 'lowerCased', piece: ({ lowerCased }) => lowerCased(said('ÀBÇ Ω')), expected: 'àbç ω' },
  { emitter: 'contains', piece: ({ contains }) => yesNo(contains(said('100%_é'), said('%_'))), expected: 'yes' },
  { emitter: 'contains', piece: ({ contains }) => yesNo(contains(said('100'), said('%'))), expected: 'no' },
  { emitter: 'lastSegment', piece: ({ lastSegment }) => lastSegment(said('a/b/c')), expected: 'c' },
  { emitter: 'lastSegment', piece: ({ lastSegment }) => lastSegment(said('alone')), expected: 'alone' },
  { emitter: 'withoutSource', piece: ({ withoutSource }) => withoutSource(said('git:a/b#7:c')), expected: 'a/b#7:c' },
  { emitter: 'withoutSource', piece: ({ withoutSource }) => withoutSource(said('a/b#7')), expected: 'a/b#7' },
  { emitter: 'numbered', piece: ({ numbered }) => numbered(said('a/b'), sql`${integer(7)}`), expected: 'a/b#7' },
  { emitter: 'isAmong', piece: ({ isAmong }) => yesNo(isAmong(said('b'), texts(['a', 'b']))), expected: 'yes' },
  {
    emitter: 'isAmong',
    piece: ({ isAmong }) => yesNo(isAmong(raw('12'), integers(Array.from({ length: 12 }, (_, i) => i)))),
    expected: 'no',
  },
  { emitter: 'isAmong', piece: ({ isAmong }) => yesNo(isAmong(said('a'), texts([]))), expected: 'no' },
  {
    emitter: 'isAmongLowerCased',
    piece: ({ isAmongLowerCased }) => yesNo(isAmongLowerCased(said('É'), texts(['x', 'é']))),
    expected: 'yes',
  },
  {
    emitter: 'each',
    piece: ({ each, sortedList }) => sql`(SELECT ${sortedList(raw('e.value'))} FROM (${each(texts(['b', 'a']))}) AS e)`,
    expected: '["a","b"]',
  },
  {
    emitter: 'eachKeyed',
    piece: ({ eachKeyed, sortedList }) =>
      sql`(SELECT ${sortedList(raw("e.value || '=' || e.key"))} FROM (${eachKeyed(texts(['A', 'B']), texts(['a', 'b']))}) AS e)`,
    expected: '["A=a","B=b"]',
  },
  {
    emitter: 'listHasAny',
    piece: ({ listHasAny }) => yesNo(listHasAny(kept(['a', '"']), texts(['x', '"']))),
    expected: 'yes',
  },
  {
    emitter: 'listHasAny',
    piece: ({ listHasAny, nullOf }) => yesNo(listHasAny(nullOf('text'), texts(['x']))),
    expected: 'no',
  },
  {
    emitter: 'listItems',
    piece: ({ listItems, sortedList }) =>
      sql`(SELECT ${sortedList(raw('l.item'))} FROM (SELECT ${listItems(kept(['b', 'é', 'a']))} AS item) AS l)`,
    expected: '["a","b","é"]',
  },
  { emitter: 'isSame', piece: ({ isSame, nullOf }) => yesNo(isSame(nullOf('text'), nullOf('text'))), expected: 'yes' },
  { emitter: 'isSame', piece: ({ isSame, nullOf }) => yesNo(isSame(nullOf('text'), said(''))), expected: 'no' },
  { emitter: 'nullOf', piece: ({ nullOf }) => nullOf('number'), expected: null },
  { emitter: 'nullOf', piece: ({ nullOf }) => nullOf('text'), expected: null },
  {
    emitter: 'withoutMatch',
    piece: ({ each, sortedList, withoutMatch }) => {
      const matched = sql`SELECT 'b' AS value`;
      return sql`(SELECT ${sortedList(raw('e.value'))} FROM (${each(texts(['a', 'b', 'c']))}) AS e ${withoutMatch(matched, 'z', raw('z.value = e.value'))})`;
    },
    expected: '["a","c"]',
  },
  { emitter: 'bytesOf', piece: ({ bytesOf }) => bytesOf(said('aé😀')), expected: 7 },
  { emitter: 'bytesOf', piece: ({ bytesOf, nullOf }) => bytesOf(nullOf('text')), expected: 0 },
  { emitter: 'cutText', piece: ({ cutText }) => cutText(said('ééé'), integer(2)), expected: 'éé' },
  { emitter: 'cutText', piece: ({ cutText }) => cutText(said('short'), integer(10)), expected: 'short' },
  {
    emitter: 'runningSum',
    piece: ({ runningSum, each, sortedList }) =>
      sql`(SELECT ${sortedList(raw('s.n'))} FROM (SELECT ${runningSum(raw('e.value - e.value + 2'))} AS n FROM (${each(integers([1, 2, 3]))}) AS e) AS s)`,
    expected: '[2,4,6]',
  },
  {
    emitter: 'rowOrNumber',
    piece: ({ rowOrNumber, row }) =>
      asText(rowOrNumber(raw('1 = 1'), row([{ value: raw('1'), type: 'integer' }]), raw('7'))),
    expected: '[1]',
  },
  {
    emitter: 'rowOrNumber',
    piece: ({ rowOrNumber, row }) =>
      asText(rowOrNumber(raw('1 = 2'), row([{ value: raw('1'), type: 'integer' }]), raw('7'))),
    expected: '7',
  },
  {
    emitter: 'object',
    // An engine without it has nothing to say here.
    piece: ({ object }) => {
      const fields: ObjectField[] = [
        { name: 'a', type: 'text', value: said('x"'), ofNothing: null },
        { name: 'b', always: true },
      ];
      return asText(object(fields) ?? said('{"a":"x\\"","b":true}'));
    },
    expected: '{"a":"x\\"","b":true}',
  },
];

/** The rows that aggregates are of: whole numbers, fractions, words and times, and one row that has none of them. */
const rows = [
  { whole: 4, fraction: 0.1, word: 'b', at: second('2024-01-03T05:00:00Z') },
  { whole: 1, fraction: 0.2, word: 'a', at: second('2024-01-01T23:00:00Z') },
  { whole: 2, fraction: -1.5, word: 'b', at: second('2024-01-09T00:00:00Z') },
  { whole: 10, fraction: 1e9, word: 'a', at: second('2024-01-10T00:00:00Z') },
];

/** In any order, and with engines' own ways to say that something is missing. */
export function aggregatedRows({ nullOf }: Dialect): Sql {
  const each = rows.map(
    ({ whole, fraction, word, at }) =>
      sql`SELECT ${integer(whole)} AS whole, ${number(fraction)} AS fraction, ${text(word)} AS word, ${timestamp(at)} AS at, ${date(new Date(at * 1_000).toISOString().slice(0, 10))} AS on_day`,
  );
  const missing = ['whole', 'fraction', 'at', 'on_day'].map((name) => sql`NULL AS ${raw(name)}`);
  return joined(
    [
      ...each,
      sql`SELECT ${joined([...missing.slice(0, 2), sql`${nullOf('text')} AS word`, ...missing.slice(2)], ', ')}`,
    ],
    ' UNION ALL ',
  );
}

const [whole, fraction, word, at, onDay] = ['whole', 'fraction', 'word', 'at', 'on_day'].map((name) =>
  raw(`r.${name}`),
) as [Sql, Sql, Sql, Sql, Sql];

const ofWhole: Readonly<Record<Aggregation, number>> = {
  sum: 17,
  avg: 4.25,
  min: 1,
  max: 10,
  median: 3,
  p75: 5.5,
  p90: 8.2,
  p95: 9.1,
};
const ofFraction: Readonly<Record<Aggregation, number>> = {
  sum: 999_999_998.8,
  avg: 249_999_999.7,
  min: -1.5,
  max: 1e9,
  median: 0.15,
  p75: 250_000_000.15,
  p90: 700_000_000.06,
  p95: 850_000_000.03,
};

const aggregates = (
  column: Sql,
  kind: 'integer' | 'number',
  expected: Readonly<Record<Aggregation, number>>,
): DialectCase[] =>
  aggregations.map((how) => ({
    emitter: 'aggregate',
    piece: ({ aggregate }) => aggregate(how, column, kind),
    expected: expected[how],
  }));

/** One value each, of all rows. */
export const aggregateCases: readonly DialectCase[] = [
  { emitter: 'count', piece: ({ count }) => count(undefined), expected: 5 },
  { emitter: 'count', piece: ({ count }) => count(sql`${whole} > 1`), expected: 3 },
  { emitter: 'countPresent', piece: ({ countPresent }) => countPresent(whole), expected: 4 },
  { emitter: 'countDistinct', piece: ({ countDistinct }) => countDistinct(word, undefined), expected: 2 },
  { emitter: 'countDistinct', piece: ({ countDistinct }) => countDistinct(word, sql`${whole} = 4`), expected: 1 },
  ...aggregates(whole, 'integer', ofWhole),
  ...aggregates(fraction, 'number', ofFraction),
  {
    emitter: 'aggregate',
    piece: ({ aggregate }) => aggregate('max', onDay, 'date'),
    expected: dayNumber('2024-01-10') * 86_400,
  },
  { emitter: 'atRank', piece: ({ atRank }) => atRank(whole, integers([5, 4]), integers([1, 3])), expected: 4 },
  { emitter: 'atRank', piece: ({ atRank }) => atRank(fraction, integers([4]), integers([1])), expected: -1.5 },
  { emitter: 'atRank', piece: ({ atRank }) => atRank(whole, integers([5]), integers([1])), expected: null },
  { emitter: 'mode', piece: ({ mode }) => mode(word), expected: 'a' },
  {
    emitter: 'lowerMedianDay',
    piece: ({ lowerMedianDay }) => lowerMedianDay(at),
    expected: second('2024-01-03T00:00:00Z'),
    type: 'timestamp',
  },
  {
    emitter: 'sortedList',
    piece: ({ sortedList }) => sortedList(sql`coalesce(${word}, 'é')`),
    expected: '["a","b","é"]',
  },
  {
    emitter: 'objectList',
    piece: ({ objectList }) => objectList([['w', sql`coalesce(${word}, '"')`]], [sql`coalesce(${whole}, 99)`]),
    expected: '[{"w":"a"},{"w":"b"},{"w":"b"},{"w":"a"},{"w":"\\""}]',
  },
];

/** The same of no rows. */
export const emptyCases: readonly DialectCase[] = [
  { emitter: 'count', piece: ({ count }) => count(undefined), expected: 0 },
  { emitter: 'countPresent', piece: ({ countPresent }) => countPresent(whole), expected: 0 },
  { emitter: 'countDistinct', piece: ({ countDistinct }) => countDistinct(word, undefined), expected: 0 },
  ...[whole, fraction].flatMap((column, i) =>
    aggregations.map(
      (how): DialectCase => ({
        emitter: 'aggregate',
        piece: ({ aggregate }) => aggregate(how, column, i === 0 ? 'integer' : 'number'),
        expected: how === 'sum' ? 0 : null,
      }),
    ),
  ),
  { emitter: 'atRank', piece: ({ atRank }) => atRank(whole, integers([1]), integers([1])), expected: null },
  { emitter: 'mode', piece: ({ mode }) => mode(word), expected: null },
  {
    emitter: 'lowerMedianDay',
    piece: ({ lowerMedianDay }) => lowerMedianDay(at),
    expected: null,
    type: 'timestamp',
  },
];
