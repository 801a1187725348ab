import { type PostedTableName, postedShape, postedTableNames, postedTables } from '../../catalogue/posthook-payload.ts';
import { type RecordShape, readRecord } from '../../catalogue/record.ts';
import type { Rejection } from '../../directory/records.ts';
import { Refusal } from '../../refusal.ts';

/** A row that can be read, in the columns it goes to. */
export interface PostedRow {
  readonly line: number;
  readonly session: string;
  readonly record: Readonly<Record<string, unknown>>;
}
export type PostedRows = { readonly [N in PostedTableName]?: readonly PostedRow[] };

export interface PostedRejection extends Rejection {
  readonly table: PostedTableName;
}

export interface Payload {
  readonly rows: PostedRows;
  readonly rejected: readonly PostedRejection[];
  /** What a newer hook sends and this version does not know: `tables.x`, `sessions.y`. */
  readonly ignored: readonly string[];
}

const ignoredMost = 100;

/** Reads what the hook sends. Rows that cannot be read are set apart; what is not known is passed over, and told. */
export function readPayload(value: unknown): Payload {
  if (!isObject(value))
    throw new Refusal('bad-input', 'The body must be a JSON object with schema_version and tables.');
  const { schema_version: version, tables, ...others } = value;
  requireVersion(version);
  if (!isObject(tables)) throw new Refusal('bad-input', 'tables must be an object of arrays of rows.');
  const ignored = new Set(Object.keys(others));
  for (const name of Object.keys(tables)) if (!Object.hasOwn(postedTables, name)) ignored.add(`tables.${name}`);
  const rejected: PostedRejection[] = [];
  const rows: { [N in PostedTableName]?: PostedRow[] } = {};
  for (const table of postedTableNames) {
    const list = Object.hasOwn(tables, table) ? tables[table] : undefined;
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list)) throw new Refusal('bad-input', `tables.${table} must be an array of rows.`);
    const shape = postedShape(table);
    const good: PostedRow[] = [];
    for (const [i, row] of list.entries()) {
      const read = readRow(table, shape, i + 1, row, ignored);
      if ('detail' in read) rejected.push(read);
      else good.push(read);
    }
    rows[table] = good;
  }
  return { rows, rejected, ignored: [...ignored].slice(0, ignoredMost) };
}

/** The hook counts its versions up. Later ones add tables and fields, which are passed over, so any version is taken. */
function requireVersion(version: unknown): void {
  const isWhole = typeof version === 'number' && Number.isInteger(version) && version >= 1;
  const isDigits = typeof version === 'string' && /^0*[1-9]\d*$/.test(version);
  if (isWhole || isDigits) return;
  const found = version === undefined ? 'is missing' : `must not be ${shown(version)}`;
  throw new Refusal('bad-input', `schema_version ${found}. ${versionsTaken}`);
}

export const versionsTaken = 'It must be a whole number of 1 or more, such as 9 or "9".';

function shown(version: unknown): string {
  const text = JSON.stringify(version);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function readRow(
  table: PostedTableName,
  shape: RecordShape,
  line: number,
  row: unknown,
  ignored: Set<string>,
): PostedRow | PostedRejection {
  const fields: Readonly<Record<string, string>> = postedTables[table].fields;
  const known: Record<string, unknown> = {};
  const record: Record<string, unknown> = {};
  for (const [name, value] of isObject(row) ? Object.entries(row) : []) {
    const column = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (column === undefined) {
      if (ignored.size < ignoredMost) ignored.add(`${table}.${name}`);
      continue;
    }
    // Some agents number their rows.
    const isNumbered = shape.fields[name]?.type === 'text' && Number.isSafeInteger(value);
    known[name] = isNumbered ? String(value) : value;
    record[column] = known[name];
  }
  const reading = readRecord(shape, isObject(row) ? known : row);
  if ('problem' in reading) return { table, line, detail: reading.problem };
  const empty = shape.required?.find((name) => known[name] === '');
  if (empty !== undefined) return { table, line, detail: `${empty} must not be empty` };
  return { line, session: String(record.session_id), record };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rows a bounded number at a time, in the order in which their tables take effect. */
export function* piecesOf(rows: PostedRows, rowsMost: number): Generator<PostedRows> {
  let piece: { [N in PostedTableName]?: PostedRow[] } = {};
  let count = 0;
  for (const table of postedTableNames) {
    for (const row of rows[table] ?? []) {
      const some = piece[table] ?? [];
      piece[table] = some;
      some.push(row);
      count += 1;
      if (count === rowsMost) {
        yield piece;
        piece = {};
        count = 0;
      }
    }
  }
  if (count > 0) yield piece;
}
