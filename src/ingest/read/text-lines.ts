import { isUtf8 } from 'node:buffer';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { checkLines, type FileLine, jsonLine, type LineLimit, maxLineBytes, notUtf8, tooLong } from './file-line.ts';
import { HeldBytes } from './held-bytes.ts';

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
