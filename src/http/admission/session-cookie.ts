import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lifeMs } from '../../access/sign-in-sessions.ts';
import type { OwnAddress } from './own-address.ts';

/** Cookies of this service. Over https their names keep them from being set by any other host of the same domain. */
export class OwnCookie {
  readonly #name: string;
  readonly #maxAgeSeconds: number;
  readonly #address: OwnAddress;

  constructor(name: string, maxAgeSeconds: number, address: OwnAddress) {
    this.#name = name;
    this.#maxAgeSeconds = maxAgeSeconds;
    this.#address = address;
  }

  read(request: FastifyRequest): string | undefined {
    const { cookie } = request.headers;
    return cookie === undefined ? undefined : parseCookie(cookie)[this.#nameFor(request)];
  }

  set(request: FastifyRequest, reply: FastifyReply, value: string): void {
    this.#send(request, reply, value, this.#maxAgeSeconds);
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    this.#send(request, reply, '', 0);
  }

  #send(request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
    const secure = this.#address.isSecure(request);
    const options = { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge } as const;
    // Several cookies of one answer become several headers.
    reply.header('set-cookie', stringifySetCookie(this.#nameFor(request), value, options));
  }

  #nameFor(request: FastifyRequest): string {
    return this.#address.isSecure(request) ? `__Host-${this.#name}` : this.#name;
  }
}

export const sessionCookie = (address: OwnAddress): OwnCookie =>
  new OwnCookie('plumb_session', lifeMs / 1_000, address);
