import { type FirstNameOf, type References, storedReference } from '../../catalogue/record-ids.ts';
import { type Row, recordShapeOf, storedAs, type Table, type Value } from '../../catalogue/table.ts';
import { childrenOf, type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Rejection } from '../../directory/put-records.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { keysOfPullRequest, keysOfReference, meantBy } from '../attribute/named-pull-requests.ts';
import { type RecordChange, readChanges, type TableRecords } from '../read/record-changes.ts';
import type { TableOverlay } from '../write/table-overlay.ts';
import { type Batch, tableOf } from './batch.ts';
import { idColumnOf, writeOutIds } from './full-ids.ts';

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

/** The fields of a table whose references are looked up: the parent, and the pull requests that a row names. */
const checkedFields = ({ parent, references = [] }: Table): readonly string[] => [
  ...(parent?.key ?? []),
  ...references.filter((field) => field !== 'parent_issue_id'),
];

/**
 * References of records, by field and as they were sent, to rows that are not stored. `written` are the same records with
 * their ids written out. Reads no more than the rows that are named.
 */
async function unmatchedReferences(
  batch: Batch,
  table: Table,
  sent: readonly RecordChange[],
  written: readonly RecordChange[],
): Promise<References> {
  const unmatched: Record<string, readonly string[]> = {};
  for (const field of checkedFields(table)) {
    const named = new Map<string, string>();
    for (const [i, { key, fields, isDeleted }] of written.entries()) {
      if (isDeleted) continue;
      const asSent = listOf(sent[i]?.key[field] ?? sent[i]?.fields[field]);
      for (const [place, id] of listOf(key[field] ?? fields[field]).entries()) named.set(id, asSent[place] ?? id);
    }
    if (named.size === 0) continue;
    const isThere =
      field === table.parent?.key[0] ? await storedParents(batch, table, named) : await meant(batch, named);
    const missing = [...named].flatMap(([id, asSent]) => (isThere(id) ? [] : [asSent]));
    if (missing.length > 0) unmatched[field] = [...new Set(missing)];
  }
  return unmatched;
}

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : typeof value === 'string' ? [value] : [];

type IsThere = (id: string) => boolean;

async function storedParents(batch: Batch, { parent }: Table, ids: ReadonlyMap<string, string>): Promise<IsThere> {
  const name = parent?.table as FactTable;
  const [key = ''] = factTables[name].key;
  const rows = await batch.session.select(factTables[name] as Table, [key as never], {
    column: key,
    in: [...ids.keys()],
  });
  const stored = new Set(rows.map((row) => (row as Readonly<Record<string, unknown>>)[key]));
  const { entries } = tableOf(batch, name);
  return (id) => stored.has(id) || entries.get(id)?.after !== undefined;
}

async function meant({ session, earlierNames }: Batch, ids: ReadonlyMap<string, string>): Promise<IsThere> {
  const keys = new Map([...ids.keys()].map((id) => [id, keysOfReference(id, earlierNames)]));
  const where = meantBy([...keys.values()].flat());
  const rows = await session.select(pullRequests, ['pr_id', 'repository_key', 'pr_number'], where);
  const there = new Set(rows.flatMap(keysOfPullRequest));
  return (id) => (keys.get(id) ?? []).some((key) => there.has(key));
}
