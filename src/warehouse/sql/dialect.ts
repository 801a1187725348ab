import type { ClockPiece, DateLevel } from '../../calendar.ts';
import type { FieldType } from '../../catalogue/record.ts';
import type { Aggregation, ValueKind } from '../../expression/expression.ts';
import type { ListParameter, Parameter, Sql } from './sql.ts';

/** Everything that engines write differently. One record for each engine: no subclasses, no flags, no driver. */
export interface Dialect {
  readonly name: string;
  identifier(name: string): Sql;
  /** The placeholder of a bound value in the text. */
  place(position: number, parameter: Parameter): string;
  /** The first day of the bucket in which the clocks of the organisation show a timestamp. */
  bucket(level: DateLevel, at: Sql, clock: readonly ClockPiece[]): Sql;
  /** The bucket of a column that holds days. */
  bucketOfDay(level: DateLevel, day: Sql): Sql;
  count(where: Sql | undefined): Sql;
  /** How many rows have a value. */
  countPresent(value: Sql): Sql;
  countDistinct(value: Sql, where: Sql | undefined): Sql;
  /** Numbers of many rows made into one, the same for the same rows in any order. Nothing for no rows but a sum, which is 0. */
  aggregate(aggregation: Aggregation, value: Sql, kind: ValueKind): Sql;
  /** A percentile as it is shown: the same on every machine, however an engine interpolates. */
  percentile(value: Sql, kind: ValueKind): Sql;
  /** The value at a rank of the sorted ones that are there. Of as many as stand in the counts, the rank at the same place. */
  atRank(value: Sql, counts: ListParameter, ranks: ListParameter): Sql;
  ratio(part: Sql, whole: Sql): Sql;
  /** The most frequent value; of several the first by code point. */
  mode(value: Sql): Sql;
  /** Midnight (UTC) of the day of the middle one of many timestamps; of two the earlier. */
  lowerMedianDay(at: Sql): Sql;
  /** Midnight (UTC) of the day of a timestamp. */
  midnight(at: Sql): Sql;
  /** A number of any size and precision. */
  number(value: Sql): Sql;
  lowerCased(value: Sql): Sql;
  contains(value: Sql, word: Sql): Sql;
  /** The text behind the last slash. */
  lastSegment(value: Sql): Sql;
  /** An id without its source, `github:`, where it has one. */
  withoutSource(id: Sql): Sql;
  /** `acme/web#7` of a repository and a number. */
  numbered(repository: Sql, number: Sql): Sql;
  isAmong(value: Sql, list: ListParameter): Sql;
  isAmongLowerCased(value: Sql, list: ListParameter): Sql;
  /** A query of one column, `value`, with a row for each of some values. */
  each(list: ListParameter): Sql;
  /** A query of two columns, `value` and `key`, with a row for each of some values and what stands at its place in the keys. */
  eachKeyed(values: ListParameter, keys: ListParameter): Sql;
  /** Whether a kept list, which is JSON text, has one of the values. */
  listHasAny(list: Sql, values: ListParameter): Sql;
  /** A row for each item of a kept list. */
  listItems(list: Sql): Sql;
  isSame(left: Sql, right: Sql): Sql;
  /**
   * Keeps the rows so far that no row of a query matches. Only one comparison may say which match: with a second one
   * DuckDB compares every row with every other.
   */
  withoutMatch(query: Sql, alias: string, on: Sql): Sql;
  /** Distinct texts of many rows as a sorted list, as kept lists are. */
  sortedList(value: Sql): Sql;
  /** A JSON list of objects, one for each of many rows. */
  objectList(fields: readonly (readonly [name: string, value: Sql])[], order: readonly Sql[]): Sql;
  nullOf(type: 'number' | 'text'): Sql;
  /** A row of the answer, as the engine's driver takes it apart. */
  row(cells: readonly { readonly value: Sql; readonly type: FieldType }[]): Sql;
  /** Bytes of a text; 0 where there is none. */
  bytesOf(text: Sql): Sql;
  /** A text that is longer than some bytes, cut to its beginning. Cutting does not change which of two texts comes first. */
  cutText(text: Sql, maxBytes: Parameter): Sql;
  /** The sum of a number over this row and all that came before it. */
  runningSum(value: Sql): Sql;
  /** A row where it may leave the engine, and a number in its place where it may not. */
  rowOrNumber(mayLeave: Sql, row: Sql, number: Sql): Sql;
  /** A row of the answer as a JSON object, with the bytes that it has here. Undefined where the engine writes others. */
  object(fields: readonly ObjectField[]): Sql | undefined;
}

/** A field of a JSON object: a value, shown as `ofNothing` where there is none, or true in every row. */
export type ObjectField =
  | { readonly name: string; readonly type: FieldType; readonly value: Sql; readonly ofNothing: 0 | null }
  | { readonly name: string; readonly always: true };
