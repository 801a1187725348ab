import type { ToolAnswer } from './tool.ts';

/** An answer that fits into what an agent can read at once. */
export interface ReadableAnswer extends Readonly<Record<string, unknown>> {
  readonly rows: readonly object[];
  /** Whether there are more rows than these. */
  readonly truncated: boolean;
  readonly total_rows: number;
}

const maxRows = 200;
const maxBytes = 100_000;
/** The limit of the text beside the rows: the categories of ten years of days fit in. */
const maxNotesBytes = 60_000;
const maxCharacters = 2_000;
/** The limit of the text beside the structured content: many programs give both to their agent. */
const maxTextBytes = 20_000;

/** Cuts long texts, then leaves off rows from the end until the rest is small enough. */
export function readableAnswer({ rows, total = rows.length, notes = {} }: ToolAnswer): ReadableAnswer {
  const said = withShortTexts(notes) as object;
  const kept = bytesOf(said) <= maxNotesBytes ? said : { notes_left_out: true };
  const short = rows.slice(0, maxRows).map((row) => withShortTexts(row) as object);
  return fitting(short, maxBytes, (some) => {
    const truncated = some.length < total;
    const hint = some.length === 0 ? tooLargeHint : cutHint;
    return { rows: some, truncated, total_rows: total, ...(truncated ? { hint } : {}), ...kept };
  });
}

/** The answer for programs that know no structured content: the same JSON, with fewer rows where it is long. */
export function textOf(answer: ReadableAnswer): string {
  const { rows, truncated, total_rows, hint, ...notes } = answer;
  const whole = JSON.stringify(answer);
  if (Buffer.byteLength(whole) <= maxTextBytes) return whole;
  const cut = fitting(rows, maxTextBytes, (some) => ({
    rows: some,
    truncated: some.length < total_rows,
    total_rows,
    hint: `This text has ${some.length} rows, structuredContent has ${rows.length}. ${cutHint}`,
    ...(bytesOf(notes) <= maxTextBytes / 2 ? notes : { notes_left_out: true }),
  }));
  return JSON.stringify(cut);
}

/** An answer with as many of its rows, from the first on, as so many bytes can hold. */
function fitting(
  rows: readonly object[],
  max: number,
  answer: (some: readonly object[]) => ReadableAnswer,
): ReadableAnswer {
  const shown: object[] = [];
  let bytes = bytesOf(answer([])) + bytesOf(cutHint);
  for (const row of rows) {
    bytes += bytesOf(row) + 1;
    if (bytes > max) break;
    shown.push(row);
  }
  return answer(shown);
}

const cutHint =
  'There are more rows than these. Narrow the window, the filters or the search, group by fewer columns, or use order_by and limit.';
const tooLargeHint = 'The first row alone is larger than an answer may be. Ask for fewer columns, or for other rows.';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A value of JSON in which no text is longer than an agent should have to read. */
function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withShortTexts(item)]));
}

function shortText(text: string): string {
  if (text.length <= maxCharacters) return text;
  // Half a character is no text.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
  return `${text.slice(0, end)}… [cut: ${text.length} characters in all]`;
}
