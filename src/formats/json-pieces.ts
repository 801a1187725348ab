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

function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* listParts(value);
  else if (typeof value === 'object' && value !== null) yield* objectParts(value);
  else yield JSON.stringify(value) ?? 'null';
}

function* listParts(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (let i = 0; i < list.length; ) {
    if (i > 0) yield ',';
    if (typeof list[i] === 'object' && list[i] !== null) {
      yield* partsOf(list[i]);
      i += 1;
      continue;
    }
    const rest = list.slice(i, i + itemsAtOnce);
    const until = rest.findIndex((item) => typeof item === 'object' && item !== null);
    const plain = until === -1 ? rest : rest.slice(0, until);
    yield JSON.stringify(plain).slice(1, -1);
    i += plain.length;
  }
  yield ']';
}

function* objectParts(object: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
