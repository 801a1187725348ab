import { type FieldValues, isObject } from '../../../catalogue/field-values.ts';
import { defaultHost } from '../../../catalogue/record-ids.ts';
import { type RecordTable, recordShapeFor } from '../../../catalogue/record-tables.ts';
import { didYouMean } from '../../../nearest.ts';
import { Refusal } from '../../../refusal.ts';
import { maxColumns } from '../csv.ts';
import type { RecordFile } from '../open-record-file.ts';
import type { FileLine } from '../text-lines.ts';
import { ColumnMapping } from './column-mapping.ts';
import { completeRecord } from './complete-record.ts';
import { type DayOrder, isoTimeOf } from './foreign-times.ts';
import { recordOfExport } from './tool-export.ts';
import { fromGithubTool } from './tools/github-export.ts';

/** A record of a file, with whether its code host is said nowhere in it; or what was given, where it is none. */
export type ForeignLine = FileLine & { readonly isHostAssumed?: boolean; readonly given?: unknown };

type ForeignReading =
  | { readonly value: unknown; readonly isHostAssumed?: boolean }
  | { readonly leftOut: string }
  | { readonly problem: string };

/** The options for the files of one import. */
export interface ForeignOptions {
  /** Their names of columns, and our fields; an empty one leaves the column out. */
  readonly map?: Readonly<Record<string, string>>;
  /** Values for every record that has none of its own. */
  readonly set?: Readonly<Record<string, string>>;
  /** The part that comes first in days that are written with numbers alone. */
  readonly dates?: DayOrder;
  /** Columns that mean nothing are left out, in place of refusing the file. */
  readonly leavesOutUnknown?: boolean;
}

/** Reads a file that was not made for Plumb: whatever its columns are called, its rows come as records of a table. */
export class ForeignReader {
  readonly #table: RecordTable;
  readonly #mapping: ColumnMapping;
  readonly #set: FieldValues;
  readonly #dates: DayOrder | undefined;
  readonly #headings: readonly string[] | undefined;
  readonly #timeFields: readonly string[];
  /** The field of each name that was met: records of one file have the same names. */
  readonly #met = new Map<string, { readonly field?: string; readonly problem?: string }>();

  /** `headings` are those of a file that names its columns once. */
  constructor(
    table: RecordTable,
    { map = {}, set = {}, dates, leavesOutUnknown = false }: ForeignOptions = {},
    headings?: readonly string[],
  ) {
    const shape = recordShapeFor(table);
    this.#table = table;
    this.#mapping = new ColumnMapping(table, map, headings, leavesOutUnknown);
    this.#headings = headings;
    this.#dates = dates;
    this.#timeFields = Object.entries(shape.fields).flatMap(([name, { type }]) =>
      type === 'timestamp' || type === 'date' ? [name] : [],
    );
    const unknown = Object.keys(set).find((name) => !Object.hasOwn(shape.fields, name));
    if (unknown !== undefined) {
      const known = Object.keys(shape.fields);
      throw new Refusal('bad-input', `--set: '${unknown}' is not a field of ${table}.${didYouMean(unknown, known)}`);
    }
    this.#set = set;
  }

  /** The field of each column of a file that names them. Refuses one that cannot be understood, before any row. */
  check(path: string): readonly (readonly [heading: string, field: string])[] {
    if (!this.#headings) return [];
    const fields = this.#mapping.fieldsOf(path);
    return this.#headings.map((heading, i) => [heading, fields[i] ?? '']);
  }

  /** The remarks about the columns of a file. */
  notesOf(path: string): readonly string[] {
    return this.#mapping.notesOf(path);
  }

  /** Every record of a file. `leftOut` is called with what those are that are no records of this table and need not be. */
  async *lines(file: RecordFile, leftOut: (what: string) => void = () => {}): AsyncGenerator<ForeignLine> {
    for await (const line of file.lines()) {
      if ('problem' in line) {
        yield line;
        continue;
      }
      for (const item of itemsIn(line.value)) {
        const reading = this.read(item);
        if ('leftOut' in reading) leftOut(reading.leftOut);
        else if ('problem' in reading) yield { line: line.line, problem: reading.problem, raw: '', given: item };
        else yield { line: line.line, ...reading };
      }
    }
  }

  /** A line that is no record stays as it is; the usual check rejects it. */
  read(value: unknown): ForeignReading {
    if (!isObject(value)) return { value };
    const ofTool = fromGithubTool(this.#table, value, this.#set);
    if (ofTool && !('record' in ofTool)) return ofTool;
    if (!ofTool) {
      const unknown = Object.keys(value).find((name) => this.#meaningOf(name).field === undefined);
      if (unknown !== undefined) return { problem: this.#meaningOf(unknown).problem ?? '' };
    }
    const named = ofTool?.record ?? this.#renamed(value);
    const missing = Object.entries(this.#set).filter(([name]) => (named[name] ?? '') === '');
    const record: Record<string, unknown> = { ...named, ...Object.fromEntries(missing) };
    for (const name of this.#timeFields) {
      const time = record[name];
      if (typeof time !== 'string') continue;
      record[name] = isoTimeOf(time, this.#dates);
      if (record[name] !== undefined) continue;
      return {
        problem: `${name} is '${time.slice(0, 40)}', and nothing says whether its day or its month comes first: add --dates dmy or --dates mdy`,
      };
    }
    const complete = completeRecord(recordShapeFor(this.#table), record);
    return { value: complete, isHostAssumed: complete.source === defaultHost && !ofTool && !saysHost(value) };
  }

  #meaningOf(theirs: string): { readonly field?: string; readonly problem?: string } {
    const known = this.#met.get(theirs);
    if (known !== undefined) return known;
    const field = this.#mapping.fieldOf(theirs);
    const meaning = field === undefined ? { problem: this.#mapping.refusalOf(theirs) } : { field };
    // A file whose records all have names of their own is not remembered.
    if (this.#met.size < maxColumns) this.#met.set(theirs, meaning);
    return meaning;
  }

  #renamed(value: FieldValues): FieldValues {
    const { toolExport } = this.#mapping;
    const shape = recordShapeFor(this.#table);
    const renamed: Record<string, unknown> = {};
    for (const [theirs, cell] of Object.entries(value)) {
      const { field = theirs } = this.#meaningOf(theirs);
      if (field === '' || this.#mapping.isCopyIn(value, theirs, field)) continue;
      if (toolExport) {
        // Of several columns for one field, the first that has a value. Jira repeats the column of sprints: the last
        // counts.
        const value = Array.isArray(cell) && shape.fields[field]?.type !== 'text[]' ? (cell.at(-1) ?? '') : cell;
        if ((renamed[field] ?? '') === '') renamed[field] = value;
      } else {
        // Of two names for one field, both are kept: the record is rejected unless their values are the same.
        renamed[field in renamed ? theirs : field] = cell;
      }
    }
    return toolExport ? recordOfExport(toolExport, renamed) : renamed;
  }
}

/** Pages of a listing come as arrays, or as objects with a count beside the list: `{"total_count": 2, "workflow_runs": […]}`. */
export function itemsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(itemsIn);
  if (!isObject(value) || typeof value.total_count !== 'number') return [value];
  const lists = Object.values(value).filter((list) => Array.isArray(list));
  return lists.length === 1 ? (lists[0] ?? []) : [value];
}

/** An address, or a column that names the host. */
const saysHost = (given: FieldValues): boolean =>
  Object.values(given).some((value) => typeof value === 'string' && /^https?:|github/i.test(value));
