import { isObject } from '../../catalogue/field-values.ts';
import { type PostedTableName, postedTables } from '../../catalogue/posted-tables.ts';
import { readRecord } from '../../catalogue/read-record.ts';
import type { RecordShape } from '../../catalogue/record.ts';

/** A row of the coding-agent hook, in the columns it goes to. */
export interface ConvertedRow {
  readonly session: string;
  readonly record: Readonly<Record<string, unknown>>;
}

type RowConversion = {
  /** Fields that a newer hook sends and this version does not know. They are passed over. */
  readonly unknownFields: readonly string[];
} & ({ readonly converted: ConvertedRow } | { readonly problem: string });

/** One row of a hook's payload as a record, or what is wrong with it in the hook's own words. Pure. */
export function convertPostedRow(table: PostedTableName, shape: RecordShape, row: unknown): RowConversion {
  const fields: Readonly<Record<string, string>> = postedTables[table].fields;
  const known: Record<string, unknown> = {};
  const record: Record<string, unknown> = {};
  const unknownFields: string[] = [];
  for (const name of isObject(row) ? Object.keys(row) : []) {
    const column = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (column === undefined) {
      unknownFields.push(name);
      continue;
    }
    const value = (row as Readonly<Record<string, unknown>>)[name];
    // Agents may number their rows.
    const isNumbered = shape.fields[name]?.type === 'text' && Number.isSafeInteger(value);
    known[name] = isNumbered ? String(value) : value;
    record[column] = known[name];
  }
  const reading = readRecord(shape, isObject(row) ? known : row);
  if ('problem' in reading) return { unknownFields, problem: reading.problem };
  const empty = shape.required?.find((name) => known[name] === '');
  if (empty !== undefined) return { unknownFields, problem: `${empty} must not be empty` };
  return { unknownFields, converted: { session: String(record.session_id), record } };
}
