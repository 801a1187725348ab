import { Refusal } from '../../refusal.ts';

/** What a statement is known to be before it runs. */
export type Lane = 'light' | 'heavy' | 'writing';

export interface LaneLimits {
  /** Statements at once, of every kind. Node's native pool has 16 threads, and files want some of them. */
  readonly places: number;
  /** Light statements at once. With the writing ones they leave some places, so that heavy ones are never shut out. */
  readonly light: number;
  readonly heavy: number;
  readonly writing: number;
  /** How many may wait. More than this would be answered too late to matter to anyone. */
  readonly waiting: number;
  /** How long a light statement may run before it counts as a heavy one. */
  readonly lightMs: number;
}

export const usualLaneLimits: LaneLimits = {
  places: 12,
  light: 6,
  heavy: 4,
  writing: 3,
  waiting: 400,
  lightMs: 250,
};

export interface Traveller {
  readonly organisationId: string;
  readonly lane: Lane;
  readonly signal?: AbortSignal | undefined;
  /** How long it is willing to wait. */
  readonly patienceMs?: number | undefined;
  /** Asks a light statement that turned out slow to stop, because light ones wait. It begins anew as a heavy one. */
  readonly giveWay?: (() => void) | undefined;
}

/** Leaves the place to the next one. */
export type Leave = () => void;

interface Waiting {
  readonly traveller: Traveller;
  readonly go: (leave: Leave) => void;
  readonly forget: () => void;
}

interface Running {
  readonly traveller: Traveller;
  lane: Lane;
  isGivingWay: boolean;
}

/**
 * Decides which statement runs when. Light ones never wait for heavy ones, only for each other: those that turn out
 * slow become heavy while they run, and give way when every place is taken. Within a lane organisations take turns, so
 * that one with a hundred questions does not keep another from its first.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #queues: Readonly<Record<Lane, TurnQueue>> = {
    light: new TurnQueue(),
    writing: new TurnQueue(),
    heavy: new TurnQueue(),
  };
  readonly #running = new Set<Running>();

  constructor(limits: LaneLimits = usualLaneLimits) {
    this.#limits = limits;
  }

  /** Waits for a place. Whoever gets one must leave it. */
  enter(traveller: Traveller): Promise<Leave> {
    const { lane, signal, patienceMs } = traveller;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const queue = this.#queues[lane];
    if (lane !== 'writing' && this.#waiting() >= this.#limits.waiting) return Promise.reject(crowded());
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        queue.remove(waiting);
        waiting.forget();
        reject(reason);
      };
      const aborted = () => giveUp(signal?.reason);
      const timer = patienceMs === undefined ? undefined : setTimeout(() => giveUp(crowded()), patienceMs);
      const waiting: Waiting = {
        traveller,
        go: resolve,
        forget() {
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
        },
      };
      signal?.addEventListener('abort', aborted);
      queue.add(waiting);
      this.#admit();
    });
  }

  /** How many run and wait in each lane, for whoever watches. */
  get figures(): Readonly<Record<Lane, { readonly running: number; readonly waiting: number }>> {
    const of = (lane: Lane) => ({ running: this.#count(lane), waiting: this.#queues[lane].size });
    return { light: of('light'), heavy: of('heavy'), writing: of('writing') };
  }

  #admit(): void {
    for (const lane of ['light', 'writing', 'heavy'] as const) {
      while (this.#running.size < this.#limits.places && this.#count(lane) < this.#limits[lane]) {
        const next = this.#queues[lane].next();
        if (!next) break;
        this.#start(next);
      }
    }
    this.#makeRoom();
  }

  #start({ traveller, go, forget }: Waiting): void {
    forget();
    const running: Running = { traveller, lane: traveller.lane, isGivingWay: false };
    this.#running.add(running);
    const slow =
      traveller.lane === 'light' ? setTimeout(() => this.#slowDown(running), this.#limits.lightMs) : undefined;
    go(() => {
      clearTimeout(slow);
      if (this.#running.delete(running)) this.#admit();
    });
  }

  #slowDown(running: Running): void {
    running.lane = 'heavy';
    this.#admit();
  }

  /** When light statements wait although few light ones run, slow ones that may begin anew hold their places. */
  #makeRoom(): void {
    const wanted = Math.min(this.#queues.light.size, this.#limits.light - this.#count('light'));
    const giving = [...this.#running].filter(({ isGivingWay }) => isGivingWay).length;
    if (wanted <= giving || this.#running.size < this.#limits.places) return;
    // The youngest of them has the least to lose.
    const youngest = [...this.#running].findLast(
      ({ traveller, lane, isGivingWay }) =>
        traveller.lane === 'light' && lane === 'heavy' && !isGivingWay && traveller.giveWay,
    );
    if (!youngest) return;
    youngest.isGivingWay = true;
    youngest.traveller.giveWay?.();
    this.#makeRoom();
  }

  #count(lane: Lane): number {
    let count = 0;
    for (const running of this.#running) if (running.lane === lane) count += 1;
    return count;
  }

  #waiting(): number {
    return this.#queues.light.size + this.#queues.heavy.size;
  }
}

/** A queue for each organisation; they take turns. */
class TurnQueue {
  /** In the order of their turns: the first is next, and goes to the end. */
  readonly #queues = new Map<string, Waiting[]>();
  size = 0;

  add(waiting: Waiting): void {
    const { organisationId } = waiting.traveller;
    const queue = this.#queues.get(organisationId);
    if (queue) queue.push(waiting);
    else this.#queues.set(organisationId, [waiting]);
    this.size += 1;
  }

  next(): Waiting | undefined {
    for (const [organisationId, queue] of this.#queues) {
      const next = queue.shift();
      this.#queues.delete(organisationId);
      if (queue.length > 0) this.#queues.set(organisationId, queue);
      if (next) this.size -= 1;
      return next;
    }
    return undefined;
  }

  remove(waiting: Waiting): void {
    const { organisationId } = waiting.traveller;
    const queue = this.#queues.get(organisationId) ?? [];
    const at = queue.indexOf(waiting);
    if (at === -1) return;
    queue.splice(at, 1);
    this.size -= 1;
    if (queue.length === 0) this.#queues.delete(organisationId);
  }
}

const crowded = (): Refusal =>
  new Refusal('unavailable', 'Too many questions are being asked at once. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });
