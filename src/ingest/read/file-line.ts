import { type JsonLimits, type JsonReading, readJson } from '../../bounded-json.ts';
import { Refusal } from '../../refusal.ts';

/** One line of a file: a value, or the reason why there is none. */
export type FileLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string; readonly raw: string };

/**
 * A record with a text of the most that is taken, written with escapes throughout, has room in it. A longer line is no
 * record, but a file that is not what its name says.
 */
export const maxLineBytes = 8 * 1024 * 1024;
export const tooLong = 'is longer than 8 MiB';
export const notUtf8 = 'is not valid UTF-8';

/** No source nests deeper or says more of one thing: twelve thousand changed files are 50,000 values. */
export const recordLimits: JsonLimits = { depth: 64, values: 50_000 };

/** One JSON text as a line of a file. Only a long one takes a promise. */
export function jsonLine(line: number, raw: string): FileLine | Promise<FileLine> {
  const asLine = (reading: JsonReading): FileLine =>
    'value' in reading ? { line, ...reading } : { line, ...reading, raw };
  const reading = readJson(raw, recordLimits);
  return reading instanceof Promise ? reading.then(asLine) : asLine(reading);
}

/** Lines that are read, blank ones counted, where not any number will do. */
export interface LineLimit {
  readonly maxLines?: number;
}

/** Called with the number of each line before anything is made of it. */
export function checkLines(line: number, { maxLines = Number.POSITIVE_INFINITY }: LineLimit): void {
  if (line <= maxLines) return;
  const most = maxLines.toLocaleString('en');
  throw new Refusal(
    'too-large',
    `The body has more than ${most} records: at most ${most} are accepted, blank lines counted. Send them in several bodies.`,
  );
}
