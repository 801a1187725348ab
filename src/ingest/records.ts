import { type Form, readRecord } from '../catalogue/record.ts';
import { type Row, recordShapeOf, storedAs, type Table, type Value } from '../catalogue/table.ts';
import { childrenOf, type FactTable, factTables } from '../catalogue/tables/tables.ts';
import { keyOf } from '../directory/identifier.ts';
import type { Line, Rejection } from '../directory/records.ts';
import { EventLoopYield } from '../yield-to-event-loop.ts';
import type { Draft } from './draft.ts';
import { draftOf, type Workspace } from './workspace.ts';

/** Records of one table, in the order in which they are to take effect. */
export interface TableRecords {
  readonly table: FactTable;
  readonly lines: readonly Line[];
  readonly form?: Form;
  /**
   * Parents of which all children are in this batch: what else was known of them goes. For a connector that has read
   * them all, so that force-pushed commits leave no trace.
   */
  readonly wholeSetsOf?: readonly string[];
  /** Whether an engineer sends them about themselves. Else an Owner's key, an import or a connector brings them. */
  readonly sentByEngineer?: boolean;
}

/** A record after reading: what it sets, by field, and the key of its row, which may have to go. */
interface Change {
  readonly key: Row;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isDeleted: boolean;
}

/** What is wrong with records, without a look at what is there: nothing else can be wrong with them. */
export async function problemsOf(
  { table: name, lines, form = 'json' }: TableRecords,
  { untilOneIsGood = false } = {},
): Promise<Rejection[]> {
  const table: Table = factTables[name];
  const eventLoop = new EventLoopYield();
  const rejected: Rejection[] = [];
  for (const { line, value } of lines) {
    const change = changeOf(table, value, form);
    if (typeof change === 'string') rejected.push({ line, detail: change });
    else if (untilOneIsGood) return rejected;
    // Also behind the last: whoever looks at it next does not know how long this took.
    if (eventLoop.isDue) await eventLoop.yieldIfDue();
  }
  return rejected;
}

/** Lays records over the rows that are there: what a record leaves out stays, what it says is null is cleared. */
export async function applyRecords(workspace: Workspace, records: TableRecords): Promise<Rejection[]> {
  const table: Table = factTables[records.table];
  const draft = draftOf(workspace.drafts, records.table);
  const eventLoop = new EventLoopYield();
  const rejected: Rejection[] = [];
  const changes: Change[] = [];
  for (const { line, value } of records.lines) {
    const change = changeOf(table, value, records.form ?? 'json');
    if (typeof change === 'string') rejected.push({ line, detail: change });
    else changes.push(change);
    if (eventLoop.isDue) await eventLoop.yieldIfDue();
  }
  // A set with a record that cannot be read is not known to be whole: nothing of it is taken away.
  const wholeSetsOf = rejected.length === 0 ? records.wholeSetsOf : undefined;
  await draft.loadWhole(
    workspace.session,
    changes.map(({ key }) => key),
  );
  const gone: Row[] = [];
  const columns = columnsOf(table);
  for (const { key, fields, isDeleted } of changes) {
    if (eventLoop.isDue) await eventLoop.yieldIfDue();
    if (isDeleted) {
      const entry = draft.entries.get(draft.keyOf(key));
      if (entry) draft.remove(entry);
      gone.push(key);
      continue;
    }
    const row: Record<string, Value> = draft.make(key);
    // The latest record with a key is the one that counts, so its sender is, too.
    if ('sent_by_engineer' in table.columns) row.sent_by_engineer = records.sentByEngineer === true;
    for (const field in fields) {
      const column = columns.get(field);
      if (column) row[column.name] = kept(fields[field], column.isJson);
    }
  }
  if (wholeSetsOf) {
    const present = new Set(changes.map(({ key }) => draft.keyOf(key)));
    await removeSets(workspace, table, draft, wholeSetsOf, present);
  }
  await removeChildren(workspace, records.table, gone);
  return rejected;
}

function changeOf(table: Table, value: unknown, form: Form): Change | string {
  const reading = readRecord(recordShapeOf(table), value, form);
  if ('problem' in reading) return reading.problem;
  const fields = reading.record as Record<string, unknown> & { _deleted?: true };
  const key: Record<string, Value> = {};
  for (const column of table.key) {
    const mayBeEmpty = table.mayBeEmpty?.includes(column) === true;
    const part =
      column === namedAs ? nameOf(fields) : ((fields[column] ?? (mayBeEmpty ? '' : null)) as Value | undefined);
    if (part === undefined) return 'it must say whose day it was: person_email, person_login or merged_user_id';
    if (typeof part === 'string' && part.trim() === '' && !mayBeEmpty) return `${column} must not be empty`;
    key[column] = part;
  }
  if (table.name === 'deployments' && isMadeHere(String(key.deployment_id))) {
    return 'deployment_id must not begin with release:, run: or merge: because such deployments are derived';
  }
  return { key, fields, isDeleted: fields._deleted === true };
}

/** How the identifiers begin of deployments that are made from a release, a run or a merge. */
const madeHere = ['release:', 'run:', 'merge:'] as const;
const isMadeHere = (id: string): boolean => madeHere.some((beginning) => id.startsWith(beginning));

interface KeptField {
  readonly name: string;
  readonly isJson: boolean;
}
const keptFields = new WeakMap<Table, ReadonlyMap<string, KeptField>>();

/** Where each field of a record is kept, the key left out: a new row has it already, and no other changes it. */
function columnsOf(table: Table): ReadonlyMap<string, KeptField> {
  const known = keptFields.get(table);
  if (known) return known;
  const columns = new Map<string, KeptField>();
  for (const [field, { type }] of Object.entries(recordShapeOf(table).fields)) {
    if (table.key.includes(field)) continue;
    columns.set(field, { name: storedAs(table, field), isJson: type === 'json' || type === 'text[]' });
  }
  keptFields.set(table, columns);
  return columns;
}

/** Lists and JSON are kept as text, a JSON text in quotes included. */
const kept = (value: unknown, isJson: boolean): Value =>
  isJson && value !== null ? JSON.stringify(value) : (value as Value);

/** A part of the key that no record gives: it follows from how a record names a person. */
const namedAs = 'named_as';

/** The person of a copilot day as the record names them: part of its key, so that naming them anew adds no second day. */
function nameOf({ merged_user_id: id, person_email: email, person_login: login }: Readonly<Record<string, unknown>>) {
  if (typeof id === 'string' && id !== '') return `id:${id}`;
  if (typeof email === 'string' && email.trim() !== '') return `email:${keyOf(email)}`;
  if (typeof login === 'string' && login.trim() !== '') return `login:${keyOf(login)}`;
  return undefined;
}

/** Everything that hangs on rows that are gone. */
async function removeChildren(workspace: Workspace, parent: FactTable, gone: readonly Row[]): Promise<void> {
  if (gone.length === 0) return;
  for (const name of childrenOf(parent)) {
    const child: Table = factTables[name];
    const column = child.parent?.key[0];
    if (column === undefined) continue;
    const parents = gone.map((row) => row[column] ?? null);
    await removeSets(workspace, child, draftOf(workspace.drafts, name), parents);
  }
}

async function removeSets(
  { session }: Workspace,
  child: Table,
  draft: Draft<Table>,
  parents: readonly Value[],
  present: ReadonlySet<string> = new Set(),
): Promise<void> {
  const column = child.parent?.key[0];
  if (column === undefined) throw new Error(`${child.name} is no part of anything`);
  await draft.load(session, { column, in: parents });
  const wanted = new Set(parents);
  for (const entry of draft.entries.values()) {
    if (wanted.has(entry.after?.[column] ?? null) && !present.has(entry.key)) draft.remove(entry);
  }
}
