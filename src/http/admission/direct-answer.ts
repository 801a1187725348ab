import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../../refusal.ts';
import { detailBody, jsonType } from '../errors.ts';

interface ReadyAnswer {
  readonly response: ServerResponse;
  readonly body: Buffer;
}

let ready: ReadyAnswer[] = [];

/**
 * Sends a short body past the framework, with the headers that the reply has: for answers that are many and cost little
 * else. No hook of the framework sees them.
 */
export function answerDirectly(reply: FastifyReply, status: number, body: Buffer): void {
  reply.header('content-length', body.length);
  reply.hijack();
  reply.raw.writeHead(status, reply.getHeaders() as OutgoingHttpHeaders);
  if (ready.length === 0) setImmediate(sendReady);
  ready.push({ response: reply.raw, body });
}

/**
 * Sends what became ready in one turn of the event loop. A caller with many connections is woken once and finds all of
 * its answers; sent one by one, each of them wakes it, which takes longer than finding the answer.
 */
function sendReady(): void {
  const sent = ready;
  ready = [];
  // As Latin-1, where each byte is a character, headers and body go to the system in one piece.
  for (const { response, body } of sent) response.end(body.toString('latin1'), 'latin1');
}

const retryAfterSeconds = 2;

export const overloaded = new Refusal('unavailable', 'The service is overloaded. Send the request again in a moment.', {
  retryAfterSeconds,
});

const body = Buffer.from(detailBody(overloaded.message));
const ownHeaders = { 'content-type': jsonType, 'retry-after': String(retryAfterSeconds) };

/** Writes past the framework: under overload most answers are this one, and other requests pay for its cost. */
export function answerOverloaded(reply: FastifyReply): void {
  answerDirectly(reply.headers(ownHeaders), 503, body);
}
