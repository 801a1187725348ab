import type { Row, Value } from '../catalogue/table.ts';

/*
 * Functions over rows of certain columns, compiled once for each list of columns: reading and setting columns by a name
 * that varies takes up to twenty times as long. The columns are those of the catalogue, so nothing that anybody sent gets
 * into the code.
 */

type MakeRow = (values: readonly Value[]) => Row;
type PickColumns = (row: Row) => Record<string, Value>;
type CopyColumns = (from: Row, to: Record<string, Value>) => void;
type ColumnValues = (rows: readonly Row[]) => Value[];
type CompareRows<C extends string = string> = (
  one: { readonly [K in C]: unknown },
  other: { readonly [K in C]: unknown },
) => boolean;

const makers = new Map<string, MakeRow>();
const pickers = new Map<string, PickColumns>();
const copiers = new Map<string, CopyColumns>();
const readers = new Map<string, ColumnValues>();
const comparisons = new Map<string, CompareRows>();

/** Makes a row of these columns from their values. */
export function rowMaker(columns: readonly string[]): MakeRow {
  return known(makers, columns, (names) =>
    compile(
      ['values'],
      literal(names, (_, i) => `values[${i}]`),
    ),
  );
}

/** Makes a row of these columns from a row that may have more. A column that it lacks is null. */
export function columnPicker(columns: readonly string[]): PickColumns {
  return known(pickers, columns, (names) =>
    compile(
      ['row'],
      literal(names, (name) => `row[${name}] ?? null`),
    ),
  );
}

/** Sets these columns of a row to what another has in them. A column that it lacks is null. */
export function columnCopier(columns: readonly string[]): CopyColumns {
  return known(copiers, columns, (names) =>
    compile(['from', 'to'], names.map((name) => `to[${name}] = from[${name}] ?? null`).join(', ') || '0'),
  );
}

/** What rows have in a column, one after the other. */
export function columnReader(column: string): ColumnValues {
  return known(readers, [column], ([name]) => compile(['rows'], `rows.map((row) => row[${name}] ?? null)`));
}

/** Whether two rows differ in any of these columns. */
export function rowComparison<C extends string>(columns: readonly C[]): CompareRows<C> {
  return known(comparisons, columns, (names) =>
    compile(['one', 'other'], names.map((name) => `one[${name}] !== other[${name}]`).join(' || ') || 'false'),
  );
}

const quoted = (column: string): string => JSON.stringify(column);

const literal = (names: readonly string[], value: (name: string, i: number) => string): string =>
  `{ ${names.map((name, i) => `${name}: ${value(name, i)}`).join(', ')} }`;

const compile = <F>(parameters: readonly string[], expression: string): F =>
  new Function(...parameters, `return (${expression});`) as F;

function known<F>(functions: Map<string, F>, columns: readonly string[], make: (names: readonly string[]) => F): F {
  const names = columns.map(quoted);
  const shape = names.join();
  const found = functions.get(shape) ?? make(names);
  functions.set(shape, found);
  return found;
}
