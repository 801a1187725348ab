// The pages know formats by this file as well: it imports nothing of the server.

interface RowFormat {
  /** The name in sentences, and in the menu of pages. */
  readonly label: string;
  readonly contentType: string;
  /** The content of such an answer. */
  readonly meaning: string;
  /** How names of such files end; the first one where a file is made. */
  readonly endings: readonly [string, ...string[]];
  /** Only text is written row by row; the other formats need a file. */
  readonly isText: boolean;
  /** Pages do not offer it to people. */
  readonly isForPrograms?: true;
}

/** The writers of rows by format: the lists of commands, of pages and of the OpenAPI document come from this record. */
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
/** The formats of an exported table. Its rows stand one by one, not in a list. */
export type ExportFormat = Exclude<AnswerFormat, 'json'>;

export const answerFormats = Object.keys(rowFormats) as AnswerFormat[];
export const textFormats = answerFormats.filter((format): format is TextFormat => rowFormats[format].isText);
export const exportFormats = answerFormats.filter((format) => format !== 'json');

/** The media type by which a caller asks for a format, without its parameters. */
export const mediaTypeOf = (format: AnswerFormat): string => rowFormats[format].contentType.replace(/;.*/, '');
