import { isUtf8 } from 'node:buffer';
import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  isBlank,
  openBrace,
  openBracket,
  quote,
} from '../../json-characters.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { BrokenInput, followedBy } from './byte-source.ts';
import { type FileLine, lineBytesMost, notUtf8, tooLong } from './file-line.ts';
import { HeldBytes } from './held-bytes.ts';
import { jsonLine } from './json-line.ts';
import { checkLines, type LineLimit } from './line-limit.ts';
import { ndjsonLines } from './ndjson.ts';

const newline = 0x0a;

/** The items of a body or file that must be one array, each under its place in it, from 1. */
export async function* jsonArrayItems(chunks: AsyncGenerator<Buffer>, limit: LineLimit = {}): AsyncGenerator<FileLine> {
  let place = 0;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    const begin = next.value.findIndex((byte) => !isBlank(byte));
    if (begin === -1) continue;
    if (next.value[begin] !== openBracket) {
      await chunks.return(undefined);
      throw new BrokenInput('it is no JSON array');
    }
    for await (const item of arrayItems(followedBy(next.value.subarray(begin), chunks), 1)) {
      place += 1;
      checkLines(place, limit);
      yield { ...item, line: place };
    }
    return;
  }
  throw new BrokenInput('it is empty');
}

/**
 * What calls itself JSON: an array of records when it begins with a bracket, objects one after another when the first of
 * them goes over several lines or is a page of a listing, else one record a line.
 */
export async function* jsonDocumentLines(chunks: AsyncGenerator<Buffer>): AsyncGenerator<FileLine> {
  let line = 1;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    const begin = next.value.findIndex((byte) => !isBlank(byte));
    const blank = begin === -1 ? next.value : next.value.subarray(0, begin);
    for (const byte of blank) if (byte === newline) line++;
    if (begin === -1) continue;
    const rest = followedBy(next.value.subarray(begin), chunks);
    yield* next.value[begin] === openBracket ? arrayItems(rest, line) : objectLines(rest, line);
    return;
  }
}

/** One record a line, unless the first object goes over several lines or is a page of a listing. */
export async function* objectLines(chunks: AsyncGenerator<Buffer>, firstLine = 1): AsyncGenerator<FileLine> {
  const first = await chunks.next();
  if (first.done) return;
  const all = followedBy(first.value, chunks);
  const isSequence = objectSequence.test(first.value.toString('latin1', 0, 200));
  yield* isSequence ? objectsInSequence(all, firstLine) : ndjsonLines(all, { firstLine });
}

/** As `jq` writes objects, and `gh api --paginate` pages: one after another, without a break between them. */
const objectSequence = /^\s*\{\s*?(?:\n|"total_count"\s*:)/;

/** Objects, each under the line it begins on, whatever stands between them. */
async function* objectsInSequence(chunks: AsyncIterable<Buffer>, firstLine: number): AsyncGenerator<FileLine> {
  const held = new HeldBytes(lineBytesMost);
  const brackets = new BracketDepth(0);
  let line = firstLine;
  let itemLine: number | undefined;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === newline) line++;
      if (itemLine === undefined) {
        if (isBlank(byte)) continue;
        itemLine = line;
        from = at;
      }
      brackets.follow(byte);
      if (brackets.depth > 0 || (byte !== closeBrace && byte !== newline)) continue;
      held.hold(chunk.subarray(from, at + 1));
      yield await itemRead(itemLine, held.take());
      itemLine = undefined;
    }
    if (itemLine !== undefined) held.hold(chunk.subarray(from));
    if (isTurnLong()) await nextTurn();
  }
  if (itemLine !== undefined) throw new BrokenInput('its last object is not closed');
}

/** How deep inside brackets a byte of JSON is. Brackets that close what was never opened do not lead below the least. */
class BracketDepth {
  depth = 0;
  isInsideText = false;
  #isEscaped = false;
  readonly #least: number;

  constructor(least: number) {
    this.#least = least;
  }

  follow(byte: number): void {
    if (this.isInsideText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.isInsideText = false;
    } else if (byte === quote) this.isInsideText = true;
    else if (byte === openBracket || byte === openBrace) this.depth++;
    else if (byte === closeBracket || byte === closeBrace) this.depth = Math.max(this.#least, this.depth - 1);
  }
}

/**
 * The items of one array, each under the line it begins on, without holding more than one of them.
 * Only brackets and texts are followed here; whether an item is JSON is for the parser to say.
 */
async function* arrayItems(chunks: AsyncIterable<Buffer>, firstLine: number): AsyncGenerator<FileLine> {
  const held = new HeldBytes(lineBytesMost);
  let line = firstLine;
  let itemLine: number | undefined;
  const brackets = new BracketDepth(1);
  let closed = false;
  let afterComma = false;

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === newline) line++;
      if (brackets.isInsideText) {
        brackets.follow(byte);
      } else if (isBlank(byte)) {
        // Inside an item it is held with the rest.
      } else if (closed) {
        throw new BrokenInput('something follows the end of its array');
      } else if (brackets.depth === 0) {
        brackets.follow(byte);
      } else if (brackets.depth === 1 && (byte === comma || byte === closeBracket)) {
        if (itemLine !== undefined) {
          held.hold(chunk.subarray(from, at));
          yield await itemRead(itemLine, held.take());
        } else if (byte === comma || afterComma) {
          yield { line, problem: 'is empty: a record is missing beside a comma', raw: '' };
        }
        itemLine = undefined;
        afterComma = byte === comma;
        closed = byte === closeBracket;
        if (isTurnLong()) await nextTurn();
      } else {
        if (itemLine === undefined) {
          itemLine = line;
          from = at;
        }
        brackets.follow(byte);
      }
    }
    if (itemLine !== undefined) held.hold(chunk.subarray(from));
    if (isTurnLong()) await nextTurn();
  }
  if (!closed) throw new BrokenInput('its array is not closed');
}

function itemRead(line: number, { bytes, cut }: ReturnType<HeldBytes['take']>): FileLine | Promise<FileLine> {
  const raw = bytes.toString('utf8').trimEnd();
  if (cut) return { line, problem: tooLong, raw: `${raw}…` };
  return isUtf8(bytes) ? jsonLine(line, raw) : { line, problem: notUtf8, raw };
}
