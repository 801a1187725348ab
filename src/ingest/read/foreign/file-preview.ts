import { isObject } from '../../../catalogue/field-values.ts';
import { readRecord } from '../../../catalogue/read-record.ts';
import { type RecordTable, recordShapeFor, recordTableNames } from '../../../catalogue/record-tables.ts';
import type { RecordFile } from '../open-record-file.ts';
import type { FileLine } from '../text-lines.ts';
import { ColumnMapping } from './column-mapping.ts';
import { type ForeignOptions, ForeignReader, itemsIn } from './foreign-lines.ts';

/** The beginning of a file, and what an import would make of it. */
export interface FilePreview {
  readonly table: RecordTable;
  readonly columns: readonly PreviewedColumn[];
  /** The fields of the table, for a choice: those that no record goes without come first. */
  readonly fields: readonly { readonly name: string; readonly is_required: boolean }[];
  readonly rows: readonly PreviewedRow[];
  /** What is known of the tool that wrote the file, and of columns that are left out for a reason. */
  readonly notes: readonly string[];
}

interface PreviewedColumn {
  readonly heading: string;
  /** Empty where the column is left out, null where nothing here is called so. */
  readonly field: string | null;
  /** The first values, as text. */
  readonly sample: readonly string[];
}

interface PreviewedRow {
  readonly line: number;
  /** Why no record is made of it; null where one is. */
  readonly problem: string | null;
}

interface PreviewOptions extends ForeignOptions {
  /** Absent: the table that knows the most columns. */
  readonly table?: RecordTable | undefined;
  /** The file is cut off after its beginning, in the middle of a line. */
  readonly isPart?: boolean;
}

const maxRows = 20;
const maxColumns = 500;
const maxSamples = 3;
const maxSampleLength = 80;

/** Reads the first rows of a file, and keeps nothing of them. */
export async function previewFile(
  file: RecordFile,
  name: string,
  { table: wanted, isPart = false, ...options }: PreviewOptions,
): Promise<FilePreview> {
  const header = await file.header?.();
  const lines = await firstLines(file, isPart);
  const values = lines.flatMap((line) => ('value' in line && isObject(line.value) ? [line.value] : []));
  const headings = [...new Set(header ?? values.flatMap((value) => Object.keys(value)))].slice(0, maxColumns);
  const table = wanted ?? likelyTable(headings);
  const shape = recordShapeFor(table);
  const mapping = new ColumnMapping(table, options.map, header ?? []);
  const all = Object.fromEntries(headings.map((heading) => [heading, null]));
  const fieldOf = (heading: string): string | null => {
    const field = mapping.fieldOf(heading) ?? null;
    return field !== null && mapping.isCopyIn(all, heading, field) ? '' : field;
  };
  const reader = new ForeignReader(table, { ...options, leavesOutUnknown: true }, header);
  const rows = lines.map((line): PreviewedRow => {
    if ('problem' in line) return { line: line.line, problem: line.problem };
    const reading = reader.read(line.value);
    if ('leftOut' in reading) return { line: line.line, problem: null };
    if ('problem' in reading) return { line: line.line, problem: reading.problem };
    const read = readRecord(shape, reading.value, file.form);
    return { line: line.line, problem: 'problem' in read ? read.problem : null };
  });
  const required = new Set(shape.required);
  const fields = Object.keys(shape.fields).map((field) => ({ name: field, is_required: required.has(field) }));
  return {
    table,
    columns: headings.map((heading) => ({
      heading,
      field: fieldOf(heading),
      sample: values.slice(0, maxSamples).map((value) => shortText(value[heading])),
    })),
    fields: fields.toSorted((a, b) => Number(b.is_required) - Number(a.is_required)),
    rows,
    notes: header ? reader.notesOf(name) : [],
  };
}

/** The first records, also where they come as pages of a listing, as an import reads them. */
async function firstLines(file: RecordFile, isPart: boolean): Promise<readonly FileLine[]> {
  const lines: FileLine[] = [];
  for await (const line of file.lines()) {
    lines.push(line);
    if (lines.length > maxRows) break;
  }
  // The last line of a beginning is cut somewhere.
  if (isPart && lines.length <= maxRows) lines.pop();
  return lines
    .flatMap((line): readonly FileLine[] =>
      'problem' in line ? [line] : itemsIn(line.value).map((value) => ({ line: line.line, value })),
    )
    .slice(0, maxRows);
}

/** The table that most headings mean a field of. One that lacks what its records cannot do without is less likely. */
function likelyTable(headings: readonly string[]): RecordTable {
  const scores = recordTableNames.map((table) => {
    const mapping = new ColumnMapping(table, {}, headings);
    const known = headings.map((heading) => mapping.fieldOf(heading)).filter((field) => field !== undefined);
    const missing = (recordShapeFor(table).required ?? []).filter((field) => !known.includes(field));
    return { table, score: (mapping.toolExport ? 1_000 : 0) + known.filter(Boolean).length - 2 * missing.length };
  });
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).table;
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  return text.length > maxSampleLength ? `${text.slice(0, maxSampleLength)}…` : text;
}
