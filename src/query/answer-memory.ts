import { Budget, type Hold } from '../admission/budget.ts';
import { type Ticket, ticketForEachWait } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { AnswerRow, Query, QuerySession } from './plan.ts';
import { refuse } from './reading/body.ts';

const mebibyte = 1_024 ** 2;
const defaultAnswerMemory = 256 * mebibyte;
/** An answer that is put together in memory takes no more than this as the engine gives it. */
const maxAnswerBytes = 16 * mebibyte;
/** Most answers are shorter: nothing is reserved for them before they are there. */
const shortBytes = 128 * 1_024;
/** How many times an answer is in memory: as the engine gave it, as rows, as text, and as bytes on their way. */
const copies = 4;
/** How long an answer waits each time for others to give memory back. */
const waitMs = 2_000;
/** An organisation holds half of the memory at most. */
const organisationShare = 1 / 2;

/** Thrown in place of an answer that takes more bytes than an answer may, or has more rows. */
export class TooManyBytes extends Error {
  constructor() {
    super('the answer is too large to be put together in memory');
  }
}

/** Answers that are on their way to several callers are held until the last of them has it. */
interface HeldAnswer {
  readonly rows: AnswerRows;
  holders: number;
}

/** The memory that answers take while they are put together and sent, for all organisations together. */
export class AnswerMemory {
  readonly #budget: Budget;
  readonly #organisationBytes: number;
  readonly #held = new WeakMap<object, HeldAnswer>();

  constructor(bytes: number = defaultAnswerMemory) {
    this.#organisationBytes = Math.floor(bytes * organisationShare);
    this.#budget = new Budget({ shares: { all: bytes, organisation: this.#organisationBytes }, crowded });
  }

  /** The size of an answer, as the engine gives it. */
  get answerBytes(): number {
    return Math.min(maxAnswerBytes, Math.floor((this.#organisationBytes - 1) / copies));
  }

  get used(): number {
    return this.#budget.used;
  }

  /** Memory for one answer. Waits only where there is none left for the organisation, and is refused after a while. */
  async open(ticket: Ticket): Promise<AnswerRows> {
    // One byte, so that nothing is begun while there is no memory left.
    return new AnswerRows(await this.#hold(ticket, 1), this.answerBytes);
  }

  /** Gives the memory of rows to the answer that was made of them. It is given back at once unless somebody holds it. */
  give(answer: object, rows: AnswerRows): void {
    this.#held.set(answer, { rows, holders: 1 });
    setImmediate(() => this.#leave(answer));
  }

  /**
   * Call it as soon as an answer has come, before it is sent, and call its result once the answer is sent. Undefined
   * for an answer that was cached: its memory is counted in the cache.
   */
  hold(answer: object): (() => void) | undefined {
    const held = this.#held.get(answer);
    if (!held) return undefined;
    held.holders += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#leave(answer);
      isHeld = false;
    };
  }

  #leave(answer: object): void {
    const held = this.#held.get(answer);
    if (!held) return;
    held.holders -= 1;
    if (held.holders > 0) return;
    this.#held.delete(answer);
    held.rows.release();
  }

  /** Memory for bytes that are sent as they are. */
  reserve(organisationId: string, bytes: number, signal?: AbortSignal): Promise<Hold> {
    return this.#hold({ organisationId, keyId: '', signal }, bytes);
  }

  #hold(ticket: Ticket, bytes: number): Promise<Hold> {
    return this.#budget.hold({ ticket: ticketForEachWait(ticket, waitMs) }, bytes);
  }
}

interface AnswerSize {
  readonly maxBytes: number;
  readonly maxRows: number;
}

/** The rows of one answer, with the memory that they take. */
export class AnswerRows {
  readonly #hold: Hold;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(hold: Hold, maxBytes: number) {
    this.#hold = hold;
    this.#maxBytes = maxBytes;
  }

  /** The size of all rows so far, as the engine gave them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The approximate memory of the rows. */
  get memory(): number {
    return this.#bytes * copies;
  }

  /**
   * Rows of a limited answer. The engine is first asked for a short answer. A longer one is asked for again, once there
   * is memory for it; one that is too long never leaves the engine.
   */
  async of(
    session: QuerySession,
    query: Query,
    { maxBytes = this.#maxBytes, maxRows = Number.POSITIVE_INFINITY }: Partial<AnswerSize> = {},
  ): Promise<AnswerRow[]> {
    const left = Math.min(maxBytes, this.#maxBytes - this.#bytes);
    const short = Math.min(shortBytes, left);
    const first = await session.rowsWithin(query, short);
    if (first.count > maxRows) throw new TooManyBytes();
    if (first.rows) {
      await this.#take(first.bytes);
      return first.rows;
    }
    // Escapes make texts longer than the engine has measured them: there is some room for that.
    for (let most = first.bytes; most < left; most *= 2) {
      const wanted = Math.min(left, most * 2);
      await this.#take(wanted);
      const { rows, bytes } = await session.rowsWithin(query, wanted);
      this.#giveBack(wanted - (rows ? bytes : 0));
      if (rows) return rows;
    }
    throw new TooManyBytes();
  }

  /** Forgets the rows so far, where an answer is collected again from the beginning. */
  startOver(): void {
    this.#giveBack(this.#bytes);
  }

  release(): void {
    this.#hold.release();
  }

  async #take(bytes: number): Promise<void> {
    await this.#hold.grow(bytes * copies);
    this.#bytes += bytes;
  }

  #giveBack(bytes: number): void {
    this.#bytes -= bytes;
    this.#hold.shrinkTo(1 + this.memory);
  }
}

const crowded = (): Refusal =>
  new Refusal(
    'unavailable',
    'Too many large answers are on their way just now. Ask again in a moment, or for less at once.',
    { retryAfterSeconds: 2 },
  );

const inMebibytes = (bytes: number): string => `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;

/** The refusal of an answer that is too large. */
export const tooLarge = (maxBytes: number) =>
  refuse(
    `This answer is larger than ${inMebibytes(maxBytes)}, which is the most that one answer may be. Ask for fewer rows (a shorter window, filters, limit) or fewer columns (group_by), or over HTTP for rows of /metrics/get-multiple-metrics, which has no limit.`,
  );
