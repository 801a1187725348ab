import { FairQueue, type QueueEntry } from '../../admission/fair-queue.ts';
import type { Caller } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';

/** The class of a statement, known before it runs. */
export type Lane = 'light' | 'heavy' | 'writing';

/** Leaves the place to the next one. */
export type Leave = () => void;

/** Statements at once: of every kind, and of each. */
export interface Places {
  readonly places: number;
  readonly light: number;
  readonly heavy: number;
  readonly writing: number;
}

export interface LaneLimits {
  /**
   * Node's native pool has 16 threads, and files want some of them. Light and writing statements leave some places, so
   * that heavy ones are never shut out.
   */
  readonly all: Places;
  /** Fewer than all: other organisations always find a place, however slow the statements of one are. */
  readonly organisation: Places;
  /** The division between the keys of one organisation. */
  readonly key: Places;
  /** How many reading statements may wait. More than this would be answered too late to matter to anyone. */
  readonly waiting: { readonly all: number; readonly organisation: number; readonly key: number };
  /** How long a light statement may run before it counts as a heavy one. */
  readonly lightMs: number;
}

export const defaultLaneLimits: LaneLimits = {
  all: { places: 12, light: 6, heavy: 4, writing: 3 },
  organisation: { places: 8, light: 5, heavy: 3, writing: 2 },
  key: { places: 6, light: 4, heavy: 2, writing: 2 },
  waiting: { all: 2_000, organisation: 1_000, key: 500 },
  lightMs: 250,
};

export interface LaneRequest extends QueueEntry {
  readonly lane: Lane;
  /** Asks a light statement that turned out slow to stop, because light ones wait. It starts over as a heavy one. */
  readonly giveWay?: (() => void) | undefined;
}

interface Running {
  readonly request: LaneRequest;
  lane: Lane;
  isGivingWay: boolean;
}

/** A place that is taken, or would be. */
interface TakenPlace {
  readonly caller: Caller;
  readonly lane: Lane;
}

const levels = ['all', 'organisation', 'key'] as const;
type ShareLevel = (typeof levels)[number];

/**
 * Decides which statement runs when. Light ones never wait for heavy ones, only for each other: those that turn out
 * slow become heavy while they run, and give way when every place is taken. Within a lane organisations take turns, and
 * so do the keys of an organisation; neither may take all places.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #queues: Readonly<Record<Lane, FairQueue<LaneRequest, Leave>>> = {
    light: new FairQueue(crowded),
    writing: new FairQueue(crowded),
    heavy: new FairQueue(crowded),
  };
  readonly #running = new Set<Running>();

  constructor(limits: LaneLimits = defaultLaneLimits) {
    this.#limits = limits;
  }

  /** Waits for a place. The caller must leave the place afterwards. */
  enter(request: LaneRequest): Promise<Leave> {
    const { lane, ticket, isFirst } = request;
    if (ticket.signal?.aborted) return Promise.reject(ticket.signal.reason);
    // A statement that has begun is not turned away for others that wait: its work would be lost.
    const isLimited = lane !== 'writing' && ticket.waiting !== undefined && !isFirst;
    if (isLimited && !this.#mayWait(ticket)) return Promise.reject(crowded());
    // Most find a place, and nobody who waits for one.
    if (this.#isNobodyWaiting && this.#mayRun({ caller: ticket, lane })) return Promise.resolve(this.#start(request));
    const place = this.#queues[lane].wait(request);
    this.#admit();
    return place;
  }

  /** How many run and wait in each lane, for monitoring. */
  get occupancy(): Readonly<Record<Lane, { readonly running: number; readonly waiting: number }>> {
    const of = (lane: Lane) => ({
      running: [...this.#running].filter((running) => running.lane === lane).length,
      waiting: this.#queues[lane].size,
    });
    return { light: of('light'), heavy: of('heavy'), writing: of('writing') };
  }

  get #isNobodyWaiting(): boolean {
    const { light, writing, heavy } = this.#queues;
    return light.size + writing.size + heavy.size === 0;
  }

  #admit(): void {
    if (this.#isNobodyWaiting) return;
    for (const lane of ['light', 'writing', 'heavy'] as const) {
      for (;;) {
        const taken = [...this.#running].map(takenBy);
        if (this.#isFull(taken, lane)) break;
        const next = this.#queues[lane].next(
          ({ ticket }) => this.#hindrance(taken, { caller: ticket, lane }) === undefined,
        );
        if (!next) break;
        next.grant(this.#start(next.entry));
      }
    }
    this.#makeRoom();
  }

  #mayRun(place: TakenPlace): boolean {
    const taken = [...this.#running].map(takenBy);
    return !this.#isFull(taken, place.lane) && this.#hindrance(taken, place) === undefined;
  }

  #start(request: LaneRequest): Leave {
    const running: Running = { request, lane: request.lane, isGivingWay: false };
    this.#running.add(running);
    const slow = request.lane === 'light' ? setTimeout(() => this.#slowDown(running), this.#limits.lightMs) : undefined;
    return () => {
      clearTimeout(slow);
      if (this.#running.delete(running)) this.#admit();
    };
  }

  #slowDown(running: Running): void {
    running.lane = 'heavy';
    this.#admit();
  }

  #isFull(taken: readonly TakenPlace[], lane: Lane): boolean {
    const { all } = this.#limits;
    return taken.length >= all.places || taken.filter((place) => place.lane === lane).length >= all[lane];
  }

  /** The reason why a statement cannot run: too many in its lane, or, by whose limit, too many at all. */
  #hindrance(taken: readonly TakenPlace[], { caller, lane }: TakenPlace): 'lane' | ShareLevel | undefined {
    let full: ShareLevel | undefined;
    for (const level of levels) {
      const limits = this.#limits[level];
      const [count, inLane] = countOf(taken, level, caller, lane);
      if (inLane >= limits[lane]) return 'lane';
      if (count >= limits.places) full = level;
    }
    return full;
  }

  /**
   * When light statements wait although few light ones run, slow statements that may start over hold their places. One
   * of them is stopped: of the same key or organisation if that one already has its share, else of the organisation that
   * holds the most places.
   */
  #makeRoom(): void {
    const staying = new Set([...this.#running].filter(({ isGivingWay }) => !isGivingWay));
    const taken = () => [...[...staying].map(takenBy), ...coming];
    const coming: TakenPlace[] = [];
    for (const { ticket: caller } of this.#queues.light.foremost(this.#limits.key.light)) {
      const wanted: TakenPlace = { caller, lane: 'light' };
      if (taken().filter(({ lane }) => lane === 'light').length >= this.#limits.all.light) return;
      const hindrance = this.#hindrance(taken(), wanted);
      if (hindrance === 'lane') continue;
      if (hindrance !== undefined) {
        const slow = slowest([...staying], hindrance, caller);
        if (!slow) continue;
        staying.delete(slow);
        slow.isGivingWay = true;
        slow.request.giveWay?.();
        if (this.#hindrance(taken(), wanted) !== undefined) continue;
      }
      coming.push(wanted);
    }
  }

  #mayWait(caller: Caller): boolean {
    const { light, heavy } = this.#queues;
    const { all, organisation, key } = this.#limits.waiting;
    const { organisationId } = caller;
    const own = light.sizeOf(organisationId) + heavy.sizeOf(organisationId);
    if (own >= organisation || light.sizeOfKey(caller) + heavy.sizeOfKey(caller) >= key) return false;
    return light.size + heavy.size < all || this.#refuseOneOfMore(own);
  }

  /** Refuses one statement of the organisation with the most waiting, if it has more of them than the newcomer. */
  #refuseOneOfMore(own: number): boolean {
    const { light, heavy } = this.#queues;
    const sizes = [...new Set([...light.organisations, ...heavy.organisations])].map((id) => ({
      id,
      size: light.sizeOf(id) + heavy.sizeOf(id),
    }));
    const most = sizes.toSorted((a, b) => b.size - a.size)[0];
    if (!most || most.size <= own) return false;
    const longer = light.sizeOf(most.id) >= heavy.sizeOf(most.id) ? light : heavy;
    return longer.refuseLast(most.id, crowded());
  }
}

const takenBy = ({ request: { ticket }, lane }: Running): TakenPlace => ({ caller: ticket, lane });

const isOf = (level: ShareLevel, { organisationId, keyId }: Caller, other: Caller): boolean =>
  level === 'all' || (other.organisationId === organisationId && (level === 'organisation' || other.keyId === keyId));

function countOf(
  taken: readonly TakenPlace[],
  level: ShareLevel,
  caller: Caller,
  lane: Lane,
): [all: number, inLane: number] {
  let [all, inLane] = [0, 0];
  for (const place of taken) {
    if (!isOf(level, caller, place.caller)) continue;
    all += 1;
    if (place.lane === lane) inLane += 1;
  }
  return [all, inLane];
}

/** The youngest of those that turned out slow, and can start over: it has the least to lose. */
function slowest(staying: readonly Running[], level: ShareLevel, caller: Caller): Running | undefined {
  const held = new Map<string, number>();
  for (const { request } of staying) {
    const { organisationId } = request.ticket;
    held.set(organisationId, (held.get(organisationId) ?? 0) + 1);
  }
  const heldBy = ({ request }: Running) => held.get(request.ticket.organisationId) ?? 0;
  const slow = staying.filter(
    ({ request, lane }) =>
      request.lane === 'light' && lane === 'heavy' && request.giveWay && isOf(level, caller, request.ticket),
  );
  // Of those who hold equally many, the last, which is the youngest.
  return slow.toSorted((a, b) => heldBy(a) - heldBy(b)).at(-1);
}

const crowded = (): Refusal =>
  new Refusal('unavailable', 'Too many questions are being asked at once. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });
