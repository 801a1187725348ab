import type { Row, Value } from '../catalogue/table.ts';

/*
 * Functions over rows of certain columns, compiled once for each list of columns: reading and setting columns by a name
 * that varies takes up to twenty times as long. Many rows are read one after the other, all columns of each: column by
 * column, all of them would come from memory again each time. The columns are those of the catalogue, so nothing that
 * anybody sent gets into the code.
 */

type MakeRow = (values: readonly Value[]) => Row;
type PickColumns = (row: Row) => Record<string, Value>;
type CopyColumns = (from: Row, to: Record<string, Value>) => void;
type ColumnValues = (rows: readonly Row[], areWanted: readonly boolean[]) => Value[][];
type TextLength = (row: Row) => number;
type DifferentColumns = (ones: readonly Row[], others: readonly Row[]) => boolean[];
type VaryingColumns = (rows: readonly Row[], areWanted: readonly boolean[]) => boolean[];
type CompareRows<C extends string = string> = (
  one: { readonly [K in C]: unknown },
  other: { readonly [K in C]: unknown },
) => boolean;

/**
 * Functions that were compiled already: found by the list of columns itself, which is quick, or else by its content.
 */
class Compiled<F> {
  readonly #byList = new WeakMap<readonly string[], F>();
  readonly #byNames = new Map<string, F>();

  of(columns: readonly string[], compiled: (names: readonly string[]) => F): F {
    const known = this.#byList.get(columns);
    if (known) return known;
    const names = columns.map((column) => JSON.stringify(column));
    const made = this.#byNames.get(names.join()) ?? compiled(names);
    this.#byNames.set(names.join(), made);
    this.#byList.set(columns, made);
    return made;
  }
}

const makers = new Compiled<MakeRow>();
const pickers = new Compiled<PickColumns>();
const copiers = new Compiled<CopyColumns>();
const readers = new Compiled<ColumnValues>();
const lengths = new Compiled<TextLength>();
const variations = new Compiled<VaryingColumns>();
const differences = new Compiled<DifferentColumns>();
const comparisons = new Compiled<CompareRows>();

/** Makes a row of these columns from their values. */
export function rowMaker(columns: readonly string[]): MakeRow {
  return makers.of(columns, (names) =>
    compile(
      ['values'],
      literal(names, (_, i) => `values[${i}]`),
    ),
  );
}

/** Makes a row of these columns from a row that may have more. A column that it lacks is null. */
export function columnPicker(columns: readonly string[]): PickColumns {
  return pickers.of(columns, (names) =>
    compile(
      ['row'],
      literal(names, (name) => `row[${name}] ?? null`),
    ),
  );
}

/** Sets these columns of a row to what another has in them. A column that it lacks is null. */
export function columnCopier(columns: readonly string[]): CopyColumns {
  return copiers.of(columns, (names) =>
    compile(['from', 'to'], names.map((name) => `to[${name}] = from[${name}] ?? null`).join(', ') || '0'),
  );
}

/** The values of rows in each wanted column. A column that a row lacks is null. */
export function columnReader(columns: readonly string[]): ColumnValues {
  return readers.of(columns, (names) =>
    compileOverRows(['areWanted'], {
      before: names.map((_, i) => `const list${i} = []; const isWanted${i} = areWanted[${i}];`),
      ofRow: names.map((name, i) => `if (isWanted${i}) list${i}.push(row[${name}] ?? null);`),
      result: names.map((_, i) => `list${i}`),
    }),
  );
}

/** How many characters a row has in these columns of texts. */
export function textLength(columns: readonly string[]): TextLength {
  return lengths.of(columns, (names) =>
    compile(['row'], names.map((name) => `(row[${name}]?.length ?? 0)`).join(' + ') || '0'),
  );
}

/** Which of these columns are wanted and vary from row to row. A column that a row lacks is null. */
export function varyingColumns(columns: readonly string[]): VaryingColumns {
  return variations.of(columns, (names) =>
    compileOverRows(['areWanted'], {
      before: names.map((name, i) => `const first${i} = rows[0]?.[${name}] ?? null; let isSame${i} = areWanted[${i}];`),
      ofRow: names.map((name, i) => `if (isSame${i}) isSame${i} = (row[${name}] ?? null) === first${i};`),
      result: names.map((_, i) => `areWanted[${i}] && !isSame${i}`),
    }),
  );
}

/** In which of these columns any row differs from the one at the same place in another list. */
export function differentColumns(columns: readonly string[]): DifferentColumns {
  return differences.of(columns, (names) =>
    compileOverRows(['others'], {
      before: names.map((_, i) => `let isOther${i} = false;`),
      ofRow: [
        'const other = others[i];',
        ...names.map((name, i) => `isOther${i} ||= row[${name}] !== other[${name}];`),
      ],
      result: names.map((_, i) => `isOther${i}`),
    }),
  );
}

/** Whether two rows differ in any of these columns. */
export function rowComparison<C extends string>(columns: readonly C[]): CompareRows<C> {
  return comparisons.of(columns, (names) =>
    compile(['one', 'other'], names.map((name) => `one[${name}] !== other[${name}]`).join(' || ') || 'false'),
  );
}

const literal = (names: readonly string[], value: (name: string, i: number) => string): string =>
  `{ ${names.map((name, i) => `${name}: ${value(name, i)}`).join(', ')} }`;

const compile = <F>(parameters: readonly string[], expression: string): F =>
  new Function(...parameters, `return (${expression});`) as F;

interface OverRows {
  readonly before: readonly string[];
  /** With `row` and its place, `i`. */
  readonly ofRow: readonly string[];
  readonly result: readonly string[];
}

const compileOverRows = <F>(parameters: readonly string[], { before, ofRow, result }: OverRows): F => {
  const loop = `for (let i = 0; i < rows.length; i++) { const row = rows[i]; ${ofRow.join('')} }`;
  return new Function('rows', ...parameters, `${before.join('')} ${loop} return [${result}];`) as F;
};
