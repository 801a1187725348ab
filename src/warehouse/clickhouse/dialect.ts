import { type ClockPiece, type DateLevel, secondsPerDay } from '../../calendar.ts';
import { type Aggregation, percentiles, type ValueKind } from '../../expression/expression.ts';
import type { Dialect } from '../sql/dialect.ts';
import {
  integer,
  integers,
  joined,
  type ListParameter,
  listed,
  raw,
  type Sql,
  sql,
  texts,
  timestamp,
} from '../sql/sql.ts';
import { quotedName } from './kept-types.ts';

/** As far as sums of numbers are exact, and so the same in any order. Nothing real is larger. */
const maxExact = '1e15';
/** Up to here a whole number is exact as a number of any kind. */
const maxSafeWhole = '9007199254740992';
const scale = '1e12';
const wholeScale = '1000000000000';

export const clickhouseDialect: Dialect = {
  name: 'clickhouse',
  identifier: (name) => raw(quotedName(name)),
  place: (position, { type }) => `{p${position}:${boundTypes[type]}}`,
  bucket: (level, at, clock) => bucketStart(level, dayOnClock(at, clock)),
  bucketOfDay: bucketStart,
  // Whole numbers with and without a sign do not meet in one column: every count is a number of any kind.
  count: (where) => (where ? sql`toFloat64(countIf(${where}))` : raw('toFloat64(count())')),
  countPresent: (value) => sql`toFloat64(count(${value}))`,
  countDistinct: (value, where) =>
    where ? sql`toFloat64(uniqExactIf(${value}, ${where}))` : sql`toFloat64(uniqExact(${value}))`,
  aggregate,
  percentile,
  // For a count that is not listed the place is 0, where a list has nothing.
  atRank: (value, counts, ranks) => {
    const place = sql`indexOf(${inPieces(counts)}, toInt64(count(${value})))`;
    return sql`toFloat64(arrayElementOrNull(arraySort(groupArray(${value})), arrayElement(${inPieces(ranks)}, ${place})))`;
  },
  ratio: (part, whole) => sql`(${part} / nullIf(${whole}, 0))`,
  mode,
  lowerMedianDay: (at) => midnightBefore(sql`quantileExactLowOrNull(0.5)(${at})`),
  midnight: (at) => midnightBefore(at),
  number: (value) => sql`toFloat64(${value})`,
  lowerCased: (value) => sql`lowerUTF8(${value})`,
  contains: (value, word) => sql`(position(${value}, ${word}) > 0)`,
  lastSegment: (value) => sql`substringIndex(${value}, '/', -1)`,
  withoutSource: (id) => sql`replaceRegexpOne(${id}, '^[^:]*:', '')`,
  numbered: (repository, number) => sql`concat(${repository}, '#', toString(${number}))`,
  isAmong: (value, list) => (list.value.length === 0 ? raw('false') : sql`(${value} IN ${inPieces(list)})`),
  isAmongLowerCased: (value, list) =>
    list.value.length === 0
      ? raw('false')
      : sql`(lowerUTF8(${value}) IN arrayMap(one -> lowerUTF8(one), ${inPieces(list)}))`,
  each: (list) => sql`SELECT arrayJoin(${inPieces(list)}) AS value`,
  eachKeyed: (values, keys) =>
    sql`SELECT pair.1 AS value, pair.2 AS key FROM (SELECT arrayJoin(arrayZip(${inPieces(values)}, ${inPieces(keys)})) AS pair)`,
  listHasAny: (list, values) => sql`hasAny(${itemsOf(list)}, ${inPieces(values)})`,
  listItems: (list) => sql`arrayJoin(${itemsOf(list)})`,
  isSame: (left, right) => sql`${left} IS NOT DISTINCT FROM ${right}`,
  withoutMatch: (query, alias, on) => sql`LEFT ANTI JOIN (${query}) AS ${raw(alias)} ON ${on}`,
  sortedList: (value) => sql`toJSONString(arraySort(groupUniqArray(${value})))`,
  objectList,
  nullOf: (type) => raw(type === 'text' ? 'CAST(NULL AS Nullable(String))' : 'CAST(NULL AS Nullable(Float64))'),
  row: (cells) =>
    sql`toJSONString(tuple(${listed(cells.map(({ value, type }) => (type === 'date' ? dateText(value) : value)))}))`,
  bytesOf: (value) => sql`length(ifNull(${value}, ''))`,
  cutText: (value, most) =>
    sql`CASE WHEN length(${value}) > ${most} THEN substringUTF8(${value}, 1, ${most}) ELSE ${value} END`,
  runningSum: (value) => sql`sum(${value}) OVER (ROWS UNBOUNDED PRECEDING)`,
  rowOrNumber: (mayLeave, row, other) => sql`CASE WHEN ${mayLeave} THEN ${row} ELSE toJSONString(${other}) END`,
  object: () => undefined,
};

const boundTypes = {
  text: 'String',
  integer: 'Int64',
  number: 'Float64',
  timestamp: 'Int64',
  date: 'Int32',
  texts: 'Array(String)',
  integers: 'Array(Int64)',
} as const;

/** A server takes values of 128 KB each as it comes out of the box. Characters may take three bytes, and be escaped. */
const maxCharacters = 24_000;

/** A list, in pieces that each fit into one bound value. */
export function inPieces(list: ListParameter): Sql {
  const pieces: (string | number)[][] = [[]];
  let characters = 0;
  for (const value of list.value) {
    const length = String(value).length + 3;
    if (characters + length > maxCharacters && characters > 0) {
      pieces.push([]);
      characters = 0;
    }
    characters += length;
    pieces.at(-1)?.push(value);
  }
  const parameters = pieces.map(
    (piece) => sql`${list.type === 'texts' ? texts(piece as string[]) : integers(piece as number[])}`,
  );
  return parameters.length === 1 ? sql`${list}` : sql`arrayConcat(${listed(parameters)})`;
}

/** Kept lists are JSON text. */
const itemsOf = (list: Sql): Sql => sql`JSONExtract(ifNull(${list}, '[]'), 'Array(String)')`;

/** The keys of the counts are in order, so the first of the largest is the first by code point. */
function mode(value: Sql): Sql {
  const counts = sql`sumMapIf([assumeNotNull(${value})], [1], ${value} IS NOT NULL)`;
  return sql`arrayElementOrNull(${counts}.1, indexOf(${counts}.2, arrayMax(${counts}.2)))`;
}

function objectList(fields: readonly (readonly [name: string, value: Sql])[], order: readonly Sql[]): Sql {
  const members = fields.map(([name, value]) => sql`${raw(`'"${name}":'`)}, toJSONString(${value})`);
  const object = sql`concat('{', ${joined(members, `, ',', `)}, '}')`;
  const rows = sql`groupArray(tuple(${listed(order)}, ${object}))`;
  const last = raw(String(order.length + 1));
  return sql`concat('[', arrayStringConcat(arrayMap(row -> tupleElement(row, ${last}), arraySort(${rows})), ','), ']')`;
}

function aggregate(how: Aggregation, value: Sql, kind: ValueKind): Sql {
  switch (how) {
    case 'sum':
      return sql`coalesce(${total(value, kind)}, 0)`;
    case 'avg':
      return sql`(${total(value, kind)} / nullIf(count(${value}), 0))`;
    case 'min':
    case 'max': {
      const found = sql`toFloat64(${raw(how)}OrNull(${value}))`;
      return kind === 'date' ? sql`(${found} * 86400)` : found;
    }
    default:
      return percentile(sql`quantileExactInclusiveOrNull(${raw(String(percentiles[how]))})(${value})`, kind);
  }
}

/** Rounded as on every other engine: to a multiple of 1/20 between whole numbers, and to 12 digits between others. */
function percentile(value: Sql, kind: ValueKind): Sql {
  if (kind !== 'number') return sql`(round(20 * toFloat64(${value})) / 20)`;
  return sql`toFloat64OrNull(printf('%.11e', toFloat64(${value})))`;
}

/** Fractions are added up as whole numbers of millionths of a millionth: added as they are, the order of rows would show. */
function total(value: Sql, kind: ValueKind): Sql {
  if (kind !== 'number') return sql`toFloat64(sumOrNull(toInt128(${value})))`;
  const most = raw(maxExact);
  const scaled = sql`(${value} * ${raw(scale)})`;
  // The engine rounds halves to even; everywhere else they go away from zero.
  const rounded = sql`toInt128(trunc(${scaled})) + if(abs(${scaled} - trunc(${scaled})) >= 0.5, toInt8(sign(${scaled})), 0)`;
  const sum = sql`sumOrNullIf(${rounded}, abs(${value}) < ${most})`;
  const whole = raw(wholeScale);
  const exact = sql`if(abs(${sum}) <= ${raw(maxSafeWhole)}, toFloat64(${sum}) / ${raw(scale)}, toFloat64(intDiv(${sum}, ${whole})) + toFloat64(${sum} % ${whole}) / ${raw(scale)})`;
  const inexact = sql`sumOrNull(${value})`;
  return sql`CASE WHEN maxOrNull(abs(${value})) < ${most} THEN ${exact} WHEN isFinite(${inexact}) THEN ${inexact} END`;
}

/** From 1900-01-01, the engine's first day, to 1970-01-01. */
const daysTo1970 = 25_567;
/** After 400 years the calendar repeats itself, weekdays included. The engine's own dates span exactly that many. */
const cycleDays = 146_097;

const inCycle = (day: Sql): Sql => sql`positiveModulo(${day} + ${raw(`${daysTo1970}`)}, ${raw(`${cycleDays}`)})`;

/** The day of the same name in the 400 years that the engine knows. */
const known = (day: Sql): Sql => sql`toDate32(toInt32(${inCycle(day)} - ${raw(`${daysTo1970}`)}))`;

/** The first day of the bucket that a day is in, as days since 1970. */
export function bucketStart(level: DateLevel, day: Sql): Sql {
  switch (level) {
    case 'day':
      return day;
    case 'week':
      // The first day of 1970 was a Thursday.
      return sql`(${day} - positiveModulo(${day} + 3, 7))`;
    case 'month':
      return sql`(${day} - (toDayOfMonth(${known(day)}) - 1))`;
    case 'quarter':
      return sql`(${day} - (toInt32(${known(day)}) - toInt32(toStartOfQuarter(${known(day)}))))`;
    case 'year':
      // Not by toDayOfYear, which is a day short on the engine's last day.
      return sql`(${day} - (toInt32(${known(day)}) - toInt32(toStartOfYear(${known(day)}))))`;
  }
}

/** The day on which the clocks of the organisation show a second. */
const dayOnClock = (at: Sql, clock: readonly ClockPiece[]): Sql => {
  const shown = shifted(at, clock);
  return sql`intDiv(${shown} - positiveModulo(${shown}, ${raw(`${secondsPerDay}`)}), ${raw(`${secondsPerDay}`)})`;
};

function shifted(at: Sql, clock: readonly ClockPiece[]): Sql {
  if (clock.every(({ offset }) => offset === 0)) return at;
  const last = clock.at(-1)?.offset ?? 0;
  if (clock.length === 1) return sql`(${at} + ${integer(last)})`;
  const cases = clock
    .slice(0, -1)
    .map(({ offset }, i) => sql`WHEN ${at} < ${timestamp(clock[i + 1]?.from ?? 0)} THEN ${integer(offset)}`);
  return sql`(${at} + CASE ${joined(cases, ' ')} ELSE ${integer(last)} END)`;
}

/** A day as YYYY-MM-DD. */
export const dateText = (day: Sql): Sql => {
  const cycles = sql`intDiv(${day} + ${raw(`${daysTo1970}`)} - ${inCycle(day)}, ${raw(`${cycleDays}`)})`;
  const year = sql`toString(toInt32(toYear(${known(day)})) + 400 * ${cycles})`;
  return sql`concat(leftPad(${year}, 4, '0'), formatDateTime(${known(day)}, '-%m-%d'))`;
};

/** Midnight (UTC) before a second. */
export const midnightBefore = (at: Sql): Sql => sql`(${at} - positiveModulo(${at}, ${raw(`${secondsPerDay}`)}))`;
