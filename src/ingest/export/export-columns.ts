import { directoryRecords } from '../../catalogue/directory-records.ts';
import type { FieldType } from '../../catalogue/record.ts';
import { isDirectoryTable, noSuchTable, type RecordTable, recordTableNames } from '../../catalogue/record-tables.ts';
import { recordShapeOf, shownColumns, storedAs, type Table } from '../../catalogue/table.ts';
import { askedTables, factTables, isFactTable } from '../../catalogue/tables/all-tables.ts';
import { Refusal } from '../../refusal.ts';

/** The tables that can be exported: all that records fill, and people as metrics see them. */
export type ExportTable = RecordTable | 'user_metrics';
const exportTableNames: readonly ExportTable[] = [...recordTableNames, 'user_metrics'];

export function exportTable(name: string): ExportTable {
  const known = exportTableNames.find((table) => table === name);
  if (!known) throw new Refusal('bad-input', noSuchTable(name, exportTableNames));
  return known;
}

export interface ExportColumn {
  readonly name: string;
  readonly type: FieldType;
  /** The column that holds its value. */
  readonly kept: string;
}

/** The columns of an export, in order: all that can be asked for, or only what records bring. */
export function exportColumns(name: ExportTable, records: boolean): ExportColumn[] {
  if (isDirectoryTable(name)) {
    return Object.entries(directoryRecords[name].fields).map(([field, { type }]) => ({
      name: field,
      type,
      kept: field,
    }));
  }
  if (!isFactTable(name)) {
    if (records)
      throw new Refusal('bad-input', `No records bring ${name}: it is put together from people. Export people.`);
    return shown(askedTables[name]);
  }
  const table: Table = factTables[name];
  if (!records) return shown(table);
  return Object.entries(recordShapeOf(table).fields).map(([field, { type }]) => ({
    name: field,
    type,
    kept: storedAs(table, field),
  }));
}

const shown = (table: Table): ExportColumn[] =>
  shownColumns(table).map((name) => ({ name, type: table.columns[name]?.type ?? 'text', kept: name }));
