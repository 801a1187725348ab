import type { ToolAnswer } from './tool.ts';

/** An answer that fits into what an agent can read at once. */
export interface ReadableAnswer extends Readonly<Record<string, unknown>> {
  readonly rows: readonly object[];
  /** Whether there are more rows than these. */
  readonly truncated: boolean;
  readonly total_rows: number;
}

const rowsMost = 200;
const bytesMost = 100_000;
/** Of what stands beside the rows: the categories of ten years of days fit in. */
const notesBytesMost = 60_000;
const charactersMost = 2_000;

/** Cuts long texts, then leaves off rows from the end until the rest is small enough. */
export function readableAnswer({ rows, total = rows.length, notes = {} }: ToolAnswer): ReadableAnswer {
  const said = withShortTexts(notes) as object;
  const kept = bytesOf(said) <= notesBytesMost ? said : { notes_left_out: true };
  const answer = (some: readonly object[]): ReadableAnswer => {
    const truncated = some.length < total;
    const hint = some.length === 0 ? tooLargeHint : cutHint;
    return { rows: some, truncated, total_rows: total, ...(truncated ? { hint } : {}), ...kept };
  };
  const shown: object[] = [];
  let bytes = bytesOf(answer([])) + bytesOf(cutHint);
  for (const row of rows.slice(0, rowsMost)) {
    const short = withShortTexts(row) as object;
    bytes += bytesOf(short) + 1;
    if (bytes > bytesMost) break;
    shown.push(short);
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
  if (text.length <= charactersMost) return text;
  // Half a character is no text.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(charactersMost - 1)) ? charactersMost - 1 : charactersMost;
  return `${text.slice(0, end)}… [cut: ${text.length} characters in all]`;
}
