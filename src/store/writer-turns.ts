import { Budget } from '../admission/budget.ts';
import { serviceTicket, type Ticket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';

/** The writer who asks for a turn, and what it writes. */
export interface Writer {
  /** The key in whose name it waits. Absent for the service itself, which takes turns with those who send records. */
  readonly ticket?: Ticket | undefined;
  /** Readers wait for what it writes, so it goes before records that wait. */
  readonly isFirst?: boolean | undefined;
  /** It writes copies of the directory and nothing else: it may go beside a change that leaves them to others. */
  readonly isOfCopies?: boolean | undefined;
  /** The engine undoes what is not published: no row is left with the number of such a change, so none stays dead. */
  readonly isUndone?: boolean | undefined;
}

/** How an engine that several processes write keeps the rows of an organisation, as far as readers have to know. */
export interface RowsLayout {
  /** The form that the rows have. */
  readonly version: number;
  /** Tables in which rows have ended that are not removed yet, each with the last change that ended any. */
  readonly ends: Readonly<Record<string, number>>;
}

/** The turn of an organisation's one writer, or of the one beside it who writes copies of the directory alone. */
export interface WriterTurn {
  /** The number of the change: larger than that of every change of the organisation before it. */
  readonly change: number;
  /** The last published change before it. The writer does not read rows of dead changes. */
  readonly before: PublishedData;
  /** When others may take the turn unless it is renewed, by `performance.now()`; undefined where nobody can. */
  leaseEndsAt(): number | undefined;
  /** Says that the change writes no copies of the directory, from now on to its end. */
  leaveCopies(): Promise<void>;
  /**
   * Makes the change the one that questions are answered from, and ends the turn. Refused (`unavailable`) where the
   * turn was lost meanwhile: nothing of the change is ever shown then, and its sender has to send it again. Where a layout is
   * said, rows have it from this change on.
   */
  publish(layout?: RowsLayout): Promise<void>;
}

/** The change that questions are answered from. */
export interface PublishedData {
  /** The change that was published last; 0 where none was. It is the data version of the organisation. */
  readonly version: number;
  /** Changes that were never published and never will be, although rows may have their numbers. */
  readonly dead: readonly number[];
  /** Absent where no change has said one. */
  readonly layout?: RowsLayout | undefined;
}

/** Whose turn it is to write an organisation's tables, and which change of them is published, in any process. */
export interface WriterTurns {
  /** Waits for the turn and works in it. The turn ends with the work, published or not. */
  inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer?: Writer): Promise<T>;
  /** The known version, or undefined when that knowledge may be out of date. */
  published(organisationId: string): PublishedData | undefined;
  /** The last known version, however old. */
  lastKnown(organisationId: string): PublishedData;
  /** Changes that no row has the number of any more need not be known as dead. */
  forgetDead(organisationId: string, changes: readonly number[]): Promise<void>;
  /** Rows that ended in these tables by this change or an earlier one are removed: nobody need look for their ends. */
  forgetEnds(organisationId: string, tables: readonly string[], change: number): Promise<void>;
  /** Whether every process that works with the tables now knows the layouts that this one knows. */
  isLayoutKnownToAll(): Promise<boolean>;
}

/** No process writes to the store, nor to the tables that belong to it, until this is released. */
export interface WriteHold {
  /** Refused where the hold was lost, so that another process may have written meanwhile. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export const onHold = (): Refusal =>
  new Refusal('unavailable', 'All data is being moved to another place, so that nothing is written here. Ask later.', {
    retryAfterSeconds: 30,
  });

export const holdLost = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'The connection that kept others from writing was lost. Run this again.', { cause });

/** Keeps the writers of one process apart. */
export class WriteGate {
  readonly #inside = new Set<Promise<unknown>>();
  #isHeld = false;

  enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isHeld) return Promise.reject(onHold());
    const writing = work();
    this.#inside.add(writing);
    const leave = () => void this.#inside.delete(writing);
    writing.then(leave, leave);
    return writing;
  }

  /** Lets no writer in any more, and waits for those inside. */
  async hold(): Promise<WriteHold> {
    if (this.#isHeld) throw onHold();
    this.#isHeld = true;
    await Promise.allSettled(this.#inside);
    return {
      confirm: async () => {},
      release: async () => {
        this.#isHeld = false;
      },
    };
  }
}

/** For a single process: no turn outlives the process, nor does a change that was not finished. */
export class MemoryWriterTurns implements WriterTurns {
  readonly #gate: WriteGate;
  readonly #queue = new WriterQueue();
  readonly #published = new Map<string, PublishedData>();
  readonly #changes = new Map<string, number>();

  constructor(gate: WriteGate = new WriteGate()) {
    this.#gate = gate;
  }

  inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer = {}): Promise<T> {
    return this.#queue.take(organisationId, writer, () =>
      this.#gate.enter(() => this.#work(organisationId, work, writer)),
    );
  }

  async #work<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer): Promise<T> {
    const change = (this.#changes.get(organisationId) ?? 0) + 1;
    this.#changes.set(organisationId, change);
    const publish = async (layout?: RowsLayout) => {
      const before = this.published(organisationId);
      const dead = writer.isUndone ? [] : before.dead;
      this.#published.set(organisationId, { ...before, version: change, dead, ...(layout ? { layout } : {}) });
    };
    try {
      const before = this.published(organisationId);
      return await work({ change, before, leaseEndsAt: () => undefined, leaveCopies: async () => {}, publish });
    } finally {
      const before = this.published(organisationId);
      if (before.version !== change && !writer.isUndone) {
        this.#published.set(organisationId, { ...before, dead: [...before.dead, change] });
      }
    }
  }

  published(organisationId: string): PublishedData {
    return this.#published.get(organisationId) ?? nothingPublished;
  }

  lastKnown(organisationId: string): PublishedData {
    return this.published(organisationId);
  }

  async forgetDead(organisationId: string, changes: readonly number[]): Promise<void> {
    const before = this.published(organisationId);
    const dead = before.dead.filter((one) => !changes.includes(one));
    this.#published.set(organisationId, { ...before, dead });
  }

  async forgetEnds(organisationId: string, tables: readonly string[], change: number): Promise<void> {
    const before = this.published(organisationId);
    if (!before.layout) return;
    const isLeft = ([table, last]: readonly [string, number]) => !tables.includes(table) || last > change;
    const ends = Object.fromEntries(Object.entries(before.layout.ends).filter(isLeft));
    this.#published.set(organisationId, { ...before, layout: { ...before.layout, ends } });
  }

  async isLayoutKnownToAll(): Promise<boolean> {
    return true;
  }
}

export const nothingPublished: PublishedData = { version: 0, dead: [] };

/** The writers of tables in this process: one after another for each organisation, those who send records in turns. */
export class WriterQueue {
  readonly #organisations = new Map<string, Budget>();

  take<T>(organisationId: string, { ticket = serviceTicket(), isFirst }: Writer, work: () => Promise<T>): Promise<T> {
    const known = this.#organisations.get(organisationId);
    const waiting = { organisation: 32, key: 16 };
    const turns = known ?? new Budget({ shares: { all: 1 }, waiting, crowded: tooManyRecords });
    if (!known) this.#organisations.set(organisationId, turns);
    // The service takes turns with those who send records, as one of them.
    const asked = ticket.keyId === '' ? { ...ticket, organisationId: '' } : ticket;
    return turns.take({ ticket: asked, isFirst }, work);
  }
}

const tooManyRecords = (): Refusal =>
  new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
    retryAfterSeconds: 10,
  });
