import { inheritedColumns, type Table } from '../../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import type { AnyDerivation } from '../../../src/ingest/derive/all-derivations.ts';

/** The order in which the pipeline writes columns of a family, whatever the order of the list. */
const steps = ['row', 'part', 'parent', 'inherited', 'siblings', 'lookup', 'elsewhere'] as const;
type Step = (typeof steps)[number];

interface Moment {
  readonly step: Step;
  /** Within a step the list decides. */
  readonly place: number;
}

/** Columns that a derivation reads before they are written, as `table.column`. */
export function readTooEarly(
  list: readonly AnyDerivation[],
  elsewhere: { readonly [N in FactTable]?: readonly string[] },
): string[] {
  const written = new Map<string, Moment>();
  for (const name of factTableNames) {
    const table: Table = factTables[name];
    for (const column of inheritedColumns(table)) written.set(`${name}.${column}`, { step: 'inherited', place: 0 });
    for (const column of elsewhere[name] ?? []) written.set(`${name}.${column}`, { step: 'elsewhere', place: 0 });
  }
  for (const [place, { table, kind, writes }] of list.entries())
    for (const column of writes) written.set(`${nameOf(table)}.${column}`, { step: kind, place });
  return list.flatMap((one, place) =>
    readsOf(one).filter((column) => {
      const source = written.get(column);
      return source !== undefined && isLater(source, { step: one.kind, place });
    }),
  );
}

const isLater = (a: Moment, b: Moment): boolean =>
  steps.indexOf(a.step) - steps.indexOf(b.step) > 0 || (a.step === b.step && a.place > b.place);

function readsOf(one: AnyDerivation): string[] {
  const name = nameOf(one.table);
  const parent = one.table.parent?.table;
  return [
    ...one.reads.map((column) => `${name}.${column}`),
    ...(one.kind === 'part' ? one.readsParent.map((column) => `${parent}.${column}`) : []),
    ...('parts' in one ? namesIn(one.parts) : []),
    ...(one.kind === 'lookup' ? namesIn(one.lookups) : []),
  ];
}

const namesIn = (columns: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(columns).flatMap(([table, some]) => some.map((column) => `${table}.${column}`));

const nameOf = (table: Table): FactTable => {
  const name = factTableNames.find((one) => (factTables[one] as Table) === table);
  if (!name) throw new Error('a derivation of a table that is not listed');
  return name;
};
