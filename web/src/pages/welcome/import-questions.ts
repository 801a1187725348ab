import { sentenceCase } from '../../../../src/catalogue/labels/shown-names.ts';

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

/** The columns of one field that takes one: two of them mean the same. */
export function twiceMeant({ columns }: Pick<FilePreview, 'columns'>): readonly string[] {
  const all = columns.flatMap(({ field }) => field || []);
  return [...new Set(all.filter((field, at) => all.indexOf(field) !== at))];
}

export const tableLabel = (table: string): string => sentenceCase(table);
