import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type JsonLimits, readJson } from '../bounded-json.ts';
import type { RecordLine } from '../directory/put-records.ts';
import { maxLineBytes, recordLimits, textLines } from '../ingest/read/text-lines.ts';
import { Refusal } from '../refusal.ts';
import { isTurnLong, nextTurn } from '../yield-to-event-loop.ts';

/** Comes after the last byte and says how many there were: a cut stream must not pass for the whole. */
const bytesTrailer = 'x-plumb-bytes';

/** An error before the first byte can still be reported as a message; after it the answer can only be broken off. */
export async function sendBytes(response: ServerResponse, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = bytes[Symbol.asyncIterator]();
  let next = await pieces.next();
  response.writeHead(200, { 'content-type': 'application/octet-stream', trailer: bytesTrailer });
  async function* counted(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    try {
      for (; !next.done; next = await pieces.next()) {
        sent += next.value.byteLength;
        yield next.value;
      }
      response.addTrailers({ [bytesTrailer]: String(sent) });
    } finally {
      await pieces.return?.();
    }
  }
  await pipeline(Readable.from(counted()), response);
}

export async function* receivedBytes(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      received += piece.byteLength;
      yield piece;
    }
  } catch (error) {
    throw brokenOff(error);
  }
  if (response.trailers[bytesTrailer] !== String(received)) throw brokenOff(undefined);
}

const brokenOff = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'The running server broke off before everything was sent. Its log may say why.', {
    cause,
  });

/** The input on the first line, then a record on each. */
export async function* sentLines(
  input: unknown,
  lines: Iterable<RecordLine> | AsyncIterable<RecordLine>,
): AsyncGenerator<string> {
  yield jsonLine(input);
  let text = '';
  for await (const line of lines) {
    text += jsonLine(line);
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

const pieceLength = 256 * 1024;

export async function receivedLines(
  request: IncomingMessage,
): Promise<{ readonly input: unknown; readonly lines: AsyncIterable<RecordLine> }> {
  const values = receivedValues(request);
  const first = await values.next();
  if (first.done) throw new Refusal('bad-input', 'The request is empty.');
  return { input: first.value, lines: values as AsyncIterable<RecordLine> };
}

/** Line by line, and not longer at a time than others can wait: the server has more to do than a command. */
async function* receivedValues(request: IncomingMessage): AsyncGenerator<unknown> {
  for await (const lines of textLines(received(request), { maxBytes: maxSentBytes })) {
    for (const { text, problem } of lines) {
      if (problem !== undefined) throw new Refusal('bad-input', `A record ${problem}.`);
      if (text === '') continue;
      const reading = await readJson(text, sentLimits);
      if ('problem' in reading) throw new Refusal('bad-input', `A record ${reading.problem}.`);
      yield reading.value;
      if (isTurnLong()) await nextTurn();
    }
  }
}

/** A record with its line around it. What it was read from may have been shorter, or CSV. */
const sentLimits: JsonLimits = { depth: recordLimits.depth + 2, values: 2 * recordLimits.values };
const maxSentBytes = 2 * maxLineBytes;

async function* received(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request as AsyncIterable<Buffer>;
  } catch {
    throw new Refusal('bad-input', 'The command broke off.');
  }
}

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
