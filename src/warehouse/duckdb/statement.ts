import type { FieldType } from '../../catalogue/record.ts';
import { type Row, storedColumns, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import { varyingValues } from '../row-shapes.ts';

/** A moment is bound as the engine's own timestamp: worked out from a number it would be planned for twice. */
type BoundScalar = string | number | boolean | Date | null;

/**
 * A statement with numbered values. A list is one JSON text, which the engine takes apart itself. It is written only
 * when it is bound: nobody has to wait while all the lists of a wide table are written in one go.
 */
export interface EngineStatement {
  readonly sql: string;
  readonly values: readonly (BoundScalar | (() => string))[];
}

/**
 * Lists and JSON are kept as JSON text: DuckDB moves a row to the end of its table when a list in it is updated, and the
 * order of rows is what makes a window of time cheap.
 */
export const keptTypes: Readonly<Record<FieldType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  duration: 'BIGINT',
  'text[]': 'VARCHAR',
  json: 'VARCHAR',
};

/** How a value of each type travels inside JSON. */
const travellingTypes: Readonly<Record<FieldType, string>> = { ...keptTypes, timestamp: 'BIGINT' };

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const typeOf = (table: Table, column: string): FieldType => {
  const type = storedColumns(table).get(column);
  if (!type) throw new Error(`${table.name} keeps no column ${column}`);
  return type;
};

/** Converts JSON into the column. */
const arriving = (type: FieldType, sql: string): string => (type === 'timestamp' ? `epoch_ms(${sql} * 1000)` : sql);
/** Converts the column into JSON. */
export const leaving = (type: FieldType, sql: string): string => (type === 'timestamp' ? `epoch(${sql})::BIGINT` : sql);

/** A table in the file of an organisation. */
export const tableIn = (schema: string, table: Table): string => `${schema}.${quoted(table.name)}`;

/** Collects values while a statement is written. */
export class BoundValues {
  readonly list: (BoundScalar | (() => string))[] = [];

  /** One value, of the type that the column has. A null is written out: bound, it is planned for a second time. */
  one(type: FieldType, value: Value): string {
    if (value === null) return `NULL::${keptTypes[type]}`;
    return arriving(type, `${this.#add(value)}::${travellingTypes[type]}`);
  }

  /** A column of values, one row each, of the type that the column has. */
  rows(type: FieldType, values: () => readonly Value[]): string {
    return arriving(type, `unnest(${this.#listOf(travellingTypes[type], values)})`);
  }

  /** A whole number that no JavaScript number may hold, written as text. */
  number(text: string): string {
    return `${this.#add(text)}::BIGINT`;
  }

  /** One row for each id. */
  numbers(texts: readonly string[]): string {
    return `unnest(${this.#listOf('BIGINT', () => texts)})`;
  }

  #listOf(type: string, values: () => readonly Value[]): string {
    return `from_json(${this.#add(() => JSON.stringify(values()))}::VARCHAR, '["${type}"]')`;
  }

  #add(value: BoundScalar | (() => string)): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** Up to here values are written out one by one: taking lists apart costs the engine some 10 ms of planning. */
export const maxWrittenOut = 4;

/**
 * One row for each item, with the named columns and with further ones, each a name with a whole number for every row,
 * as text.
 */
export function valuesTable(
  table: Table,
  columns: readonly string[],
  rows: readonly Row[],
  values: BoundValues,
  numbers: Readonly<Record<string, readonly string[]>> = {},
): string {
  const more = Object.entries(numbers);
  if (rows.length > 0 && rows.length <= maxWrittenOut) {
    const names = [...columns, ...more.map(([name]) => name)].map(quoted);
    const lines = rows.map((row, i) => {
      const given = columns.map((column) => values.one(typeOf(table, column), row[column] ?? null));
      return `(${[...given, ...more.map(([, list]) => values.number(list[i] ?? ''))].join(', ')})`;
    });
    return `(SELECT * FROM (VALUES ${lines.join(', ')}) AS given(${names.join(', ')}))`;
  }
  // Most columns of a wide table say the same in all rows, nothing as a rule: that is said once. One list has to be
  // there, though, since it says how many rows there are.
  const lists = valuesThatVary(table, columns, rows);
  const last = columns.at(-1);
  if (more.length === 0 && lists.size === 0 && last !== undefined) {
    lists.set(last, Array(rows.length).fill(rows[0]?.[last] ?? null));
  }
  const given = columns.map((column) => {
    const type = typeOf(table, column);
    const list = lists.get(column);
    const value = list ? values.rows(type, () => list) : values.one(type, rows[0]?.[column] ?? null);
    return `${value} AS ${quoted(column)}`;
  });
  return `(SELECT ${[...given, ...more.map(([name, list]) => `${values.numbers(list)} AS ${quoted(name)}`)].join(', ')})`;
}

/** The values of each of these columns that is not the same in all rows. */
function valuesThatVary(table: Table, columns: readonly string[], rows: readonly Row[]): Map<string, readonly Value[]> {
  // By functions for all columns of the table: which of them are written differs from change to change, and there would
  // be one for every selection.
  const all = storedNames(table);
  const wanted = new Set(columns);
  const lists = varyingValues(all)(
    rows,
    all.map((column) => wanted.has(column)),
  );
  return new Map(
    all.flatMap((column, i) => {
      const list = lists[i];
      return list ? [[column, list] as const] : [];
    }),
  );
}
