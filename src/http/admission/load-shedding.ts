import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { type Caller, isStranger } from '../../admission/ticket.ts';

export interface LoadLimits {
  /** Requests under way. Each may hold a body of a mebibyte. */
  readonly maxInFlight: number;
  readonly ofOrganisation: number;
  readonly ofKey: number;
  /** The limit for all requests together whose key is unknown, and for those without one. */
  readonly ofStrangers: number;
  /** How late the event loop may be on average before somebody has to send less. */
  readonly maxDelayMs: number;
  /** How many refusals an organisation gets at once in half a second. The others come later. */
  readonly refusalsAtOnce: number;
}

const defaultLimits: LoadLimits = {
  maxInFlight: 2_000,
  ofOrganisation: 500,
  ofKey: 250,
  ofStrangers: 500,
  maxDelayMs: 250,
  refusalsAtOnce: 20,
};
/** However long requests wait, so many of one key, and of one organisation, are let in. */
const minOfKey = 16;
const minOfOrganisation = 32;
/**
 * One key may have as many requests as are answered in a second; all keys of an organisation together twice as many, so
 * that each has its share.
 */
const keyWorthMs = 1_000;
const organisationWorthMs = 2 * keyWorthMs;
const sampleEveryMs = 500;
const resolutionMs = 20;
/** Before the sender is known, one secret takes no more than this part of the limit of an address. */
const secretShare = 1 / 2;
/** A caller that begins no more requests than this between two samples is not what makes the event loop late. */
const minCeiling = 250;
/** Reading a body costs time as well as the request itself: this many bytes as much as a request. */
const bytesOfRequest = 64 * 1_024;

/** A request that is under way. */
export interface RequestUnderWay {
  /** Whether taking it would only make all of them slower, or keep others out. */
  readonly isTooMuch: boolean;
  /** Counts it for the organisation that it turned out to be of. */
  become(caller: Caller): void;
  /** Ends the request. `isLate` where it was refused for having waited too long. */
  leave(isLate?: boolean): void;
}

/**
 * Chooses the callers to turn away, so that all others are answered. No caller can take all requests that may be under way,
 * or have more of them than can be answered in time; and when the event loop is late, the callers that send most have
 * to send less. Own, small, in place of @fastify/under-pressure: that one knows the event loop but not the callers.
 */
export class Load {
  readonly #limits: LoadLimits;
  readonly #delay: IntervalHistogram;
  readonly #timer: NodeJS.Timeout;
  readonly #keys = new Map<string, Allowance>();
  readonly #organisations = new Map<string, Allowance>();
  /** How many requests are under way with each secret that is not known yet. */
  readonly #secrets = new Map<string, Allowance>();
  readonly #held = new HeldRefusals();
  readonly #refused = new Map<string, number>();
  #inFlight = 0;
  #sampledAt = performance.now();
  /** How much a key may begin until the next sample; an organisation twice as much. */
  #ceiling = Number.POSITIVE_INFINITY;

  constructor(limits: Partial<LoadLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // The histogram measures the whole way from one tick to the next, the resolution itself included.
      this.sample(this.#delay.mean / 1e6 - resolutionMs, now - this.#sampledAt);
      this.#sampledAt = now;
      this.#delay.reset();
    }, sampleEveryMs).unref();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** `secret` names what a stranger sends to be known by, so that one who sends much leaves room to others at its address. */
  enter(caller: Caller, bodyBytes = 0, secret?: string): RequestUnderWay {
    let counted: Counted | undefined = this.#count(caller, secret);
    const isTooMuch = this.#isCrowded(counted) || !this.#mayBegin(counted, weightOf(bodyBytes));
    return {
      isTooMuch,
      become: (next) => {
        // Most callers were known when they came.
        if (!counted || nameOf(next) === nameOf(counted.caller)) return;
        this.#leave(counted);
        counted = this.#count(next);
      },
      leave: (isLate = false) => {
        if (!counted) return;
        this.#leave(counted);
        if (!isTooMuch) for (const allowance of [counted.organisation, counted.key]) allowance.ended(isLate);
        counted = undefined;
      },
    };
  }

  /** Refuses, at once or later: a caller that gets one refusal after another has to wait for the next. */
  refuse({ organisationId }: Caller, answer: () => void): void {
    const refused = (this.#refused.get(organisationId) ?? 0) + 1;
    this.#refused.set(organisationId, refused);
    if (refused <= this.#limits.refusalsAtOnce) answer();
    else this.#held.add(answer);
  }

  /**
   * Looks at what became of the requests of each key, and at how late the event loop was. While it is late, the most that
   * a key may begin is halved, starting from what the busiest one began; so that one is slowed down first, and others not
   * before they are the busiest.
   */
  sample(delayMs: number, elapsedMs = sampleEveryMs): void {
    let busiest = 0;
    for (const { begun } of this.#keys.values()) busiest = Math.max(busiest, begun);
    if (delayMs > this.#limits.maxDelayMs) this.#ceiling = Math.max(minCeiling, Math.min(this.#ceiling, busiest) / 2);
    else this.#ceiling = this.#ceiling > 2 * busiest ? Number.POSITIVE_INFINITY : this.#ceiling * 2;
    for (const allowances of [this.#keys, this.#organisations, this.#secrets]) {
      for (const [name, allowance] of allowances) {
        allowance.sample(elapsedMs);
        if (allowance.isIdle) allowances.delete(name);
      }
    }
    this.#refused.clear();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#held.close();
    this.#delay.disable();
  }

  #count(caller: Caller, sent?: string): Counted {
    const name = nameOf(caller);
    const organisation = allowanceIn(
      this.#organisations,
      caller.organisationId,
      minOfOrganisation,
      organisationWorthMs,
    );
    const key = allowanceIn(this.#keys, name, minOfKey, keyWorthMs);
    const secret = sent === undefined ? undefined : allowanceIn(this.#secrets, `${name} ${sent}`, minOfKey, keyWorthMs);
    for (const allowance of [organisation, key, secret]) if (allowance) allowance.underWay += 1;
    this.#inFlight += 1;
    return { caller, organisation, key, secret };
  }

  #leave({ organisation, key, secret }: Counted): void {
    for (const allowance of [organisation, key, secret]) if (allowance) allowance.underWay -= 1;
    this.#inFlight -= 1;
  }

  /** Only what is let in is counted: what is refused does not use up the part of others of the organisation. */
  #mayBegin({ organisation, key }: Counted, weight: number): boolean {
    if (key.begun + weight > this.#ceiling || organisation.begun + weight > 2 * this.#ceiling) return false;
    organisation.begun += weight;
    key.begun += weight;
    return true;
  }

  #isCrowded({ caller, organisation, key, secret }: Counted): boolean {
    const { maxInFlight, ofOrganisation, ofKey, ofStrangers } = this.#limits;
    const max = isStranger(caller) ? ofStrangers : ofOrganisation;
    if (organisation.underWay > max || key.underWay > ofKey || key.isFull) return true;
    if (secret && secret.underWay > ofKey * secretShare) return true;
    // A key with little under way is not what fills its organisation.
    if (organisation.isFull && key.underWay > minOfKey) return true;
    if (this.#inFlight <= maxInFlight) return false;
    // Several organisations together have filled everything: one that has less than an equal part still gets in.
    const active = [...this.#organisations.values()].filter(({ underWay }) => underWay > 0).length;
    return organisation.underWay > maxInFlight / active || this.#inFlight > 2 * maxInFlight;
  }
}

/** A request, and what is counted for it. */
interface Counted {
  readonly caller: Caller;
  readonly organisation: Allowance;
  readonly key: Allowance;
  /** The secret of a request that is not known yet, where one was sent. */
  readonly secret: Allowance | undefined;
}

const nameOf = ({ organisationId, keyId }: Caller): string => `${organisationId} ${keyId}`;

function allowanceIn(allowances: Map<string, Allowance>, name: string, min: number, worthMs: number): Allowance {
  const known = allowances.get(name) ?? new Allowance(min, worthMs);
  allowances.set(name, known);
  return known;
}

/** A single body is never too much by itself, however large it may be: it is read in small steps. */
const weightOf = (bodyBytes: number): number => Math.min(minCeiling, 1 + bodyBytes / bytesOfRequest);

/** The limit of requests under way for one key or one organisation: as many as were lately answered in time. */
class Allowance {
  /** Fewer than this are always let in. */
  readonly #min: number;
  readonly #worthMs: number;
  #limit = Number.POSITIVE_INFINITY;
  #answered = 0;
  #late = 0;
  underWay = 0;
  /** The work begun since the last sample; a large body counts for more than one request. */
  begun = 0;

  /** `worthMs` is about how long requests then take, when everything that is let in is answered. */
  constructor(min: number, worthMs: number) {
    this.#min = min;
    this.#worthMs = worthMs;
  }

  get isFull(): boolean {
    return this.underWay > this.#limit;
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.#limit === Number.POSITIVE_INFINITY;
  }

  ended(isLate: boolean): void {
    if (isLate) this.#late += 1;
    else this.#answered += 1;
  }

  /**
   * Once requests were refused because they waited for too long, no more are let in than are answered in such a time: the
   * others would cost as much to read as those that are answered, and be refused in the end. Without such refusals the
   * limit rises again.
   */
  sample(elapsedMs: number): void {
    if (this.#late > 0) this.#limit = Math.max(this.#min, (this.#answered / elapsedMs) * this.#worthMs);
    else this.#limit = this.#limit * 1.05 + 1;
    // No request is under way: the cause of the delay is over.
    if (this.#limit > 1_000 || (this.underWay === 0 && this.begun === 0)) this.#limit = Number.POSITIVE_INFINITY;
    this.#answered = 0;
    this.#late = 0;
    this.begun = 0;
  }
}

const tickMs = 50;
/** How long refusals are held: 1.2 to 1.9 seconds, since nobody is to wait for more than two. */
const heldTicks = { min: 24, max: 38 };

/**
 * Refusals that are sent later. A client that asks again as soon as it is refused would keep the process busy with
 * refusals alone. They are sent at different times, or hundreds of connections would all ask again at the same moment;
 * and one timer counts for all of them, since a timer for each costs as much as the refusal itself.
 */
export class HeldRefusals {
  /** The work due at each tick, by its number. */
  readonly #due = new Map<number, (() => void)[]>();
  #timer: NodeJS.Timeout | undefined;

  add(answer: () => void): void {
    const { min, max } = heldTicks;
    const tick = tickNow() + min + Math.floor(Math.random() * (max - min + 1));
    const due = this.#due.get(tick);
    if (due) due.push(answer);
    else this.#due.set(tick, [answer]);
    this.#timer ??= setInterval(() => this.#send(tickNow()), tickMs).unref();
  }

  /** By the clock: under load each timer is late, and nobody should wait for the sum of that. */
  #send(now: number): void {
    for (const [tick, due] of this.#due) {
      if (tick > now) continue;
      this.#due.delete(tick);
      for (const answer of due) answer();
    }
    if (this.#due.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Answers the requests that still wait. */
  close(): void {
    this.#send(Number.POSITIVE_INFINITY);
  }
}

const tickNow = (): number => Math.floor(performance.now() / tickMs);
