/** What rows can be written as. */
export const answerFormats = ['json', 'ndjson', 'csv', 'parquet'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

/** The media types that ask for a format. */
const askedBy: Readonly<Record<AnswerFormat, readonly string[]>> = {
  json: ['application/json'],
  ndjson: ['application/x-ndjson', 'application/ndjson'],
  csv: ['text/csv'],
  parquet: ['application/vnd.apache.parquet'],
};

/** What a format is sent as. */
export const contentTypes: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

/** One entry of an `Accept` header. */
interface Range {
  readonly type: string;
  readonly quality: number;
  readonly position: number;
}

interface Match extends Range {
  readonly format: AnswerFormat;
  /** 2 for a type in full, 1 for `text/*`, 0 for anything. */
  readonly precision: number;
}

/**
 * The format that a caller likes best. Of those liked alike the one named in fuller words wins, then the one named
 * first, then the one that stands first here. Whoever accepts nothing of what there is gets JSON all the same.
 */
export function formatFor(accept: string | undefined): AnswerFormat {
  const ranges = readRanges(accept ?? '');
  const liked = answerFormats
    .flatMap((format) => bestMatch(format, ranges) ?? [])
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.precision - a.precision || a.position - b.position);
  return liked[0]?.format ?? 'json';
}

/** The fullest words decide about a format, also when they refuse it. */
function bestMatch(format: AnswerFormat, ranges: readonly Range[]): Match | undefined {
  const matches = ranges.flatMap((range) => {
    const precision = Math.max(...askedBy[format].map((type) => precisionOf(range.type, type)));
    return precision < 0 ? [] : { ...range, format, precision };
  });
  return matches.sort((a, b) => b.precision - a.precision || b.quality - a.quality)[0];
}

function precisionOf(range: string, type: string): number {
  if (range === type) return 2;
  if (range === `${type.slice(0, type.indexOf('/'))}/*`) return 1;
  return range === '*/*' ? 0 : -1;
}

// Parameters may hold commas and semicolons in quotes.
const entry = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs;
const parameter = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/gs;

function readRanges(accept: string): Range[] {
  return (accept.match(entry) ?? []).flatMap((text, position) => {
    const [type = '', ...parameters] = (text.match(parameter) ?? []).map((part) => part.trim().toLowerCase());
    const quality = qualityOf(parameters);
    return type === '' || quality === undefined ? [] : { type, quality, position };
  });
}

/** 1 unless it is said; none where it cannot be read, and then the whole entry says nothing. */
function qualityOf(parameters: readonly string[]): number | undefined {
  const written = parameters.find((part) => /^q\s*=/.test(part));
  if (written === undefined) return 1;
  const number = /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/.exec(written)?.[1];
  return number === undefined ? undefined : Number(number);
}
