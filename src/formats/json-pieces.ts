import { longText, maxPieceLength, slicesOf } from './text-pieces.ts';

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
