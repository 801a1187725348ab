import { didYouMean } from '../nearest.ts';
import { type DirectoryTable, directoryRecords } from './directory-records.ts';
import type { RecordShape } from './record.ts';
import { tableWords } from './synonyms.ts';
import { recordShapeOf } from './table.ts';
import { type FactTable, factTableNames, factTables, isFactTable } from './tables/all-tables.ts';

/** The tables that take records: people and their groups, and what happened. */
export type RecordTable = DirectoryTable | FactTable;

const directoryTableNames = Object.keys(directoryRecords) as DirectoryTable[];
export const recordTableNames: readonly RecordTable[] = [...directoryTableNames, ...factTableNames];

export const isDirectoryTable = (name: string): name is DirectoryTable => Object.hasOwn(directoryRecords, name);
export const isRecordTable = (name: string): name is RecordTable => isDirectoryTable(name) || isFactTable(name);

export const recordShapeFor = (name: RecordTable): RecordShape =>
  isDirectoryTable(name) ? directoryRecords[name] : recordShapeOf(factTables[name]);

/** The error message for an unknown table name. */
export function noSuchTable(name: string, known: readonly string[] = recordTableNames): string {
  const shown = name.length > maxShown ? `${name.slice(0, maxShown)}…` : name;
  // Comparing is quadratic in the length: a very long name is no slip of the hand.
  const hint = name.length > maxShown ? '' : didYouMean(name, known, tableWords);
  return `Table '${shown}' does not exist.${hint} Tables: ${known.join(', ')}.`;
}

const maxShown = 100;
