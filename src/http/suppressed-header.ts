import type { FastifyReply } from 'fastify';

/** Says how many answers to surveys were left out, also when none was. Nothing where answers are not anonymous. */
export function setSuppressedHeader(reply: FastifyReply, suppressed: number | undefined): void {
  if (suppressed !== undefined) reply.header('x-suppressed', suppressed);
}
