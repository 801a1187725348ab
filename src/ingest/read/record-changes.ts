import { readRecord } from '../../catalogue/read-record.ts';
import type { RecordForm } from '../../catalogue/read-value.ts';
import type { FirstNameOf } from '../../catalogue/record-ids.ts';
import { type Row, recordShapeOf, type Table, type Value } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import type { RecordLine, Rejection } from '../../directory/put-records.ts';
import { alternatives } from '../../nearest.ts';
import { keyOf } from '../../text-comparison.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';

/** Records of one table, in the order in which they are to take effect. */
export interface TableRecords {
  readonly table: FactTable;
  readonly lines: readonly RecordLine[];
  readonly form?: RecordForm;
  /**
   * Parents of which all children are in this batch: what else was known of them goes. For a connector that has read
   * them all, so that force-pushed commits leave no trace.
   */
  readonly wholeSetsOf?: readonly string[];
  /** Whether an engineer sends them about themselves. Else an Owner's key, an import or a connector brings them. */
  readonly sentByEngineer?: boolean;
}

/** A record after reading: what it sets, by field, and the key of its row, which may have to go. */
export interface RecordChange {
  readonly key: Row;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The values that the id of a record gives to fields that neither the record nor its row has. */
  readonly implied?: Readonly<Record<string, unknown>>;
  readonly isDeleted: boolean;
}

interface RecordChanges {
  readonly changes: RecordChange[];
  readonly rejected: Rejection[];
}

interface ReadingOptions {
  readonly untilOneIsGood?: boolean;
  /** The names of which ids of renamed repositories are made; the names in the records where it is absent. */
  readonly firstNameOf?: FirstNameOf;
}

/** Reads records, without a look at what is stored. Nothing else can be wrong with them. */
export async function readChanges(
  { table: name, lines, form = 'json' }: TableRecords,
  { untilOneIsGood = false, firstNameOf }: ReadingOptions = {},
): Promise<RecordChanges> {
  const table: Table = factTables[name];
  const changes: RecordChange[] = [];
  const rejected: Rejection[] = [];
  for (const { line, value } of lines) {
    const change = readChange(table, value, form, firstNameOf);
    if (typeof change === 'string') rejected.push({ line, detail: change });
    else changes.push(change);
    if (untilOneIsGood && changes.length > 0) break;
    // Also after the last one: the next reader does not know how long this took.
    if (isTurnLong()) await nextTurn();
  }
  return { changes, rejected };
}

/** The problems of a batch without a good record, which is no change. */
export async function problemsOfAllBad(batch: readonly TableRecords[]): Promise<Rejection[][] | undefined> {
  const all: Rejection[][] = [];
  for (const records of batch) {
    if (records.wholeSetsOf) return undefined;
    const { changes, rejected } = await readChanges(records, { untilOneIsGood: true });
    if (changes.length > 0 || rejected.length === 0) return undefined;
    all.push(rejected);
  }
  return all.length > 0 ? all : undefined;
}

function readChange(
  table: Table,
  value: unknown,
  form: RecordForm,
  firstNameOf: FirstNameOf | undefined,
): RecordChange | string {
  const reading = readRecord(recordShapeOf(table), value, form, firstNameOf);
  if ('problem' in reading) return reading.problem;
  const fields = reading.record as Record<string, unknown> & { _deleted?: true };
  if (isNoOtherSource(fields)) fields.person_source = null;
  const key: Record<string, Value> = {};
  for (const column of table.key) {
    const mayBeEmpty = table.mayBeEmpty?.includes(column) === true;
    const part =
      column === table.namedAs ? nameOf(fields) : ((fields[column] ?? (mayBeEmpty ? '' : null)) as Value | undefined);
    if (part === undefined) return 'it must say whose day it was: person_email, person_login or merged_user_id';
    if (typeof part === 'string' && part.trim() === '' && !mayBeEmpty) return `${column} must not be empty`;
    key[column] = part;
  }
  const inferredKeys = table.recorded?.inferredKeys ?? [];
  if (inferredKeys.some((beginning) => String(key[table.key[0] ?? '']).startsWith(beginning))) {
    return `${table.key[0]} must not begin with ${alternatives(inferredKeys)} because such ${table.name} are derived`;
  }
  return { key, fields, isDeleted: fields._deleted === true };
}

/** Whether the source of the login is left blank, or is that of the record: neither says anything more. */
function isNoOtherSource({ person_source: host, source }: Readonly<Record<string, unknown>>): boolean {
  if (typeof host !== 'string') return false;
  const key = keyOf(host);
  return key === '' || (typeof source === 'string' && key === keyOf(source));
}

/** The person as the record names them: part of the key, so that who it turns out to be adds no second row. */
function nameOf(record: Readonly<Record<string, unknown>>) {
  const { merged_user_id: id, person_email: email, person_login: login, person_source: host } = record;
  if (typeof id === 'string' && id !== '') return `id:${id}`;
  if (typeof email === 'string' && email.trim() !== '') return `email:${keyOf(email)}`;
  if (typeof login !== 'string' || login.trim() === '') return undefined;
  const place = typeof host === 'string' ? `${keyOf(host)}:` : '';
  return `login:${place}${keyOf(login)}`;
}
