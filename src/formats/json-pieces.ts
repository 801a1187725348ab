import { jsonText, longText } from './long-rows.ts';

/** Texts of about this length are passed on. */
const pieceMost = 64 * 1_024;
/** Numbers and short texts of a list that are written at once. */
const itemsAtOnce = 500;

/** A plain document as JSON, piece by piece: the same text that `JSON.stringify` makes of it. */
export function* jsonPieces(document: unknown): Generator<string> {
  let text = '';
  for (const part of partsOf(document)) {
    text += part;
    if (text.length < pieceMost) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Whether a value is written at once: what is neither long nor holds anything. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= longText : typeof value !== 'object' || value === null;

function* partsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* jsonText(value);
  else if (Array.isArray(value)) yield* listParts(value);
  else if (typeof value === 'object' && value !== null) yield* objectParts(value);
  else yield JSON.stringify(value) ?? 'null';
}

function* listParts(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (let i = 0; i < list.length; ) {
    if (i > 0) yield ',';
    if (!isPlain(list[i])) {
      yield* partsOf(list[i]);
      i += 1;
      continue;
    }
    const rest = list.slice(i, i + itemsAtOnce);
    const until = rest.findIndex((item) => !isPlain(item));
    const plain = until === -1 ? rest : rest.slice(0, until);
    yield JSON.stringify(plain).slice(1, -1);
    i += plain.length;
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
