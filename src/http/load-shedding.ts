import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, isStranger } from '../turns/turn.ts';

export interface LoadLimits {
  /** Requests under way. Each may hold a body of a mebibyte. */
  readonly inFlightMost: number;
  readonly ofOrganisation: number;
  readonly ofKey: number;
  /** All requests together whose key is not known yet, and those without one. */
  readonly ofStrangers: number;
  /** How late the event loop may be on average before somebody has to send less. */
  readonly delayMostMs: number;
  /** How many refusals an organisation gets at once in half a second. The others come later. */
  readonly refusalsAtOnce: number;
}

const defaultLimits: LoadLimits = {
  inFlightMost: 2_000,
  ofOrganisation: 1_000,
  ofKey: 500,
  ofStrangers: 500,
  delayMostMs: 250,
  refusalsAtOnce: 50,
};
const sampleEveryMs = 500;
const resolutionMs = 20;
/** Whoever begins no more than this between two samples is not what makes the event loop late. */
const ceilingLeast = 250;
/** What is read from a body costs time as well as the request itself: this many bytes as much as a request. */
const bytesOfRequest = 64 * 1_024;
/** Whoever asks again as soon as they are refused would keep the process busy with refusals alone. */
const refusalAfterMs = 1_000;

/** A request that is under way. */
export interface Visit {
  /** Whether taking it would only make all of them slower, or keep others out. */
  readonly isTooMuch: boolean;
  /** Counts it for the organisation that it turned out to be of. */
  become(caller: Caller): void;
  leave(): void;
}

/**
 * Who has to be turned away, so that everyone else is answered. Nobody can take all requests that may be under way, and
 * when the event loop is late, whoever sends most has to send less. Own, small, in place of @fastify/under-pressure: that
 * one knows the event loop but not who asks, and answers in a form of its own.
 */
export class Load {
  readonly #limits: LoadLimits;
  readonly #delay: IntervalHistogram;
  readonly #timer: NodeJS.Timeout;
  readonly #underWay = new Tally();
  /** What each organisation, and each of its keys, has begun since the last sample. */
  readonly #begun = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  /** How much a key may begin until the next sample; an organisation twice as much. */
  #ceiling = Number.POSITIVE_INFINITY;

  constructor(limits: Partial<LoadLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
    this.#timer = setInterval(() => {
      // The histogram measures the whole way from one tick to the next, the resolution itself included.
      this.sample(this.#delay.mean / 1e6 - resolutionMs);
      this.#delay.reset();
    }, sampleEveryMs).unref();
  }

  get inFlight(): number {
    return this.#underWay.all;
  }

  enter(caller: Caller, bodyBytes = 0): Visit {
    let counted: Caller | undefined = caller;
    this.#underWay.add(caller);
    const count = (next: Caller | undefined) => {
      if (counted) this.#underWay.remove(counted);
      if (next) this.#underWay.add(next);
      counted = next;
    };
    return {
      isTooMuch: this.#isCrowded(caller) || !this.#mayBegin(caller, weightOf(bodyBytes)),
      become: (next) => counted && count(next),
      leave: () => count(undefined),
    };
  }

  /** Holds a refusal back where an organisation gets one after another. */
  async beforeRefusal({ organisationId }: Caller): Promise<void> {
    const refused = (this.#refused.get(organisationId) ?? 0) + 1;
    this.#refused.set(organisationId, refused);
    if (refused > this.#limits.refusalsAtOnce) await sleep(refusalAfterMs, undefined, { ref: false });
  }

  /**
   * Looks at how late the event loop was. While it is late, the most that a key may begin is halved, starting from what
   * the busiest one began; so that one is slowed down first, and others not before they are the busiest.
   */
  sample(delayMs: number): void {
    let busiest = 0;
    for (const [who, begun] of this.#begun) if (who.includes(' ')) busiest = Math.max(busiest, begun);
    if (delayMs > this.#limits.delayMostMs)
      this.#ceiling = Math.max(ceilingLeast, Math.min(this.#ceiling, busiest) / 2);
    else this.#ceiling = this.#ceiling > 2 * busiest ? Number.POSITIVE_INFINITY : this.#ceiling * 2;
    this.#begun.clear();
    this.#refused.clear();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  /** Only what is let in is counted: what is refused does not use up the part of others of the organisation. */
  #mayBegin({ organisationId, keyId }: Caller, weight: number): boolean {
    const key = `${organisationId} ${keyId}`;
    const ofKey = (this.#begun.get(key) ?? 0) + weight;
    const ofOrganisation = (this.#begun.get(organisationId) ?? 0) + weight;
    if (ofKey > this.#ceiling || ofOrganisation > 2 * this.#ceiling) return false;
    this.#begun.set(key, ofKey).set(organisationId, ofOrganisation);
    return true;
  }

  #isCrowded(caller: Caller): boolean {
    const { inFlightMost, ofOrganisation, ofKey, ofStrangers } = this.#limits;
    const own = this.#underWay.of(caller.organisationId);
    if (own > (isStranger(caller) ? ofStrangers : ofOrganisation) || this.#underWay.ofKey(caller) > ofKey) return true;
    if (this.#underWay.all <= inFlightMost) return false;
    // Several organisations together have filled everything: whoever has less than an equal part still gets in.
    return own > inFlightMost / this.#underWay.organisations || this.#underWay.all > 2 * inFlightMost;
  }
}

/** A single body is never too much by itself, however large it may be: it is read in small steps. */
const weightOf = (bodyBytes: number): number => Math.min(ceilingLeast, 1 + bodyBytes / bytesOfRequest);

/** How many there are of each organisation and key. */
class Tally {
  readonly #keys = new Map<string, Map<string, number>>();
  readonly #sums = new Map<string, number>();
  all = 0;

  get organisations(): number {
    return this.#sums.size;
  }

  of(organisationId: string): number {
    return this.#sums.get(organisationId) ?? 0;
  }

  ofKey({ organisationId, keyId }: Caller): number {
    return this.#keys.get(organisationId)?.get(keyId) ?? 0;
  }

  add({ organisationId, keyId }: Caller): void {
    const keys = this.#keys.get(organisationId) ?? new Map<string, number>();
    this.#keys.set(organisationId, keys);
    keys.set(keyId, (keys.get(keyId) ?? 0) + 1);
    this.#sums.set(organisationId, this.of(organisationId) + 1);
    this.all += 1;
  }

  remove({ organisationId, keyId }: Caller): void {
    const keys = this.#keys.get(organisationId);
    const left = (keys?.get(keyId) ?? 1) - 1;
    if (left > 0) keys?.set(keyId, left);
    else keys?.delete(keyId);
    const sum = this.of(organisationId) - 1;
    if (sum > 0) this.#sums.set(organisationId, sum);
    else {
      this.#sums.delete(organisationId);
      this.#keys.delete(organisationId);
    }
    this.all -= 1;
  }
}
