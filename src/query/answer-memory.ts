import { ByteBudget, type Reservation } from '../admission/byte-budget.ts';
import type { Ticket } from '../admission/ticket.ts';
import type { AnswerRow, Query, QuerySession } from './plan.ts';
import { refuse } from './reading/body.ts';

const mebibyte = 1_024 ** 2;
const answerMemoryUsual = 256 * mebibyte;
/** An answer that is put together in memory takes no more than this as the engine gives it. */
const answerBytesMost = 16 * mebibyte;
/** Most answers are shorter: nothing is reserved for them before they are there. */
const shortBytes = 128 * 1_024;
/** How many times an answer is in memory: as the engine gave it, as rows, as text, and as bytes on their way. */
const copies = 4;
/** An organisation holds half of the memory at most. */
const organisationShare = 1 / 2;

/** Thrown in place of an answer that takes more bytes than an answer may, or has more rows. */
export class TooManyBytes extends Error {
  constructor() {
    super('the answer is too large to be put together in memory');
  }
}

/** Answers that are on their way to several callers are held until the last of them has it. */
interface Held {
  readonly rows: AnswerRows;
  holders: number;
}

/** The memory that answers take while they are put together and sent, for all organisations together. */
export class AnswerMemory {
  readonly #budget: ByteBudget;
  readonly #held = new WeakMap<object, Held>();

  constructor(bytes: number = answerMemoryUsual) {
    this.#budget = new ByteBudget({
      bytes,
      share: organisationShare,
      busy: 'Too many large answers are on their way just now. Ask again in a moment, or for less at once.',
    });
  }

  /** What an answer can take, as the engine gives it. */
  get answerBytes(): number {
    return Math.min(answerBytesMost, Math.floor((this.#budget.shareBytes - 1) / copies));
  }

  get used(): number {
    return this.#budget.used;
  }

  /** Memory for one answer. Waits only where there is none left for the organisation, and is refused after a while. */
  async open({ organisationId, signal }: Ticket): Promise<AnswerRows> {
    // One byte, so that nothing is begun while there is no memory left.
    return new AnswerRows(await this.#budget.reserve(organisationId, 1, signal), this.answerBytes, signal);
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
  reserve(organisationId: string, bytes: number, signal?: AbortSignal): Promise<Reservation> {
    return this.#budget.reserve(organisationId, bytes, signal);
  }
}

interface AnswerSize {
  readonly bytesMost: number;
  readonly rowsMost: number;
}

/** The rows of one answer, with the memory that they take. */
export class AnswerRows {
  readonly #reservation: Reservation;
  readonly #bytesMost: number;
  readonly #signal: AbortSignal | undefined;
  #bytes = 0;

  constructor(reservation: Reservation, bytesMost: number, signal: AbortSignal | undefined) {
    this.#reservation = reservation;
    this.#bytesMost = bytesMost;
    this.#signal = signal;
  }

  /** What all rows so far take, as the engine gave them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What they take in memory, about. */
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
    { bytesMost = this.#bytesMost, rowsMost = Number.POSITIVE_INFINITY }: Partial<AnswerSize> = {},
  ): Promise<AnswerRow[]> {
    const left = Math.min(bytesMost, this.#bytesMost - this.#bytes);
    const short = Math.min(shortBytes, left);
    const first = await session.rowsWithin(query, short);
    if (first.count > rowsMost) throw new TooManyBytes();
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
    this.#reservation.release();
  }

  async #take(bytes: number): Promise<void> {
    await this.#reservation.grow(bytes * copies, this.#signal);
    this.#bytes += bytes;
  }

  #giveBack(bytes: number): void {
    this.#bytes -= bytes;
    this.#reservation.shrinkTo(1 + this.memory);
  }
}

const inMebibytes = (bytes: number): string => `${Math.round((bytes / mebibyte) * 10) / 10} MiB`;

/** The refusal of an answer that is too large. */
export const tooLarge = (bytesMost: number) =>
  refuse(
    `This answer is larger than ${inMebibytes(bytesMost)}, which is the most that one answer may be. Ask for fewer rows (a shorter window, filters, limit) or fewer columns (group_by), or over HTTP for rows of /metrics/get-multiple-metrics, which has no limit.`,
  );
