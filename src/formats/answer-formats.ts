import Negotiator from 'negotiator';

// The pages know formats by this file as well: it imports nothing of the server.

interface RowFormat {
  /** In sentences, and in the menu of pages. */
  readonly label: string;
  readonly contentType: string;
  /** What such an answer holds. */
  readonly meaning: string;
  /** How names of such files end; the first one where a file is made. */
  readonly endings: readonly [string, ...string[]];
  /** Text is written row by row; all else needs a file of its own. */
  readonly isText: boolean;
  /** Pages do not offer it to people. */
  readonly isForPrograms?: true;
}

/** What rows can be written as: the lists of commands, of pages and of the OpenAPI document come from it. */
export const rowFormats = {
  json: {
    label: 'JSON',
    contentType: 'application/json; charset=utf-8',
    meaning: 'A list of rows.',
    endings: ['.json'],
    isText: true,
  },
  ndjson: {
    label: 'NDJSON',
    contentType: 'application/x-ndjson; charset=utf-8',
    meaning: 'One row a line, as JSON.',
    endings: ['.ndjson', '.jsonl'],
    isText: true,
    isForPrograms: true,
  },
  csv: {
    label: 'CSV',
    contentType: 'text/csv; charset=utf-8; header=present',
    meaning: 'A heading and one row a line, as RFC 4180 has it.',
    endings: ['.csv'],
    isText: true,
  },
  parquet: {
    label: 'Parquet',
    contentType: 'application/vnd.apache.parquet',
    meaning: 'A Parquet file with typed columns.',
    endings: ['.parquet'],
    isText: false,
  },
} as const satisfies Readonly<Record<string, RowFormat>>;

export type AnswerFormat = keyof typeof rowFormats;
export type TextFormat = {
  [F in AnswerFormat]: (typeof rowFormats)[F]['isText'] extends true ? F : never;
}[AnswerFormat];
/** What a table is exported as. Its rows stand one by one, not in a list. */
export type ExportFormat = Exclude<AnswerFormat, 'json'>;

export const answerFormats = Object.keys(rowFormats) as AnswerFormat[];
export const textFormats = answerFormats.filter((format): format is TextFormat => rowFormats[format].isText);
export const exportFormats = answerFormats.filter((format) => format !== 'json');

/** What a caller asks for a format by, without its parameters. */
export const mediaTypeOf = (format: AnswerFormat): string => rowFormats[format].contentType.replace(/;.*/, '');

/** The media types that ask for a format. Of types that a caller likes alike, the first one wins. */
const formatOf: ReadonlyMap<string, AnswerFormat> = new Map<string, AnswerFormat>([
  ...answerFormats.map((format) => [mediaTypeOf(format), format] as const),
  ['application/ndjson', 'ndjson'],
]);
const mediaTypes = [...formatOf.keys()];

/** Comparing a header of 16 KB with every type takes a tenth of a second, and no program has so much to say. */
const acceptLongest = 2_000;
/** A parameter of a media type other than its weight: a client that wants CSV with some parameter still wants CSV. */
const parameter = /;\s*(?!q\s*=)[^;,="\s]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*)/gi;
/** Most callers send the same header again and again. */
const acceptsMost = 100;
const known = new Map<string, AnswerFormat>();

/** The format that a caller likes best. A caller who accepts none of the formats gets JSON. */
export function formatFor(accept: string | undefined): AnswerFormat {
  if (accept === undefined || accept.length > acceptLongest) return 'json';
  const before = known.get(accept);
  if (before) return before;
  const type = new Negotiator({ headers: { accept: accept.replaceAll(parameter, '') } }).mediaType(mediaTypes);
  const format = (type === undefined ? undefined : formatOf.get(type)) ?? 'json';
  if (known.size >= acceptsMost) known.clear();
  known.set(accept, format);
  return format;
}
