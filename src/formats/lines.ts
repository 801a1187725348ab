const newline = 0x0a;
const comma = 0x2c;

/** JSON objects that come one a line, in pieces that end anywhere, in the bytes that `rowsText` has. */
export async function* linePieces(
  format: 'json' | 'ndjson',
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<string | Buffer> {
  if (format === 'ndjson') yield* lines;
  else yield* listed(lines);
}

/** A list has commas where lines end, but for the last one. Inside of JSON there is no newline. */
async function* listed(lines: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  let last: Buffer | undefined;
  for await (const piece of lines) {
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, end + 1)) piece[end] = comma;
    yield last ?? '[';
    last = piece;
  }
  if (last) yield last.subarray(0, -1);
  yield last ? ']' : '[]';
}
