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
type VaryingValues = (rows: readonly Row[], areWanted: readonly boolean[]) => (Value[] | undefined)[];
type CompareRows = <C extends string>(
  columns: readonly C[],
) => (one: { readonly [K in C]: unknown }, other: { readonly [K in C]: unknown }) => boolean;

/** A function for each list of columns. It is found by the list itself, which is quick, or else by the names in it. */
function forColumns<F>(compiled: (names: readonly string[]) => F): (columns: readonly string[]) => F {
  const byList = new WeakMap<readonly string[], F>();
  const byNames = new Map<string, F>();
  return (columns) => {
    const known = byList.get(columns);
    if (known) return known;
    const names = columns.map((column) => JSON.stringify(column));
    const made = byNames.get(names.join()) ?? compiled(names);
    byNames.set(names.join(), made);
    byList.set(columns, made);
    return made;
  };
}

const compile = <F>(parameters: readonly string[], body: string): F => new Function(...parameters, body) as F;

const literal = (names: readonly string[], value: (name: string, i: number) => string): string =>
  `{ ${names.map((name, i) => `${name}: ${value(name, i)}`).join(', ')} }`;

/** Makes a row of these columns from their values. */
export const rowMaker = forColumns<MakeRow>((names) =>
  compile(['values'], `return ${literal(names, (_, i) => `values[${i}]`)};`),
);

/** Makes a row of these columns from a row that may have more. A column that it lacks is null. */
export const columnPicker = forColumns<PickColumns>((names) =>
  compile(['row'], `return ${literal(names, (name) => `row[${name}] ?? null`)};`),
);

/** Sets these columns of a row to what another has in them. A column that it lacks is null. */
export const columnCopier = forColumns<CopyColumns>((names) =>
  compile(['from', 'to'], names.map((name) => `to[${name}] = from[${name}] ?? null;`).join('')),
);

/** Whether two rows differ in any of these columns. */
export const rowComparison: CompareRows = forColumns((names) =>
  compile(
    ['one', 'other'],
    `return ${names.map((name) => `one[${name}] !== other[${name}]`).join(' || ') || 'false'};`,
  ),
);

/**
 * The values of rows in each column that is wanted and not the same in all of them. A column that a row lacks is null.
 */
export const varyingValues = forColumns<VaryingValues>((names) => {
  const overRows = (ofRow: readonly string[]) => `for (const row of rows) { ${ofRow.join('')} }`;
  return compile(
    ['rows', 'areWanted'],
    [
      ...names.map((name, i) => `const first${i} = rows[0]?.[${name}] ?? null; let varies${i} = !areWanted[${i}];`),
      overRows(names.map((name, i) => `varies${i} ||= (row[${name}] ?? null) !== first${i};`)),
      ...names.map((_, i) => `const list${i} = varies${i} && areWanted[${i}] ? [] : undefined;`),
      overRows(names.map((name, i) => `if (list${i}) list${i}.push(row[${name}] ?? null);`)),
      `return [${names.map((_, i) => `list${i}`)}];`,
    ].join('\n'),
  );
});
