import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';
import { detailBody, jsonType } from './errors.ts';

const retryAfterSeconds = 2;

export const overloaded = new Refusal('unavailable', 'The service is overloaded. Send the request again in a moment.', {
  retryAfterSeconds,
});

const body = detailBody(overloaded.message);
const ownHeaders = {
  'content-type': jsonType,
  'content-length': Buffer.byteLength(body),
  'retry-after': String(retryAfterSeconds),
};

/** Not by way of the framework: under overload most answers are this one, and what it costs is missing for the others. */
export function answerOverloaded(reply: FastifyReply): void {
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...ownHeaders };
  reply.hijack();
  reply.raw.writeHead(503, headers);
  reply.raw.end(body);
}
