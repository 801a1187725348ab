import type { SourceProblem } from '../source.ts';
import type { Clock } from './clock.ts';
import type { Credentials } from './credentials.ts';
import {
  BrokenExchange,
  beginningOf,
  type HostConnections,
  type HostRequest,
  type RawAnswer,
} from './host-connections.ts';
import type { RequestPace } from './host-rate-limits.ts';
import { maxTries, pauseMs, type RetryBudget, tokenRefused, unavailable } from './refused-answers.ts';

/** The outcome of one try of a request. */
export type Try<T> = { readonly good: T } | Again;
export interface Again {
  readonly again: SourceProblem;
  /** Without a pause: it waits at the gate at most. */
  readonly atOnce?: true;
}

interface ExchangeParts {
  readonly connections: HostConnections;
  readonly pace: RequestPace;
  readonly signal: AbortSignal;
  readonly budget: () => RetryBudget;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Sends requests when the gate lets them through, with credentials that hold, and again where that may help. */
export class TriedExchanges {
  readonly #parts: ExchangeParts;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** Tries until it goes well or the retries are used up. */
  async persist<T>(ask: () => Promise<Try<T>>): Promise<T> {
    const { pace, clock, random, signal } = this.#parts;
    const budget = this.#parts.budget();
    for (let tries = 1; ; tries += 1) {
      const result = await ask();
      if ('good' in result) {
        budget.earn();
        pace.noteSuccess();
        return result.good;
      }
      if (tries >= maxTries || !budget.take()) throw result.again;
      // Who is limited waits for as long as the provider says, at the gate.
      if (!result.atOnce) await clock.sleep(pauseMs(tries, random), signal);
    }
  }

  /** An answer, or why another try may bring one. `to` names the limit that counts the request. */
  async exchange(
    to: string,
    credentials: Credentials,
    requestWith: (authorization: Readonly<Record<string, string>>) => HostRequest,
  ): Promise<RawAnswer | Again> {
    const { pace, connections, signal } = this.#parts;
    for (;;) {
      const leave = await pace.enter(to, signal);
      const authorization = credentials.headers();
      if (authorization === undefined) {
        // A token may end at the gate. The request for the next one needs a place of its own.
        leave();
        await credentials.renew();
        continue;
      }
      const request = requestWith(authorization);
      const { host } = request.url;
      try {
        const raw = await connections.exchange(request, signal);
        if (raw.status !== 401 && raw.status !== 403) return raw;
        const when = credentials.afterRefusal(authorization, { status: raw.status, text: beginningOf(raw) });
        return when === 'never' ? raw : { again: tokenRefused(host), ...(when === 'at once' && { atOnce: true }) };
      } catch (error) {
        if (error instanceof BrokenExchange) return { again: unavailable(host, undefined) };
        throw error;
      } finally {
        leave();
      }
    }
  }
}
