import type { ClockPiece } from '../../calendar.ts';
import { type Aggregation, percentiles, type ValueKind } from '../../expression/expression.ts';
import type { Dialect } from '../sql/dialect.ts';
import {
  integer,
  joined,
  type ListParameter,
  listed,
  ourText,
  raw,
  type Sql,
  sql,
  text,
  timestamp,
} from '../sql/sql.ts';
import { jsonObject } from './json-object.ts';
import { quoted } from './statement.ts';

/** As far as a decimal adds numbers up exactly, and so the same in any order. Nothing real is larger. */
const maxExact = 1e15;

export const duckdbDialect: Dialect = {
  name: 'duckdb',
  identifier: (name) => raw(quoted(name)),
  // Texts and lists have no type until their values are known: the engine would else plan a statement when it is prepared,
  // and once more when it runs.
  place: (position, { type }) => {
    const place = `$${position}`;
    switch (type) {
      case 'timestamp':
      case 'text':
        return place;
      case 'date':
        return `${place}::DATE`;
      case 'texts':
        return `from_json(${place}, '["VARCHAR"]')`;
      case 'integers':
        return `from_json(${place}, '["BIGINT"]')`;
      case 'integer':
        return `${place}::BIGINT`;
      case 'number':
        return `${place}::DOUBLE`;
    }
  },
  bucket: (level, at, clock) => sql`CAST(date_trunc(${raw(`'${level}'`)}, ${shifted(at, clock)}) AS DATE)`,
  bucketOfDay: (level, day) => (level === 'day' ? day : sql`CAST(date_trunc(${raw(`'${level}'`)}, ${day}) AS DATE)`),
  count: (where) => (where ? sql`count(*) FILTER (WHERE ${where})` : raw('count(*)')),
  countPresent: (value) => sql`count(${value})`,
  countDistinct: (value, where) =>
    where ? sql`count(DISTINCT ${value}) FILTER (WHERE ${where})` : sql`count(DISTINCT ${value})`,
  aggregate,
  percentile,
  atRank: (value, counts, ranks) => {
    const sorted = sql`list_sort(list(${value}) FILTER (WHERE ${value} IS NOT NULL))`;
    return sql`CAST(${sorted}[${ranks}[list_position(${counts}, count(${value}))]] AS DOUBLE)`;
  },
  ratio: (part, whole) => sql`(${part} / nullif(${whole}, 0))`,
  // Read in the order of names, the first of several is the one that stays.
  mode: (value) => sql`mode(${value} ORDER BY ${value})`,
  lowerMedianDay: (at) => sql`date_trunc('day', quantile_disc(${at}, 0.5))`,
  midnight: (at) => sql`date_trunc('day', ${at})`,
  number: (value) => sql`CAST(${value} AS DOUBLE)`,
  lowerCased: (value) => sql`lower(${value})`,
  contains: (value, word) => sql`contains(${value}, ${word})`,
  lastSegment: (value) => sql`split_part(${value}, '/', -1)`,
  withoutSource: (id) => sql`regexp_replace(${id}, '^[^:]*:', '')`,
  numbered: (repository, number) => sql`(${repository} || '#' || CAST(${number} AS VARCHAR))`,
  isAmong: (value, list) => among(value, list, (one) => one),
  isAmongLowerCased: (value, list) => among(sql`lower(${value})`, list, (one) => sql`lower(${one})`),
  each: (list) => sql`SELECT unnest(${list}) AS value`,
  eachKeyed: (values, keys) => sql`SELECT unnest(${values}) AS value, unnest(${keys}) AS key`,
  listHasAny: (list, values) => sql`coalesce(list_has_any(from_json(${list}, '["VARCHAR"]'), ${values}), false)`,
  listItems: (list) => sql`unnest(from_json(${list}, '["VARCHAR"]'))`,
  isSame: (left, right) => sql`${left} IS NOT DISTINCT FROM ${right}`,
  withoutMatch: (query, alias, on) => sql`ANTI JOIN (${query}) AS ${raw(alias)} ON ${on}`,
  sortedList: (value) => sql`CAST(to_json(list(DISTINCT ${value} ORDER BY ${value})) AS VARCHAR)`,
  objectList: (fields, order) => {
    const object = listed(fields.map(([name, value]) => sql`${raw(`'${name}'`)}: ${value}`));
    return sql`CAST(to_json(list({${object}} ORDER BY ${listed(order)})) AS VARCHAR)`;
  },
  nullOf: (type) => raw(type === 'text' ? 'CAST(NULL AS VARCHAR)' : 'CAST(NULL AS DOUBLE)'),
  row: (cells) =>
    sql`json_array(${listed(cells.map(({ value, type }) => (type === 'timestamp' ? sql`epoch(${value})::BIGINT` : value)))})`,
  bytesOf: (value) => sql`coalesce(strlen(${value}), 0)`,
  // Every character is a byte at least. The length is known without reading the text; cutting is for the few long ones.
  cutText: (value, most) => sql`CASE WHEN strlen(${value}) > ${most} THEN left(${value}, ${most}) ELSE ${value} END`,
  // In the order in which rows come anyway: the engine adds up as they pass and holds none back.
  runningSum: (value) => sql`CAST(sum(${value}) OVER (ROWS UNBOUNDED PRECEDING) AS BIGINT)`,
  // Only the rows that may leave are written: the engine looks at the condition first.
  rowOrNumber: (mayLeave, row, other) => sql`CASE WHEN ${mayLeave} THEN ${row} ELSE to_json(${other}) END`,
  object: jsonObject,
};

/** Up to here values are compared one by one, which the engine can do where the table lies; more are joined. */
const fewValues = 8;

function among(value: Sql, list: ListParameter, lowerCased: (one: Sql) => Sql): Sql {
  if (list.value.length > fewValues) return sql`${value} IN (SELECT ${lowerCased(sql`unnest(${list})`)})`;
  const textOf = list.type === 'texts' && list.isOurs ? ourText : text;
  const each = list.value.map((one) => lowerCased(sql`${typeof one === 'number' ? integer(one) : textOf(one)}`));
  return each.length === 0 ? raw('false') : sql`${value} IN (${listed(each)})`;
}

/** The local time of the organisation. The engine's own zones are 15 times as slow, and another edition of them. */
function shifted(at: Sql, clock: readonly ClockPiece[]): Sql {
  if (clock.every(({ offset }) => offset === 0)) return at;
  const [first, ...later] = clock;
  if (!first) return at;
  if (later.length === 0) return sql`(${at} + to_seconds(${integer(first.offset)}))`;
  const cases = clock
    .slice(0, -1)
    .map(({ offset }, i) => sql`WHEN ${at} < ${timestamp(later[i]?.from ?? 0)} THEN ${integer(offset)}`);
  const last = clock.at(-1)?.offset ?? 0;
  return sql`(${at} + to_seconds(CASE ${joined(cases, ' ')} ELSE ${integer(last)} END))`;
}

function aggregate(how: Aggregation, value: Sql, kind: ValueKind): Sql {
  switch (how) {
    case 'sum':
      return sql`coalesce(${total(value, kind)}, 0)`;
    case 'avg':
      return sql`(${total(value, kind)} / nullif(count(${value}), 0))`;
    case 'min':
    case 'max':
      if (kind === 'timestamp' || kind === 'date') return sql`epoch(${raw(how)}(${value}))`;
      return sql`CAST(${raw(how)}(${value}) AS DOUBLE)`;
    default:
      return percentile(sql`quantile_cont(${value}, ${raw(String(percentiles[how]))})`, kind);
  }
}

/**
 * `quantile_cont` interpolates with a fused multiply-add where the machine has one, so one percentile in twenty has
 * another last bit there. Between whole numbers a percentile is a multiple of 1/20, since the places between two rows are:
 * that multiple is what it is rounded to. Of other numbers 12 digits are alike everywhere. They are written and read
 * again, since rounding by a power of ten overflows, and is off by a bit itself.
 */
function percentile(value: Sql, kind: ValueKind): Sql {
  if (kind !== 'number') return sql`(round(20 * CAST(${value} AS DOUBLE)) / 20)`;
  return sql`TRY_CAST(format('{:.11e}', CAST(${value} AS DOUBLE)) AS DOUBLE)`;
}

/** Fractions are added up as decimals: added as they are, two threads give another last digit every time. */
function total(value: Sql, kind: ValueKind): Sql {
  if (kind !== 'number') return sql`CAST(sum(${value}) AS DOUBLE)`;
  const most = raw(String(maxExact));
  return sql`CASE WHEN max(abs(${value})) < ${most} THEN CAST(sum(CASE WHEN abs(${value}) < ${most} THEN CAST(${value} AS DECIMAL(38, 12)) END) AS DOUBLE) WHEN isfinite(sum(${value})) THEN sum(${value}) END`;
}
