import type { Clock } from './clock.ts';
import { beginningOf, type RawAnswer } from './host-connections.ts';

/** The state of a provider's limit. Times are in seconds since 1970 by the provider's clock. */
interface RateLimit {
  readonly limit?: number;
  readonly remaining?: number;
  readonly resetAt?: number;
}

export interface KnownLimit extends RateLimit {
  /** Of what: `rest`, `graphql`, or an endpoint where each has a limit of its own. */
  readonly to: string;
  /** When the limit is whole again, in seconds since 1970 by our clock. */
  readonly wholeAt?: number;
}

/** Hourly limits are the longest that providers have; a reset farther away is a mistake of some clock. */
const maxWaitSeconds = 3_700;
const defaultWaitSeconds = 60;
/** The provider counts whole seconds. */
const marginSeconds = 1;

/** Keeps account of a provider's limits, and of the share that is left to the company's other tools. */
export class HostLimits {
  readonly #pace: RequestPace;
  readonly #clock: Clock;
  readonly #keepFree: number;
  readonly #hasEndpointLimits: boolean;
  readonly #known = new Map<string, KnownLimit>();

  constructor(pace: RequestPace, clock: Clock, keepFree: number, { hasEndpointLimits = false } = {}) {
    this.#pace = pace;
    this.#clock = clock;
    this.#keepFree = keepFree;
    this.#hasEndpointLimits = hasEndpointLimits;
  }

  known(): readonly KnownLimit[] {
    return [...this.#known.values()];
  }

  /** After each answer. Providers whose limits are switched off say nothing, and are not waited for. */
  note(to: string, said: RateLimit, at: number): void {
    const { limit, remaining, resetAt } = said;
    if (remaining === undefined) return;
    const inSeconds = resetAt === undefined ? undefined : resetAt - at;
    const wholeAt = inSeconds === undefined ? undefined : this.#clock.now() / 1_000 + inSeconds;
    this.#known.set(to, { to, ...said, ...(wholeAt === undefined ? {} : { wholeAt }) });
    if (inSeconds === undefined || inSeconds <= 0) return;
    if (remaining <= (limit ?? 0) * this.#keepFree) this.#hold(to, inSeconds + marginSeconds);
  }

  /**
   * After an answer that refused because of a limit. A secondary limit, which has nothing to do with what remains, holds
   * for REST and GraphQL together, and wants fewer requests at a time; of an endpoint it holds for that endpoint alone.
   */
  noteRefused(to: string, { headers }: Pick<RawAnswer, 'headers'>, said: RateLimit, at: number): void {
    const retryAfter = retryAfterOf(headers, at);
    const isPrimary = retryAfter === undefined && said.remaining === 0 && said.resetAt !== undefined;
    if (isPrimary) this.#hold(to, Math.max((said.resetAt ?? at) - at, 0) + marginSeconds);
    else if (this.#hasEndpointLimits) this.#hold(to, retryAfter ?? defaultWaitSeconds);
    else {
      this.#pace.slowDown();
      for (const each of new Set([...interfaces, to])) this.#hold(each, retryAfter ?? defaultWaitSeconds);
    }
  }

  #hold(to: string, seconds: number): void {
    this.#pace.holdUntil(to, this.#clock.now() + Math.min(seconds, maxWaitSeconds) * 1_000);
  }
}

/** As providers call them: some have several, of which the first that is there counts. */
const limitHeaders = ['x-ratelimit', 'ratelimit', 'x-ratelimit-requests'] as const;

/** Reads a limit from headers. `at` is the provider's clock. */
export function limitOf(headers: Readonly<Record<string, string>>, at: number): RateLimit {
  const family = limitHeaders.find((name) => headers[`${name}-remaining`] !== undefined);
  if (family === undefined) return {};
  return present({
    limit: numberOf(headers[`${family}-limit`]),
    remaining: numberOf(headers[`${family}-remaining`]),
    resetAt: resetOf(headers[`${family}-reset`], at),
  });
}

/** No provider has a limit of so many seconds, and no clock stands so early: a number tells by itself what it is. */
const earliestMoment = 1_000_000_000;

/** Providers say the moment in seconds or milliseconds since 1970, the moment as a date, or how many seconds are left. */
function resetOf(text: string | undefined, at: number): number | undefined {
  const number = numberOf(text);
  if (number === undefined) return secondsOf(text ?? '');
  if (number >= earliestMoment * 1_000) return Math.ceil(number / 1_000);
  return number >= earliestMoment ? number : at + number;
}

/** Of `rateLimit { limit remaining resetAt }` in an answer of GraphQL. */
export function graphqlLimitOf(data: unknown): RateLimit {
  const said = fieldOf(data, 'rateLimit');
  const [limit, remaining, resetAt] = ['limit', 'remaining', 'resetAt'].map((name) => fieldOf(said, name));
  return present({
    limit: typeof limit === 'number' ? limit : undefined,
    remaining: typeof remaining === 'number' ? remaining : undefined,
    resetAt: typeof resetAt === 'string' ? secondsOf(resetAt) : undefined,
  });
}

/** Whether an answer refuses because of a limit, and not because of missing rights or an outage. */
export function isLimited({ status, headers, body }: RawAnswer): boolean {
  if (status === 429) return true;
  if (status === 503) return headers['retry-after'] !== undefined;
  if (status !== 403) return false;
  if (headers['retry-after'] !== undefined || limitOf(headers, 0).remaining === 0) return true;
  return /secondary rate limit|rate limit exceeded|too many requests|abuse detection/i.test(beginningOf({ body }));
}

/** The provider's clock when it answered, in seconds since 1970. */
export const providerTime = (headers: Readonly<Record<string, string>>): number | undefined =>
  secondsOf(headers.date ?? '');

/** In seconds or as a date. */
function retryAfterOf(headers: Readonly<Record<string, string>>, at: number): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const seconds = numberOf(text) ?? (secondsOf(text) ?? at + defaultWaitSeconds) - at;
  return Math.max(0, seconds);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function secondsOf(date: string): number | undefined {
  const ms = Date.parse(date);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function present(said: { [N in keyof RateLimit]: RateLimit[N] | undefined }): RateLimit {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** REST and GraphQL have limits of their own. */
const interfaces = ['rest', 'graphql'] as const;

/** The endpoint of an address, whatever it asks about: `/projects/7/issues` and `/projects/8/issues` are one. */
export const endpointOf = ({ pathname }: URL): string =>
  pathname
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? '*' : part))
    .join('/');

/** Requests that go well before one more is sent at a time again. */
const recoversAfter = 20;
const defaultAtOnce = 4;

/** How many requests are under way at a time, and when the next may begin. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #heldUntil = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #places: number;
  #taken = 0;
  #wentWell = 0;

  constructor(clock: Clock, max: number = defaultAtOnce) {
    this.#clock = clock;
    this.#max = max;
    this.#places = max;
  }

  /** How many may be under way now. */
  get atOnce(): number {
    return this.#places;
  }

  /** Waits for a place and for the end of a hold. A caller that gets a place must leave it. */
  async enter(to: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = (this.#heldUntil.get(to) ?? 0) - this.#clock.now();
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
      else if (this.#taken >= this.#places) await this.#somebodyLeaves(signal);
      else return this.#take();
    }
  }

  /** Nothing is sent before this moment (milliseconds since 1970, our clock). */
  holdUntil(to: string, moment: number): void {
    this.#heldUntil.set(to, Math.max(this.#heldUntil.get(to) ?? 0, moment));
  }

  /** The provider finds that these are too many at a time. */
  slowDown(): void {
    this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#wentWell = 0;
  }

  noteSuccess(): void {
    this.#wentWell += 1;
    if (this.#wentWell < recoversAfter || this.#places >= this.#max) return;
    this.#places += 1;
    this.#wentWell = 0;
  }

  #take(): () => void {
    this.#taken += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#taken -= 1;
      for (const goOn of this.#waiting) goOn();
      this.#waiting.clear();
    };
  }

  #somebodyLeaves(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.delete(goOn);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.add(goOn);
    });
  }
}
