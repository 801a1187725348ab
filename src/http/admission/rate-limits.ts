import { isIP, isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SecretSender } from '../../access/look-ups.ts';
import type { Principal } from '../../access/principal.ts';
import { recentlyUsed } from '../../recently-used.ts';
import { Refusal } from '../../refusal.ts';
import type { PrometheusMetrics } from '../prometheus.ts';

const windowMs = 60_000;
const maxBadKeys = 30;
const maxCounted = 20_000;
/** Keys that an address over its limit may still have looked up in a second: so many new ones, and so many again. */
const spareLookUps = 5;
const spareMs = 1_000;

interface CountingWindow {
  count: number;
  endsAt: number;
}

/**
 * Counts in fixed windows of time, of a minute by default. @fastify/rate-limit counts the same way, but by a clock of its own, behind a chain
 * of promises, and before it is known whether a key is one.
 */
class Counter {
  readonly #windows = recentlyUsed<CountingWindow>(maxCounted);
  readonly #lengthMs: number;

  constructor(lengthMs = windowMs) {
    this.#lengthMs = lengthMs;
  }

  of(who: string, at: number): CountingWindow | undefined {
    const known = this.#windows.get(who);
    // A window that ends further away than it is long was begun before the clock was set back.
    return known && at < known.endsAt && known.endsAt - at <= this.#lengthMs ? known : undefined;
  }

  count(who: string, at: number): CountingWindow {
    const known = this.of(who, at);
    if (known) {
      known.count += 1;
      return known;
    }
    const begun = { count: 1, endsAt: at + this.#lengthMs };
    this.#windows.set(who, begun);
    return begun;
  }
}

/**
 * Look-ups of addresses that are over their limit. A good key that is first used behind the same address as a guesser
 * must get in at some time, and the store must not notice the guesses. So there are a few look-ups a second for keys
 * that the address has not sent before, and as many for keys that come again: a caller with a key sends it again, and a
 * guesser sends another one.
 */
class SpareLookUps {
  readonly #granted = new Counter(spareMs);
  readonly #turnedAway = recentlyUsed<true>(maxCounted);

  take(client: string, hash: string, at: number): boolean {
    // A few digits of a hash are enough to know it again.
    const key = `${client} ${hash.slice(0, 16)}`;
    const kind = this.#turnedAway.has(key) ? 'again' : 'new';
    const isFree = this.#granted.count(`${client} ${kind}`, at).count <= spareLookUps;
    if (!isFree) this.#turnedAway.set(key, true);
    return isFree;
  }
}

const tooManyWrong = 'Too many wrong keys came from this address.';

/**
 * How much one key may ask, and how often one address may be wrong about keys. A key is counted once it is known to be
 * one, so made-up keys cannot push a real key's count out of memory, nor use it up.
 */
export class RateLimits {
  readonly #limit: number;
  readonly #prometheus: PrometheusMetrics | undefined;
  readonly #tooManyByKey: string;
  readonly #tooManyByPerson: string;
  readonly #tooManyKeyless: string;
  readonly #keys = new Counter();
  readonly #keyless = new Counter();
  readonly #wrong = new Counter();
  readonly #spare = new SpareLookUps();

  /** `limit` requests a minute; 0 means no limit of any kind. */
  constructor(limit: number, prometheus: PrometheusMetrics | undefined) {
    this.#limit = limit;
    this.#prometheus = prometheus;
    this.#tooManyByKey = `This key may send ${limit} requests a minute.`;
    this.#tooManyByPerson = `You may send ${limit} requests a minute.`;
    this.#tooManyKeyless = `Requests without a key are limited to ${limit} a minute.`;
  }

  countRequest({ keyId, session }: Principal, reply: FastifyReply, at: Date): Refusal | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#keys.count(keyId, at.getTime());
    return this.#refuseAbove(reply, window, this.#limit, at, session ? this.#tooManyByPerson : this.#tooManyByKey);
  }

  /** A request without any key. That is no guess at one, so it may happen as often as a request with a key. */
  countKeyless(request: FastifyRequest, reply: FastifyReply, at: Date): Refusal | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#keyless.count(clientOf(request.ip), at.getTime());
    return this.#refuseAbove(reply, window, this.#limit, at, this.#tooManyKeyless);
  }

  /** A wrong key, or a sign-in link that does not work. */
  countWrong(request: FastifyRequest, reply: FastifyReply, at: Date): Refusal | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#wrong.count(clientOf(request.ip), at.getTime());
    return this.#refuseAbove(reply, window, maxBadKeys, at, tooManyWrong);
  }

  /**
   * The sender of a secret that is not known. Once its address was wrong too often, secrets are turned away before they
   * are looked up, but for the few that are spared.
   */
  sender(request: FastifyRequest, reply: FastifyReply, now: () => Date): SecretSender {
    let known: string | undefined;
    // Only where a secret is unknown; and only once, since a closed connection has no address any more.
    const addressOf = () => {
      known ??= clientOf(request.ip);
      return known;
    };
    let isSpared = false;
    return {
      get address() {
        return addressOf();
      },
      mayLookUp: (hash) => {
        const at = now();
        const address = addressOf();
        const window = this.#limit === 0 ? undefined : this.#wrong.of(address, at.getTime());
        if (isSpared || !window || window.count < maxBadKeys) return;
        isSpared = this.#spare.take(address, hash, at.getTime());
        const refusal = isSpared ? undefined : this.countWrong(request, reply, at);
        if (refusal) throw refusal;
      },
    };
  }

  /** Says in headers how much is left of a window, and refuses what is above its limit. */
  #refuseAbove(
    reply: FastifyReply,
    { count, endsAt }: CountingWindow,
    limit: number,
    at: Date,
    problem: string,
  ): Refusal | undefined {
    const seconds = Math.max(1, Math.ceil((endsAt - at.getTime()) / 1_000));
    reply.header('x-ratelimit-limit', limit);
    reply.header('x-ratelimit-remaining', Math.max(0, limit - count));
    reply.header('x-ratelimit-reset', seconds);
    if (count <= limit) return undefined;
    this.#prometheus?.countRateLimited();
    return new Refusal(
      'too-many-requests',
      `${problem} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      {
        retryAfterSeconds: seconds,
      },
    );
  }
}

/**
 * The client that a limit by address counts. A single IPv6 subscriber has a whole /64 of addresses to go through, so all of it is
 * one client; an IPv4 address that is written as IPv6 is the IPv4 one.
 */
export function clientOf(forwarded: string): string {
  // Some proxies add the port. Text that is no address could be anything, of any length: all of it counts as one
  // client.
  const address = /^\[(.+)\]:\d+$/.exec(forwarded)?.[1] ?? /^([\d.]+):\d+$/.exec(forwarded)?.[1] ?? forwarded;
  if (isIP(address) === 0) return 'unknown';
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [unzoned = ''] = address.toLowerCase().split('%');
  const [head = '', tail = ''] = unzoned.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}
