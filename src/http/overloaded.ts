import type { FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';
import { answerDirectly } from './direct-answer.ts';
import { detailBody, jsonType } from './errors.ts';

const retryAfterSeconds = 2;

export const overloaded = new Refusal('unavailable', 'The service is overloaded. Send the request again in a moment.', {
  retryAfterSeconds,
});

const body = Buffer.from(detailBody(overloaded.message));
const ownHeaders = { 'content-type': jsonType, 'retry-after': String(retryAfterSeconds) };

/** Not by way of the framework: under overload most answers are this one, and what it costs is missing for the others. */
export function answerOverloaded(reply: FastifyReply): void {
  answerDirectly(reply.headers(ownHeaders), 503, body);
}
