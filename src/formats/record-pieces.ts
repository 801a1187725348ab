import { csvHeader, type RecordColumn, recordLine } from './csv.ts';

const newline = 10;

/** The rows of an exported table, piece by piece. They come as NDJSON, in pieces that end anywhere. */
export async function* recordPieces(
  format: 'ndjson' | 'csv',
  columns: readonly RecordColumn[],
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer | string> {
  if (format === 'ndjson') {
    yield* rows;
    return;
  }
  yield csvHeader(columns);
  let rest: Buffer[] = [];
  for await (const piece of rows) {
    const end = piece.lastIndexOf(newline);
    if (end === -1) {
      rest.push(piece);
      continue;
    }
    const whole = Buffer.concat([...rest, piece.subarray(0, end)]).toString('utf8');
    rest = [piece.subarray(end + 1)];
    for (const line of whole.split('\n')) yield recordLine(columns, JSON.parse(line));
  }
}
