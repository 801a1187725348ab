import { Refusal } from '../../refusal.ts';

interface RoomLimits {
  /** Bytes of bodies that wait on the disk, in all and of one organisation. */
  readonly bytesInAll: number;
  readonly bytesOfOne: number;
}

const mebibyte = 1_048_576;
const defaultLimits: RoomLimits = { bytesInAll: 4_096 * mebibyte, bytesOfOne: 512 * mebibyte };

/** What one body takes of the room. */
export interface ArrivalPlace {
  /** Throws when there is no more. */
  take(bytes: number): void;
  leave(): void;
}

/**
 * How much of the disk bodies may take while they arrive. Counted by what has come, so that a sender who sends slowly
 * takes next to nothing, and others of its organisation still find room.
 */
export class ArrivalRoom {
  readonly #limits: RoomLimits;
  readonly #taken = new Map<string, number>();
  #inAll = 0;

  constructor(limits: Partial<RoomLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  placeOf(organisationId: string): ArrivalPlace {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#inAll += bytes;
      const ofOne = (this.#taken.get(organisationId) ?? 0) + bytes;
      if (ofOne === 0) this.#taken.delete(organisationId);
      else this.#taken.set(organisationId, ofOne);
    };
    return {
      take: (bytes) => {
        const ofOne = (this.#taken.get(organisationId) ?? 0) + bytes;
        if (ofOne > this.#limits.bytesOfOne || this.#inAll + bytes > this.#limits.bytesInAll) {
          throw new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
            retryAfterSeconds: 10,
          });
        }
        add(bytes);
      },
      leave: () => add(-own),
    };
  }
}
