const newline = 10;

/** A value as a line of NDJSON. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

export async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield Buffer.from(jsonLine(value));
}

/** The values of whole lines, as many as a piece completes, however the lines were cut into pieces. */
export async function* valuesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly unknown[]> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const end = bytes.lastIndexOf(newline);
    if (end === -1) {
      rest.push(bytes);
      continue;
    }
    const whole = Buffer.concat([...rest, bytes.subarray(0, end)]).toString('utf8');
    rest = [bytes.subarray(end + 1)];
    yield JSON.parse(`[${whole.replaceAll('\n', ',')}]`) as unknown[];
  }
}

/** Lines that a piece of NDJSON ends. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
