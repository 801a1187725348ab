import { rm, statfs } from 'node:fs/promises';
import { Budget, type Hold } from '../admission/budget.ts';
import { type Ticket, ticketForEachWait } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { Scratch, ScratchOwner } from './maintenance-port.ts';

const mebibyte = 1_024 ** 2;
/** The disk of all long answers together while they wait to be read. */
const defaultSpoolBytes = 2_048 * mebibyte;
/** A key takes a quarter of it at most. */
const keyShare = 1 / 4;
/** How long an answer waits each time for others to give room back. */
const waitMs = 2_000;

/**
 * The part of a disk that stays free whatever is spooled, so that the tables can be written: a twentieth of it, within
 * bounds.
 */
const reserveOf = (total: number): number => Math.min(2_048 * mebibyte, Math.max(64 * mebibyte, total / 20));

/** The room on the disk that answers on their way out may take. */
export class SpoolSpace {
  readonly #place: string;
  readonly #budget: Budget;
  /** The most that one key can hold. */
  readonly keyBytes: number;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(place: string, bytes: number = defaultSpoolBytes) {
    this.#place = place;
    this.keyBytes = Math.floor(bytes * keyShare);
    this.#budget = new Budget({ shares: { all: bytes, key: this.keyBytes }, crowded });
  }

  /** Bytes that are held now. */
  get used(): number {
    return this.#budget.used;
  }

  /** Room for an answer, before any of it is written. */
  async reserve(ticket: Ticket, bytes: number): Promise<Hold> {
    // Where no key asks, all of the organisation has the share of one.
    const owner = { ...ticket, keyId: ticket.keyId || ticket.organisationId };
    const reservation = await this.#budget.hold({ ticket: ticketForEachWait(owner, waitMs) }, bytes);
    try {
      // Space promised to others counts as written: a part of it is, and the rest will be.
      if ((await this.#free()) < this.#budget.used) throw noRoom();
      return reservation;
    } catch (error) {
      reservation.release();
      throw error;
    }
  }

  /** A folder for files of an answer, with the room that they take. */
  async makeScratch(
    organisationId: string,
    { keyId = '', signal }: ScratchOwner,
    makeFolder: () => Promise<string>,
  ): Promise<Scratch> {
    const reservation = await this.reserve({ organisationId, keyId, signal }, 0);
    const folder = await makeFolder();
    return {
      folder,
      maxBytes: this.keyBytes,
      take: async (bytes) => {
        if (await this.isShort()) throw noRoom();
        await reservation.grow(bytes);
      },
      giveBack: (bytes) => reservation.shrinkTo(reservation.amount - bytes),
      inTurn: (work) => this.inTurn(work),
      remove: async () => {
        await rm(folder, { recursive: true, force: true });
        reservation.release();
      },
    };
  }

  /**
   * Runs one piece of work at a time across all callers. For rows of very long texts, which the engine holds many times
   * while it writes them, whatever its memory limit says, and for making Parquet files.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  /** Whether so little is left of the disk that nothing more may be written. */
  async isShort(): Promise<boolean> {
    return (await this.#free()) <= 0;
  }

  /** Free bytes beyond the reserve. */
  async #free(): Promise<number> {
    const { bavail, blocks, bsize } = await statfs(this.#place);
    return bavail * bsize - reserveOf(blocks * bsize);
  }
}

const crowded = (): Refusal =>
  new Refusal(
    'unavailable',
    'Too many long answers are waiting to be read just now. Read those that were asked for, then ask again.',
    { retryAfterSeconds: 2 },
  );

/** The disk is full, which is nothing that a caller can put right, and nothing that harms the tables. */
export const noRoom = (cause?: unknown): Refusal =>
  new Refusal('unavailable', 'There is no room on the disk of the service for this answer just now. Ask again later.', {
    retryAfterSeconds: 30,
    cause: cause ?? new Error('too little of the disk is free to write an answer'),
  });

/** An answer outgrew what its key may take. */
export const noShare = (): Refusal =>
  new Refusal('unavailable', 'This answer needs more room than one key may take just now. Ask again, or for less.', {
    retryAfterSeconds: 5,
  });
