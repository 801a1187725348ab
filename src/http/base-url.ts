import type { FastifyRequest } from 'fastify';

/**
 * Where the caller found this service, for commands to paste into a shell. The Host header is whatever was sent, so one
 * that is not plainly a host gives way to the address of the connection.
 */
export function baseUrlOf(request: FastifyRequest): string {
  const host = request.host ?? '';
  const asked = `${request.protocol}://${host}`;
  if (/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host) && URL.canParse(asked)) return asked;
  const { localAddress, localPort } = request.raw.socket;
  return `${request.protocol}://${localAddress?.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
