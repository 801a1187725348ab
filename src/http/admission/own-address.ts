import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lifeMs } from '../../access/sign-in-sessions.ts';
import { Refusal } from '../../refusal.ts';

/** The address at which people find this service, and whether others on the way can read their requests. */
export class OwnAddress {
  readonly #publicUrl: string | undefined;

  /** Without a public address it is the one that a request came to. */
  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl;
  }

  urlFor(request: FastifyRequest): string {
    return this.#publicUrl ?? baseUrlOf(request);
  }

  /** Whether browsers reach this service by https, here or at a proxy in front of it. */
  isSecure(request: FastifyRequest): boolean {
    return new URL(this.urlFor(request)).protocol === 'https:' || request.protocol === 'https';
  }

  /** A page of another site can send requests with our cookie, but it cannot say that it is ours. */
  foreignOrigin(request: FastifyRequest): Refusal | undefined {
    const own = new URL(this.urlFor(request)).origin;
    const { origin } = request.headers;
    if (origin !== undefined && URL.canParse(origin) && new URL(origin).origin === own && own !== 'null') {
      return undefined;
    }
    return new Refusal(
      'forbidden',
      `This request has to come from a page of this service: the header Origin must be ${own}. ` +
        'If people find Plumb at another address, set PLUMB_PUBLIC_URL to it.',
    );
  }

  /** Passwords and sessions do not travel in clear from one machine to another. */
  overheard(request: FastifyRequest): Refusal | undefined {
    if (this.isSecure(request)) return undefined;
    const { hostname } = new URL(baseUrlOf(request));
    const isHere = isLoopbackAddress(request.ip) && isLoopbackAddress(request.socket.remoteAddress ?? '');
    // In a container the neighbour's address is that of a bridge: the operator says that the address is this machine's.
    const isSaidToBeHere = this.#publicUrl !== undefined && isLoopbackHost(new URL(this.#publicUrl).hostname);
    if (isLoopbackHost(hostname) && (isHere || isSaidToBeHere)) return undefined;
    return new Refusal(
      'forbidden',
      'Signing in from another machine needs TLS: over plain HTTP anyone on the way could read the password. ' +
        'Put a proxy with TLS in front of Plumb and set PLUMB_PUBLIC_URL to its https address.',
    );
  }
}

const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

const isLoopbackAddress = (address: string): boolean => /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/i.test(address);

/**
 * The address at which the caller found this service, for commands to paste into a shell. The caller sends the Host
 * header, so one that is not plainly a host gives way to the address of the connection.
 */
function baseUrlOf(request: FastifyRequest): string {
  const host = request.host ?? '';
  const asked = `${request.protocol}://${host}`;
  if (/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host) && URL.canParse(asked)) return asked;
  const { localAddress, localPort } = request.raw.socket;
  return `${request.protocol}://${localAddress?.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

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
