import { Refusal } from '../../refusal.ts';

interface BodyTurnLimits {
  /** Bodies that are worked on at the same time. */
  readonly inAll: number;
  /** The same for one organisation, so that no other has to wait until this one has done. */
  readonly ofOne: number;
  readonly waitMs: number;
}

const defaultLimits: BodyTurnLimits = { inAll: 8, ofOne: 2, waitMs: 60_000 };
/** Bodies of a mebibyte at most: what is made of one is small too. */
export const smallBodies: Partial<BodyTurnLimits> = { inAll: 32, ofOne: 8 };

interface WaitingBody {
  readonly organisationId: string;
  readonly begin: () => void;
}

/**
 * Bodies of records take turns: each of them that is worked on holds a batch in memory. All of a body is there before
 * its turn, so that nobody waits for a sender.
 */
export class BodyTurns {
  readonly #limits: BodyTurnLimits;
  readonly #underWay = new Map<string, number>();
  #inAll = 0;
  #waiting: WaitingBody[] = [];

  constructor(limits: Partial<BodyTurnLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Does the work when its turn has come. */
  async take<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(organisationId)) this.#enter(organisationId);
    else await this.#turn(organisationId);
    try {
      return await work();
    } finally {
      this.#leave(organisationId);
    }
  }

  #isFree(organisationId: string): boolean {
    return this.#inAll < this.#limits.inAll && (this.#underWay.get(organisationId) ?? 0) < this.#limits.ofOne;
  }

  #enter(organisationId: string): void {
    this.#inAll += 1;
    this.#underWay.set(organisationId, (this.#underWay.get(organisationId) ?? 0) + 1);
  }

  #leave(organisationId: string): void {
    this.#inAll -= 1;
    const left = (this.#underWay.get(organisationId) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(organisationId);
    else this.#underWay.set(organisationId, left);
    const next = this.#waiting.find((waiting) => this.#isFree(waiting.organisationId));
    next?.begin();
  }

  #turn(organisationId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingBody = {
        organisationId,
        begin: () => {
          leaveQueue();
          this.#enter(organisationId);
          resolve();
        },
      };
      const leaveQueue = () => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
      };
      const timer = setTimeout(() => {
        leaveQueue();
        reject(
          new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
            retryAfterSeconds: 10,
          }),
        );
      }, this.#limits.waitMs);
      this.#waiting.push(waiting);
    });
  }
}
