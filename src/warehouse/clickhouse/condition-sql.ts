import { dayNumber } from '../../calendar.ts';
import type { FieldType } from '../../catalogue/record.ts';
import { storedColumns, type Table, type Value } from '../../catalogue/table.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { type ConditionOnSpan, conditionIn, isSpanEnd, type KeySpan, type SpanEnd } from '../intake-port.ts';
import {
  allOf,
  anyOf,
  date,
  integer,
  integers,
  joined,
  type ListParameter,
  listed,
  number,
  raw,
  type Sql,
  sql,
  text,
  texts,
} from '../sql/sql.ts';
import { clickhouseDialect, inPieces } from './dialect.ts';

export const columnOf = (alias: string, name: string): Sql => sql`${raw(alias)}.${clickhouseDialect.identifier(name)}`;

export const typeOf = (table: Table, column: string): FieldType => {
  const type = storedColumns(table).get(column);
  if (!type) throw new Error(`${table.name} keeps no column ${column}`);
  return type;
};

/** A condition in the engine's words. */
export function condition(table: Table, where: ConditionOnSpan, alias: string, endOf: EndOfSpan = refuseEnd): Sql {
  const connected = (parts: readonly ConditionOnSpan[], none: string, connect: (pieces: readonly Sql[]) => Sql): Sql =>
    parts.length === 0 ? raw(none) : sql`(${connect(parts.map((part) => condition(table, part, alias, endOf)))})`;
  if ('all' in where) return connected(where.all, 'true', allOf);
  if ('any' in where) return connected(where.any, 'false', anyOf);
  if ('spans' in where) return isInSpans(table, where, alias);
  if ('columns' in where) return isAmongTuples(table, where.columns, where.among, alias);
  const column = columnOf(alias, where.column);
  const type = typeOf(table, where.column);
  if ('in' in where) return isAmong(type, column, where.in);
  if ('isNull' in where) return sql`${column} IS ${raw(where.isNull ? '' : 'NOT ')}NULL`;
  const limit = (value: Value | SpanEnd): Sql => (isSpanEnd(value) ? endOf(value.end) : boundTo(type, value));
  if ('atLeast' in where) return sql`${column} >= ${limit(where.atLeast)}`;
  if ('below' in where) return sql`${column} < ${limit(where.below)}`;
  return sql`${column} <= ${limit(where.atMost)}`;
}

/** An end of the span of a row's key. */
type EndOfSpan = (end: SpanEnd['end']) => Sql;

const refuseEnd: EndOfSpan = (end) => {
  throw new Error(`No spans say where ${end} is.`);
};

/** Rows without a key have no text to be looked up by: what their span says is written out. */
function isInSpans(table: Table, { key: name, spans, holds }: ConditionOfSpans, alias: string): Sql {
  const column = columnOf(alias, name);
  const named = spans.filter(({ key }) => key !== null);
  const ways = spans
    .filter(({ key }) => key === null)
    .map((span) => sql`(${column} IS NULL AND ${condition(table, conditionIn(holds, span), alias)})`);
  if (named.length > 0) {
    const keys = inPieces(texts(named.map(({ key }) => key ?? '')));
    const key = sql`ifNull(${column}, '')`;
    const isMeant = condition(table, holds, alias, (end) => spanEnd(key, keys, named, end));
    ways.push(sql`(${column} IN ${keys} AND ${isMeant})`);
  }
  return ways.length === 0 ? raw('false') : sql`(${anyOf(ways)})`;
}

type ConditionOfSpans = Extract<ConditionOnSpan, { readonly spans: readonly KeySpan[] }>;

/** The engine looks a key up once for each row, whichever span it has. */
const spanEnd = (key: Sql, keys: Sql, spans: readonly KeySpan[], end: SpanEnd['end']): Sql =>
  sql`transform(${key}, ${keys}, ${inPieces(integers(spans.map((span) => span[end] ?? 0)))}, toInt64(0))`;

function boundTo(type: FieldType, value: Value): Sql {
  if (value === null) return raw('NULL');
  if (type === 'boolean') return raw(String(value === true));
  if (type === 'number') return sql`${number(Number(value))}`;
  if (type === 'date') return sql`${date(String(value))}`;
  return isText(type) ? sql`${text(String(value))}` : sql`${integer(Number(value))}`;
}

const isText = (type: FieldType): boolean => type === 'text' || type === 'text[]' || type === 'json';

/** A list that can be bound as one; other values are said one by one. */
function listOf(type: FieldType, values: readonly Value[]): ListParameter | undefined {
  if (isText(type)) return texts(values.map(String));
  if (type === 'number' || type === 'boolean') return undefined;
  return integers(values.map((value) => (typeof value === 'string' ? dayNumber(value) : Number(value))));
}

/** A null is in no list, as in every engine. */
function isAmong(type: FieldType, column: Sql, values: readonly Value[]): Sql {
  const given = values.filter((value) => value !== null);
  if (given.length === 0) return raw('false');
  const list = listOf(type, given);
  if (list) return clickhouseDialect.isAmong(column, list);
  return sql`${column} IN (${listed(given.map((value) => boundTo(type, value)))})`;
}

/** Tuples that lack the same columns are looked for together; here a null equals a null. */
function isAmongTuples(
  table: Table,
  columns: readonly string[],
  among: readonly (readonly Value[])[],
  alias: string,
): Sql {
  const alike = listsByKey(among, (tuple) => columns.map((_, i) => Number((tuple[i] ?? null) === null)).join(''));
  if (alike.size === 0) return raw('false');
  const ways = [...alike].map(([lacking, tuples]) => {
    const given = columns.map((name, i) => ({ name, i })).filter(({ i }) => lacking[i] === '0');
    const nulls = columns.filter((_, i) => lacking[i] === '1').map((name) => sql`${columnOf(alias, name)} IS NULL`);
    const isOne = given.length === 0 ? [] : [isTuple(table, given, tuples, alias)];
    return sql`(${allOf([...nulls, ...isOne])})`;
  });
  return anyOf(ways);
}

function isTuple(
  table: Table,
  given: readonly { readonly name: string; readonly i: number }[],
  tuples: readonly (readonly Value[])[],
  alias: string,
): Sql {
  const lists = given.map(({ name, i }) =>
    listOf(
      typeOf(table, name),
      tuples.map((tuple) => tuple[i] ?? null),
    ),
  );
  const [only] = lists;
  if (given.length === 1 && only) return clickhouseDialect.isAmong(columnOf(alias, given[0]?.name ?? ''), only);
  if (lists.every((list) => list !== undefined)) {
    const zipped = sql`arrayZip(${listed(lists.map(inPieces))})`;
    // The engine does not compare a tuple with a null in it: one is looked for where there is none.
    const nullable = given.filter(({ name }) => !table.key.includes(name)).map(({ name }) => columnOf(alias, name));
    const present = nullable.map((column) => sql`${column} IS NOT NULL AND `);
    const cells = given.map(({ name }) => {
      const column = columnOf(alias, name);
      return table.key.includes(name) ? column : sql`assumeNotNull(${column})`;
    });
    return sql`${joined(present, '')}(${listed(cells)}) IN (SELECT arrayJoin(${zipped}))`;
  }
  const each = tuples.map((tuple) =>
    allOf(
      given.map(({ name, i }) => sql`${columnOf(alias, name)} = ${boundTo(typeOf(table, name), tuple[i] ?? null)}`),
    ),
  );
  return anyOf(each);
}
