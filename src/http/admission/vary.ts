import type { FastifyReply } from 'fastify';

/** Says that an answer depends on these headers of the request as well. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = String(reply.getHeader('vary') ?? '');
  if (before === '') {
    reply.header('vary', names.join(', '));
    return;
  }
  const known = before.split(',').map((one) => one.trim().toLowerCase());
  const more = names.filter((name) => !known.includes(name.toLowerCase()));
  if (more.length > 0) reply.header('vary', [before, ...more].join(', '));
}
