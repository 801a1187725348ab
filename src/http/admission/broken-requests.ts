import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { responseUnderWay } from '../drain.ts';
import { detailBody, jsonType } from '../errors.ts';
import { type KnownPaths, readablePath, routableUrl } from '../known-paths.ts';
import { maxAddressBytes, tooLongAddress } from '../question/question-address.ts';
import { requestIdOf } from '../request-log.ts';
import { securityHeaders } from './response-headers.ts';

interface ParserError extends Error {
  readonly code?: string | undefined;
  readonly rawPacket?: unknown;
}

interface PlainAnswer {
  readonly status: number;
  readonly detail: string;
  readonly allow?: readonly string[];
}

/**
 * Answers to what Node's parser gives up on, or hands over as no request at all. They never reach the framework, so
 * they are written onto the socket by hand, with the headers that every other answer has.
 */
export function answerBrokenRequests(
  app: FastifyInstance,
  paths: KnownPaths,
): (error: ParserError, socket: Socket) => void {
  // Node simply hangs up on CONNECT when nobody listens for it.
  app.server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const allow = paths.allowed(readablePath(routableUrl(request)));
    const detail = allow
      ? `CONNECT is not taken here. This path takes ${allow.join(', ')}.`
      : 'CONNECT is not taken here: this is no proxy.';
    write(socket, { status: 405, detail, allow: allow ?? [] }, requestIdOf(request));
  });
  // The answer to any Expect header but 100-continue: Node would answer 417 without a word.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = detailBody('The header Expect may only be 100-continue.');
    response.writeHead(417, {
      ...securityHeaders,
      'content-type': jsonType,
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestIdOf(request),
    });
    response.end(body);
  });
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const answer = answerTo(error, paths);
    const refuse = () => write(socket, answer, randomUUID());
    // Rubbish behind a good request on one connection: the good one's answer goes first, or they would mix. But when it
    // is that request itself that breaks off, its answer would be waited for in vain.
    const underWay = responseUnderWay(socket);
    if (underWay?.req.complete) underWay.once('close', refuse);
    else refuse();
  };
}

function answerTo({ code, rawPacket }: ParserError, paths: KnownPaths): PlainAnswer {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      if (hasLongAddress(rawPacket)) return { status: 414, detail: tooLongAddress.message };
      return { status: 431, detail: 'The headers are too large: 16 KiB in all are accepted.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, detail: 'The chunk extensions of the body are too large.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, detail: 'The request did not arrive in time. Send it again, faster.' };
    case 'HPE_INVALID_METHOD':
      return unknownMethod(rawPacket, paths) ?? notHttp;
    default:
      return notHttp;
  }
}

const notHttp: PlainAnswer = { status: 400, detail: 'The request is not valid HTTP.' };

/** Whether it is the address that the headers are too large by, as far as the bytes begin with one. */
const hasLongAddress = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && /^[A-Z]+ \S+$/.test(packet.subarray(0, maxAddressBytes + 1).toString('latin1'));

/** A method that HTTP does not know is still a method that the path does not take. */
function unknownMethod(packet: unknown, paths: KnownPaths): PlainAnswer | undefined {
  const [, method, url] =
    /^([A-Za-z!#$%&'*+.^_`|~-]{1,40}) (\S{1,8000}) HTTP\/1\.[01]\r\n/.exec(
      Buffer.isBuffer(packet) ? packet.toString('latin1') : '',
    ) ?? [];
  if (method === undefined || url === undefined || METHODS.includes(method)) return undefined;
  const allow = paths.allowed(readablePath(routableUrl({ url })));
  const takes = allow ? ` It takes ${allow.join(', ')}.` : '';
  return { status: 405, detail: `This path does not take ${method}.${takes}`, allow: allow ?? [] };
}

function write(socket: Duplex, { status, detail, allow }: PlainAnswer, requestId: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = detailBody(detail);
  const headers: Record<string, string | number> = {
    ...securityHeaders,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(allow === undefined ? {} : { allow: allow.join(', ') }),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  // The other side may never read its answer, nor close.
  setTimeout(() => socket.destroy(), 1_000).unref();
}
