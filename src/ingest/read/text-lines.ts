import { isUtf8 } from 'node:buffer';
import { type JsonLimits, type JsonReading, readJson } from '../../bounded-json.ts';
import { Refusal } from '../../refusal.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';

/** One line of a file: a value, or the reason why there is none. */
export type FileLine =
  | { readonly line: number; readonly value: unknown }
  | {
      readonly line: number;
      readonly problem: string;
      readonly raw: string;
      /** How long it was, where `raw` does not hold it. */
      readonly length?: number;
    };

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

/** A physical line: what stands before a line feed. */
export interface TextLine {
  readonly line: number;
  /** Without its ending. Bytes that are not UTF-8 are replaced here, and `problem` says so. */
  readonly text: string;
  readonly ending: '\n' | '\r\n' | '';
  readonly problem?: string;
  /** Only the head of the line is in `text`: the rest was read past. */
  readonly cut?: true;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Blank lines are short: a chunk may hold very many, and their reader has to yield to others in between. */
const linesAtOnce = 1_000;

/** The lines that each chunk completes, many together. Holds one unfinished line, and never more of it than the limit. */
export async function* textLines(
  chunks: AsyncIterable<Buffer>,
  { firstLine = 1, maxBytes = maxLineBytes }: { readonly firstLine?: number; readonly maxBytes?: number } = {},
): AsyncGenerator<readonly TextLine[]> {
  let line = firstLine;
  const held = new HeldBytes(maxBytes);
  for await (const chunk of chunks) {
    let lines: TextLine[] = [];
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      held.hold(chunk.subarray(at, end));
      lines.push(textLine(line++, held.take(), true));
      at = end + 1;
      if (lines.length === linesAtOnce) {
        yield lines;
        lines = [];
      }
    }
    if (at < chunk.length) held.hold(chunk.subarray(at));
    if (lines.length > 0) yield lines;
  }
  if (!held.isEmpty) yield [textLine(line, held.take(), false)];
}

function textLine(line: number, { bytes, cut }: ReturnType<HeldBytes['take']>, ended: boolean): TextLine {
  if (cut) return { line, text: `${bytes.toString('utf8')}…`, ending: ended ? '\n' : '', problem: tooLong, cut };
  const withReturn = ended && bytes.at(-1) === carriageReturn;
  const content = withReturn ? bytes.subarray(0, -1) : bytes;
  const text = content.toString('utf8');
  const ending = withReturn ? '\r\n' : ended ? '\n' : '';
  return isUtf8(content) ? { line, text, ending } : { line, text, ending, problem: notUtf8 };
}

/** One JSON value a line. Blank lines are counted and passed over. */
export async function* ndjsonLines(
  chunks: AsyncIterable<Buffer>,
  { firstLine = 1, ...limit }: LineLimit & { readonly firstLine?: number } = {},
): AsyncGenerator<FileLine> {
  for await (const lines of textLines(chunks, { firstLine })) {
    for (const { line, text, problem } of lines) {
      checkLines(line, limit);
      if (problem !== undefined) yield { line, problem, raw: text };
      else if (!isBlank(text)) yield await jsonLine(line, text);
      if (isTurnLong()) await nextTurn();
    }
  }
}

const isBlank = (text: string): boolean => text === '' || text.trim() === '';

// The beginning that is kept of something that is too long to be held.
const headBytes = 1_000;

/** The bytes of one line while they come in, piece by piece: all of them up to a limit, beyond it only the head. */
export class HeldBytes {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #cutHead: Buffer | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  hold(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#cutHead) return;
    this.#pieces.push(piece);
    if (this.#length > this.#maxBytes) {
      // A copy: a view would keep every chunk of the line alive.
      this.#cutHead = Buffer.from(joined(this.#pieces).subarray(0, headBytes));
      this.#pieces = [];
    }
  }

  /** Hands over what was held, and is empty again. */
  take(): { readonly bytes: Buffer; readonly cut: boolean } {
    const taken = { bytes: this.#cutHead ?? joined(this.#pieces), cut: this.#cutHead !== undefined };
    this.#pieces = [];
    this.#length = 0;
    this.#cutHead = undefined;
    return taken;
  }
}

const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
