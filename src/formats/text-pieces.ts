import { yieldIfDue } from '../yield-to-event-loop.ts';

/** Text of about this length is passed on: a few rows can hold many megabytes, what waits to be sent does not. */
export const maxPieceLength = 64 * 1_024;

/**
 * Pieces of text as bytes. What is short is there at once; while something long is written, others have the event loop
 * now and then. Undefined where it is longer than it may be.
 */
export function collected(pieces: Iterator<string>, maxBytes: number): Buffer | Promise<Buffer | undefined> {
  const first = pieces.next();
  const bytes = Buffer.from(first.done ? '' : first.value);
  const second = first.done ? first : pieces.next();
  return second.done ? bytes : collectRest([bytes, Buffer.from(second.value)], pieces, maxBytes);
}

async function collectRest(bytes: Buffer[], pieces: Iterator<string>, maxBytes: number): Promise<Buffer | undefined> {
  let length = bytes.reduce((sum, piece) => sum + piece.length, 0);
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    const piece = Buffer.from(next.value);
    bytes.push(piece);
    length += piece.length;
    if (length > maxBytes) return undefined;
    await yieldIfDue();
  }
  return Buffer.concat(bytes);
}

/** Longer texts are written slice by slice: all of one takes longer than anybody should have to wait. */
export const longText = 128 * 1_024;
const maxSliceLength = 32 * 1_024;

/** A long text in parts. No slice ends between the halves of a character. */
export function* slicesOf(text: string): Generator<string> {
  for (let i = 0; i < text.length; ) {
    const isHalved = /[\ud800-\udbff]/.test(text[i + maxSliceLength - 1] ?? '');
    const end = i + maxSliceLength + (isHalved ? 1 : 0);
    yield text.slice(i, end);
    i = end;
  }
}

/** Numbers and short texts of a list that are written at once. */
const itemsAtOnce = 500;

/** A plain document as JSON, piece by piece: the same text that `JSON.stringify` makes of it. */
export function* jsonPieces(document: unknown): Generator<string> {
  let text = '';
  for (const part of partsOf(document)) {
    text += part;
    if (text.length < maxPieceLength) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Whether a value is written at once: what is neither long nor holds anything. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= longText : typeof value !== 'object' || value === null;

function* partsOf(value: unknown): Generator<string> {
  if (isPlain(value)) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* jsonTextParts(value);
  else if (Array.isArray(value)) yield* listParts(value);
  else yield* objectParts(value as object);
}

/** A long text as JSON. */
export function* jsonTextParts(text: string): Generator<string> {
  yield '"';
  for (const slice of slicesOf(text)) yield JSON.stringify(slice).slice(1, -1);
  yield '"';
}

function* listParts(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (let i = 0; i < list.length; i += itemsAtOnce) {
    const items = list.slice(i, i + itemsAtOnce);
    if (i > 0) yield ',';
    if (items.every(isPlain)) yield JSON.stringify(items).slice(1, -1);
    else {
      for (const [j, item] of items.entries()) {
        if (j > 0) yield ',';
        yield* partsOf(item);
      }
    }
  }
  yield ']';
}

function* objectParts(object: object): Generator<string> {
  if (Object.values(object).every(isPlain)) {
    yield JSON.stringify(object);
    return;
  }
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    before = ',';
  }
  yield '}';
}
