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

interface BatchLimits {
  readonly maxLines?: number;
  /** Roughly, in memory: a few lines of many megabytes make a batch too. */
  readonly maxBytes?: number;
}

/** Lines in groups worth sending together. Where the lines break off, those before the damage still come. */
export async function* batchesOf<L extends FileLine>(
  lines: AsyncIterable<L>,
  { maxLines = 5_000, maxBytes = 16 * 1024 * 1024 }: BatchLimits = {},
): AsyncGenerator<readonly L[]> {
  let batch: L[] = [];
  let bytes = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const line of lines) {
      batch.push(line);
      bytes += roughBytes('problem' in line ? line.raw : line.value);
      if (batch.length >= maxLines || bytes >= maxBytes) {
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.length > 0) yield batch;
  if (failure) throw failure.error;
}

function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 16;
  if (Array.isArray(value)) for (const item of value) bytes += roughBytes(item);
  // Not by entries: a pair for each field of a large value takes fifty times as long.
  else for (const name in value) bytes += name.length + roughBytes(value[name as keyof typeof value]);
  return bytes;
}
