import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * Sends a short body past the framework, with the headers that the reply has: for answers that are many and cost little
 * else. No hook of the framework sees them. As Latin-1, where each byte is a character, headers and body go to the
 * system in one piece, which takes it less time than two.
 */
export function answerDirectly(reply: FastifyReply, status: number, body: Buffer): void {
  reply.header('content-length', body.length);
  reply.hijack();
  reply.raw.writeHead(status, reply.getHeaders() as OutgoingHttpHeaders);
  reply.raw.end(body.toString('latin1'), 'latin1');
}
