import { sentenceCase, valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { counted, grouped } from '../../view/format.ts';

/** What a file would become: its columns with the fields that they mean, and what is wrong with its first rows. */
export interface FilePreview {
  readonly table: string;
  readonly tables: readonly string[];
  readonly columns: readonly {
    readonly heading: string;
    /** Empty where the column is left out, null where nothing is called so. */
    readonly field: string | null;
    readonly sample: readonly string[];
  }[];
  readonly fields: readonly { readonly name: string; readonly is_required: boolean }[];
  readonly rows: readonly { readonly line: number; readonly problem: string | null }[];
  readonly notes: readonly string[];
}

export interface ImportOutcome {
  readonly table: string;
  readonly accepted: number;
  readonly rejected: number;
  /** Records that are of no use here, by what they are: `of issues`. */
  readonly left_out: readonly { readonly what: string; readonly count: number }[];
  /** The code host that is taken for records that name none. */
  readonly host_assumed?: string;
  /** Ids that match nothing, by field. */
  readonly unmatched_references?: Readonly<Record<string, readonly string[]>>;
  readonly errors: readonly { readonly line: number; readonly detail: string }[];
  /** Rejected lines as NDJSON, with the reason of each. */
  readonly rejects: string;
  readonly rejects_cut: boolean;
}

/** What the reader has said about a file. */
export interface ImportChoices {
  readonly table: string | undefined;
  /** Fields by heading, where they are not those that were recognised. */
  readonly map: Readonly<Record<string, string>>;
  readonly dates: '' | 'dmy' | 'mdy';
}

export const noChoices: ImportChoices = { table: undefined, map: {}, dates: '' };

/** Larger ones are refused by the server. */
export const maxFileBytes = 64 * 1024 * 1024;
/** The beginning of a text file is enough for a preview. */
const previewBytes = 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
};

/** How a file is sent, by its name; undefined for one that is not taken. */
export function sendingOf(name: string): Readonly<Record<string, string>> | undefined {
  const [, extension = '', gzip] = /\.([a-z]+)(\.gz)?$/i.exec(name) ?? [];
  const type = types[extension.toLowerCase()];
  if (type === undefined || (gzip && type === types.parquet)) return undefined;
  return { 'content-type': type, ...(gzip ? { 'content-encoding': 'gzip' } : {}) };
}

/** Why a file cannot be imported, before it is sent. */
export function problemOf({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  if (sendingOf(name) === undefined) {
    return 'This kind of file can’t be read. Choose a CSV, NDJSON, JSON or Parquet file, or a CSV, NDJSON or JSON file packed with gzip.';
  }
  if (size > maxFileBytes) return 'This file is larger than 64 MiB. Import it in several files, or by command.';
  return size === 0 ? 'This file is empty.' : undefined;
}

/** The bytes that a preview needs: all of a Parquet file, whose columns are named at its end. */
export function previewLength({ name, size }: { readonly name: string; readonly size: number }): number {
  return /\.(?:parquet|json)(?:\.gz)?$/i.test(name) ? size : Math.min(size, previewBytes);
}

export function importAddress(
  path: string,
  name: string,
  { table, map, dates }: ImportChoices,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ name, ...more });
  if (table !== undefined) query.set('table', table);
  if (Object.keys(map).length > 0) query.set('map', JSON.stringify(map));
  if (dates !== '') query.set('dates', dates);
  return `${path}?${query}`;
}

/** What the reader should know of an import that went well. */
export function remarksOn({
  left_out,
  host_assumed,
  unmatched_references = {},
}: Pick<ImportOutcome, 'left_out' | 'host_assumed' | 'unmatched_references'>): readonly string[] {
  const unmatched = Object.values(unmatched_references).flat();
  const shown = unmatched.slice(0, 5).join(', ');
  const more = unmatched.length > 5 ? ` and ${grouped(unmatched.length - 5)} more` : '';
  return [
    ...left_out.map(
      ({ what, count }) =>
        `${counted(count, 'record', 'records')} ${what.replaceAll('_', ' ')} ${count === 1 ? 'was' : 'were'} left out.`,
    ),
    ...(host_assumed === undefined
      ? []
      : [
          `The file doesn’t say which code host its records are from, so they’re taken as ${valueLabel('source', host_assumed)}.`,
        ]),
    ...(unmatched.length === 0
      ? []
      : [
          `${counted(unmatched.length, 'reference matches', 'references match')} nothing: ${shown}${more}. ` +
            'They’re kept, and count once what they name is imported.',
        ]),
  ];
}

/** The columns of one field that takes one: two of them mean the same. */
export function twiceMeant({ columns }: Pick<FilePreview, 'columns'>): readonly string[] {
  const all = columns.flatMap(({ field }) => field || []);
  return [...new Set(all.filter((field, at) => all.indexOf(field) !== at))];
}

export const tableLabel = (table: string): string => sentenceCase(table);
