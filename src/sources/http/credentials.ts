import { sendable } from '../authorization.ts';
import type { Answer } from '../host-port.ts';
import { SourceProblem } from '../source.ts';
import type { TokenIssuer } from '../token-issuer.ts';
import type { Clock } from './clock.ts';

type HeaderValues = Readonly<Record<string, string>>;

/** A request that the host refused. */
interface Refused {
  readonly status: number;
  /** The beginning of what the host said. */
  readonly text: string;
}

/** Headers that say who asks. */
export interface Credentials {
  /** Undefined while none hold: `renew` brings some. */
  headers(): HeaderValues | undefined;
  renew(): Promise<void>;
  /** Whether a refused request may be sent again: at once with other headers, later with the same, or not at all. */
  afterRefusal(headers: HeaderValues, refused: Refused): 'at once' | 'later' | 'never';
}

/** Headers that are always the same, or that are made for each request. */
export const givenCredentials = (headers: () => HeaderValues): Credentials => ({
  headers,
  renew: async () => {},
  afterRefusal: () => 'never',
});

/** What a host says of a token that it has only just issued may come from a copy that does not know it yet. */
const knownEverywhereMs = 10_000;
/** So long before its end a token is renewed, or once half of its time is over: a request may take minutes. */
const marginSeconds = 300;
/** Clocks that differ by less are no reason for a refusal. */
const maxClockDifferenceSeconds = 30;

interface HeldToken {
  readonly headers: HeaderValues;
  readonly issuedMs: number;
  readonly renewMs: number;
}

/**
 * Tokens of an issuer, one at a time, kept in memory alone. The next is asked for before one ends, and when the host refuses
 * one; requests that need it at the same moment wait for one and the same.
 */
export class IssuedCredentials implements Credentials {
  readonly #issuer: TokenIssuer;
  readonly #clock: Clock;
  readonly #ask: (signed: Credentials) => Promise<Answer>;
  #token: HeldToken | undefined;
  #renewal: Promise<void> | undefined;
  /** What the owner has to put right is not asked for again meanwhile. */
  #problem: SourceProblem | undefined;
  /** The host's clock minus ours. */
  #clockDifferenceSeconds = 0;

  constructor(issuer: TokenIssuer, clock: Clock, ask: (signed: Credentials) => Promise<Answer>) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#ask = ask;
  }

  headers(): HeaderValues | undefined {
    return this.#token && this.#clock.now() < this.#token.renewMs ? this.#token.headers : undefined;
  }

  renew(): Promise<void> {
    this.#renewal ??= this.#issue().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  afterRefusal(headers: HeaderValues, refused: Refused): 'at once' | 'later' | 'never' {
    if (!this.#issuer.hasEnded(refused)) return 'never';
    // Meanwhile another request has brought a new one.
    if (headers !== this.#token?.headers) return 'at once';
    const age = this.#clock.now() - this.#token.issuedMs;
    // A clock that was set back says nothing of its age.
    if (age >= 0 && age < knownEverywhereMs) return 'later';
    this.#token = undefined;
    return 'at once';
  }

  async #issue(): Promise<void> {
    if (this.#problem) throw this.#problem;
    try {
      this.#token = await this.#next();
    } catch (error) {
      if (error instanceof SourceProblem && !error.mayPass) this.#problem = error;
      throw error;
    }
  }

  async #next(): Promise<HeldToken> {
    const signed = givenCredentials(() => this.#issuer.sign(this.#hostSeconds()));
    let answer = await this.#ask(signed);
    const difference = answer.at - this.#hostSeconds();
    // A proof is good for minutes only: where our clock is off, it is made once more by that of the host.
    if (answer.status === 401 && Math.abs(difference) > maxClockDifferenceSeconds) {
      this.#clockDifferenceSeconds += difference;
      answer = await this.#ask(signed);
    }
    const { token, endsAt } = this.#issuer.tokenIn(answer);
    const seconds = endsAt - answer.at;
    const now = this.#clock.now();
    return {
      headers: sendable({ authorization: `Bearer ${token}` }),
      issuedMs: now,
      renewMs: now + Math.max(seconds - marginSeconds, seconds / 2, 1) * 1_000,
    };
  }

  #hostSeconds(): number {
    return Math.floor(this.#clock.now() / 1_000) + this.#clockDifferenceSeconds;
  }
}
