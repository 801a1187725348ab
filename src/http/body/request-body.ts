import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Budget, type Shares } from '../../admission/budget.ts';
import { serviceTicket, ticketForEachWait } from '../../admission/ticket.ts';
import { unpacked, utf8Bytes } from '../../ingest/read/byte-source.ts';
import { Refusal } from '../../refusal.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { type ArrivalDeadlines, restMs } from '../admission/arrival-deadlines.ts';
import { maxBodyBytes } from '../errors.ts';
import { BufferedBody, type BufferedBodyParts, tooLarge, tooManyRecords } from './buffered-body.ts';

/** The largest body of records, packed and unpacked. */
export const maxRecordBytes = 64 * 1024 * 1024;

export type BodyFormat = 'ndjson' | 'json' | 'csv' | 'parquet';

/** A body that nothing of is taken in yet. */
export interface RequestBody {
  readonly format: BodyFormat;
  readonly isGzip: boolean;
  readonly stream: Readable;
}

export interface BodyKinds {
  /** Media types, each with what it means. */
  readonly types: Readonly<Record<string, BodyFormat>>;
  /** The expected body, for messages: "NDJSON, with the header Content-Type: application/x-ndjson". */
  readonly wanted: string;
}

/** Hands bodies of these kinds to the routes of a scope as they arrive. Others are refused before a byte is read. */
export function acceptRequestBodies(app: FastifyInstance, kinds: BodyKinds): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    try {
      done(null, opened(request, payload as unknown as Readable, kinds));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The body of a request on such a route. */
export function requestBodyOf(request: FastifyRequest, { wanted }: BodyKinds): RequestBody {
  // Without a body and a type the framework comes here directly.
  if (request.body === undefined || request.body === null) throw notTaken(wanted);
  return request.body as RequestBody;
}

function opened({ headers }: FastifyRequest, stream: Readable, { types, wanted }: BodyKinds): RequestBody {
  if (Number(headers['content-length']) > maxRecordBytes) throw tooLarge();
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const format = Object.hasOwn(types, type.trim()) ? types[type.trim()] : undefined;
  if (!format) throw notTaken(wanted);
  const charset = parameters.flatMap((part) => /^\s*charset\s*=\s*"?([^";\s]*)/.exec(part)?.[1] ?? [])[0];
  if (charset !== undefined && !/^utf-?8$/.test(charset)) {
    throw new Refusal('not-json', `The body must be in UTF-8, not in ${charset}.`);
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw new Refusal('not-json', `The body must be sent plain or with Content-Encoding: gzip, not ${encoding}.`);
  }
  return { format, isGzip: encoding.endsWith('gzip'), stream };
}

const notTaken = (wanted: string): Refusal => new Refusal('not-json', `The body must be ${wanted}.`);
/** The plain bytes of a body, up to the limit: also where it is packed. */
export function plainBytes({ isGzip }: RequestBody, arrived: BufferedBody): AsyncGenerator<Buffer> {
  const sent = arrived.chunks();
  return pacedChunks(utf8Bytes(isGzip ? bounded(unpacked(sent, true)) : sent, 'The body'));
}

/**
 * Chunks that were unpacked together come without a pause, and a reader who finds nothing in them would not make one.
 */
async function* pacedChunks(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    if (isTurnLong()) await nextTurn();
  }
}

async function* bounded(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxRecordBytes) throw tooLarge();
      yield chunk;
    }
  } finally {
    await chunks.return(undefined);
  }
}

export interface ReadingParts {
  readonly deadlines: ArrivalDeadlines;
  readonly arrival: BufferedBodyParts;
  readonly turns: ReturnType<typeof bodyTurns>;
}

/** How long a body waits for its turn. */
const waitMs = 60_000;

const turnsOf = (shares: Shares): Budget => new Budget({ shares, crowded: tooManyRecords });

/**
 * Bodies of records take turns: each of them that is worked on holds a batch in memory. All of a body is there before
 * its turn, so that nobody waits for a sender. What is made of a body of a mebibyte is small too.
 */
export const bodyTurns = (
  small: Shares = { all: 32, organisation: 8 },
  large: Shares = { all: 8, organisation: 2 },
) => ({ small: turnsOf(small), large: turnsOf(large) });

/** Takes a body of records in, and reads it in its turn. */
export function readArriving<T>(
  parts: ReadingParts,
  request: FastifyRequest,
  organisationId: string,
  body: RequestBody,
  read: (bytes: AsyncGenerator<Buffer>) => Promise<T>,
): Promise<T> {
  const work = (arrived: BufferedBody) => read(plainBytes(body, arrived));
  return takeArriving(parts, request, organisationId, body.stream, work, body.isGzip);
}

/**
 * Takes a body in, and works on it in its turn. What is left of it afterwards is thrown away, for a while, so that the
 * caller, who may be sending still, gets to the answer.
 */
export async function takeArriving<T>(
  { deadlines, arrival, turns }: ReadingParts,
  { raw }: Pick<FastifyRequest, 'raw'>,
  /** The organisation for which the room of the body is counted. */
  whose: string,
  stream: Readable,
  work: (arrived: BufferedBody) => Promise<T>,
  isPacked = false,
): Promise<T> {
  const { socket } = raw;
  const idleMs = socket.timeout ?? 0;
  deadlines.stop(raw);
  // The connection stands still while a body waits for its turn or is being kept.
  socket.setTimeout(0);
  try {
    const arrived = await BufferedBody.receive(arrival, whose, stream);
    try {
      const isSmall = !isPacked && arrived.bytes <= maxBodyBytes;
      const ticket = ticketForEachWait(serviceTicket(whose), waitMs);
      return await (isSmall ? turns.small : turns.large).take({ ticket }, () => work(arrived));
    } finally {
      await arrived.close();
    }
  } finally {
    deadlines.give(raw, restMs);
    socket.setTimeout(idleMs);
    stream.resume();
  }
}
