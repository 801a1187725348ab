import { type FirstNameOf, storedReference } from '../../catalogue/record-ids.ts';
import { type Row, recordShapeOf, storedAs, type Table, type Value } from '../../catalogue/table.ts';
import { childrenOf, type FactTable, factTables } from '../../catalogue/tables/tables.ts';
import type { Rejection } from '../../directory/records.ts';
import type { References } from '../../directory/unmatched-references.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { readChanges, type TableRecords } from '../read/record-changes.ts';
import type { TableOverlay } from '../write/table-overlay.ts';
import { type Batch, tableOf } from './batch.ts';
import { idColumnOf, writeOutIds } from './full-ids.ts';
import { unmatchedReferences } from './unmatched-references.ts';

interface ApplyOptions {
  /** Called with the references that match nothing. They are looked up only where somebody listens. */
  readonly reportUnmatched?: ((references: References) => void) | undefined;
}

/** Applies records to the stored rows: a field that a record leaves out stays, one that it sets to null is cleared. */
export async function applyRecords(
  batch: Batch,
  records: TableRecords,
  { reportUnmatched }: ApplyOptions = {},
): Promise<Rejection[]> {
  const table: Table = factTables[records.table];
  const overlay = tableOf(batch, records.table);
  const { firstNameOf } = batch.earlierNames;
  const { changes: read, rejected } = await readChanges(records, { firstNameOf });
  const changes = await writeOutIds(batch, table, read, () => unwrittenParents(batch, table));
  // A set with a record that cannot be read is not known to be whole: nothing of it is taken away.
  const wholeSetsOf = rejected.length === 0 ? records.wholeSetsOf : undefined;
  await overlay.loadWhole(
    batch.session,
    changes.map(({ key }) => key),
  );
  const gone: Row[] = [];
  const columns = columnsOf(table);
  for (const { key, fields, implied = {}, isDeleted } of changes) {
    if (isTurnLong()) await nextTurn();
    if (isDeleted) {
      const entry = overlay.entries.get(overlay.keyOf(key));
      if (entry) overlay.remove(entry);
      gone.push(key);
      continue;
    }
    const row: Record<string, Value> = overlay.make(key);
    // The latest record with a key is the one that counts, so its sender is, too.
    if (table.sentByEngineer) row[table.sentByEngineer] = records.sentByEngineer === true;
    for (const field in fields) {
      const column = columns.get(field);
      if (column) row[column.name] = storedValue(fields[field], column.isJson);
    }
    for (const field in implied) {
      const column = columns.get(field);
      if (column && !(field in fields)) row[column.name] ??= storedValue(implied[field], column.isJson);
    }
    for (const column of table.references ?? []) {
      if (column in fields) row[column] = storedReferences(table, column, row, firstNameOf);
    }
  }
  if (wholeSetsOf) {
    const present = new Set(changes.map(({ key }) => overlay.keyOf(key)));
    await removeSets(batch, table, overlay, wholeSetsOf, present);
  }
  await removeChildren(batch, records.table, gone);
  if (reportUnmatched) reportUnmatched(await unmatchedReferences(batch, table, read, changes));
  return rejected;
}

/** Pull requests and issues that came in the same change, before their parts: none of them may be stored yet. */
function unwrittenParents(batch: Batch, table: Table): Row[] {
  const of = idColumnOf(table)?.of;
  if (!of) return [];
  const { entries } = tableOf(batch, of.name as FactTable);
  return [...entries.values()].flatMap(({ after }) => (after ? [after] : []));
}

/** The references in a column of a row, one or a list of them, as they are stored. */
export function storedReferences(table: Table, column: string, row: Row, firstNameOf: FirstNameOf): Value {
  const value = row[column] ?? null;
  if (typeof value !== 'string' || !value.includes('#')) return value;
  const stored = (id: string): string => storedReference(id, row.source, firstNameOf);
  if (table.columns[column]?.type !== 'text[]') return stored(value);
  const list = JSON.parse(value) as readonly string[];
  const now = list.map(stored);
  return now.some((id, i) => id !== list[i]) ? JSON.stringify([...new Set(now)]) : value;
}

interface StoredField {
  readonly name: string;
  readonly isJson: boolean;
}
const storedFields = new WeakMap<Table, ReadonlyMap<string, StoredField>>();

/** Where each field of a record is stored, the key left out: a new row has it already, and no other changes it. */
function columnsOf(table: Table): ReadonlyMap<string, StoredField> {
  const known = storedFields.get(table);
  if (known) return known;
  const columns = new Map<string, StoredField>();
  for (const [field, { type }] of Object.entries(recordShapeOf(table).fields)) {
    if (table.key.includes(field)) continue;
    columns.set(field, { name: storedAs(table, field), isJson: type === 'json' || type === 'text[]' });
  }
  storedFields.set(table, columns);
  return columns;
}

/** Lists and JSON are stored as text, a JSON text in quotes included. */
const storedValue = (value: unknown, isJson: boolean): Value =>
  isJson && value !== null ? JSON.stringify(value) : (value as Value);

/** Removes the parts of rows that are gone. */
async function removeChildren(batch: Batch, parent: FactTable, gone: readonly Row[]): Promise<void> {
  if (gone.length === 0) return;
  for (const name of childrenOf(parent)) {
    const child: Table = factTables[name];
    const column = child.parent?.key[0];
    if (column === undefined) continue;
    const parents = gone.map((row) => row[column] ?? null);
    await removeSets(batch, child, tableOf(batch, name), parents);
  }
}

async function removeSets(
  { session }: Batch,
  child: Table,
  overlay: TableOverlay<Table>,
  parents: readonly Value[],
  present: ReadonlySet<string> = new Set(),
): Promise<void> {
  const column = child.parent?.key[0];
  if (column === undefined) throw new Error(`${child.name} is no part of anything`);
  await overlay.load(session, { column, in: parents });
  const wanted = new Set(parents);
  for (const entry of overlay.entries.values()) {
    if (wanted.has(entry.after?.[column] ?? null) && !present.has(entry.key)) overlay.remove(entry);
  }
}
