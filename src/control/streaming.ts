import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type JsonLimits, readJson } from '../bounded-json.ts';
import type { RecordLine } from '../directory/records.ts';
import { lineBytesMost } from '../ingest/read/file-line.ts';
import { recordLimits } from '../ingest/read/json-line.ts';
import { textLines } from '../ingest/read/text-lines.ts';
import { Refusal } from '../refusal.ts';
import { isTurnLong, nextTurn } from '../yield-to-event-loop.ts';
import { countLines } from './count-lines.ts';

/** The last line says how many rows there were: a cut stream must not pass for the whole. */
const rowsTrailer = 'x-plumb-rows';

/** An error before the first row can still be reported as a message. */
export async function sendRows(response: ServerResponse, rows: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = rows[Symbol.asyncIterator]();
  let next = await pieces.next();
  response.writeHead(200, { 'content-type': 'application/x-ndjson', trailer: rowsTrailer });
  async function* counted(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    try {
      for (; !next.done; next = await pieces.next()) {
        sent += countLines(next.value);
        yield next.value;
      }
      response.addTrailers({ [rowsTrailer]: String(sent) });
    } finally {
      await pieces.return?.();
    }
  }
  await pipeline(Readable.from(counted()), response);
}

export async function* receivedRows(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      received += countLines(piece);
      yield piece;
    }
  } catch (error) {
    throw brokenOff(error);
  }
  if (response.trailers[rowsTrailer] !== String(received)) throw brokenOff(undefined);
}

const brokenOff = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'The running server broke off before all rows were sent; its log may say why.', { cause });

/** The input on the first line, then a record on each. */
export async function sendLines(asked: ClientRequest, input: object, lines: AsyncIterable<RecordLine>): Promise<void> {
  async function* texts(): AsyncGenerator<string> {
    yield `${JSON.stringify(input)}\n`;
    let text = '';
    for await (const line of lines) {
      text += `${JSON.stringify(line)}\n`;
      if (text.length < piece) continue;
      yield text;
      text = '';
    }
    yield text;
  }
  await pipeline(Readable.from(texts()), asked);
}

const piece = 256 * 1024;

export async function receivedLines<I>(
  request: IncomingMessage,
): Promise<{ readonly input: I; readonly lines: AsyncIterable<RecordLine> }> {
  const values = receivedValues(request);
  const first = await values.next();
  if (first.done) throw new Refusal('bad-input', 'The request is empty.');
  return { input: first.value as I, lines: values as AsyncIterable<RecordLine> };
}

/** Line by line, and not longer at a time than others can wait: the server has more to do than a command. */
async function* receivedValues(request: IncomingMessage): AsyncGenerator<unknown> {
  for await (const lines of textLines(received(request), { bytesMost: sentBytesMost })) {
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
const sentBytesMost = 2 * lineBytesMost;

/** All that was sent, in memory: the batches of a command are bounded where they are made. */
export async function receivedBatch<I>(
  request: IncomingMessage,
): Promise<I & { readonly lines: readonly RecordLine[] }> {
  const { input, lines } = await receivedLines<I>(request);
  const batch: RecordLine[] = [];
  for await (const line of lines) batch.push(line);
  return { ...input, lines: batch };
}

async function* received(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request as AsyncIterable<Buffer>;
  } catch {
    throw new Refusal('bad-input', 'The command broke off.');
  }
}
