import type { Ticket } from '../admission/ticket.ts';

/** Who wants to write, and what. */
export interface Writer {
  /** In whose name it waits. Absent for the service itself, which takes turns with those who send records. */
  readonly ticket?: Ticket | undefined;
  /** Readers wait for what it writes, so it goes before records that wait. */
  readonly isFirst?: boolean | undefined;
  /** It writes copies of the directory and nothing else: it may go beside a change that leaves them to others. */
  readonly isOfCopies?: boolean | undefined;
  /** The engine undoes what is not published: no row is left with the number of such a change, so none stays dead. */
  readonly isUndone?: boolean | undefined;
}

/** The turn of an organisation's one writer, or of the one beside it who writes copies of the directory alone. */
export interface WriterTurn {
  /** The number of the change: larger than that of every change of the organisation before it. */
  readonly change: number;
  /** The dead changes before it: the writer shows no row of theirs to itself. */
  readonly dead: readonly number[];
  /** When others may take the turn unless it is renewed, by `performance.now()`; undefined where nobody can. */
  leaseEndsAt(): number | undefined;
  /** Says that the change writes no copies of the directory, from now on to its end. */
  leaveCopies(): Promise<void>;
  /**
   * Makes the change the one that questions are answered from, and ends the turn. Refused (`unavailable`) where the
   * turn was lost meanwhile: nothing of the change is ever shown then, and its sender has to send it again.
   */
  publish(): Promise<void>;
}

/** What questions are answered from. */
export interface PublishedData {
  /** The change that was published last; 0 where none was. It is the data version of the organisation. */
  readonly version: number;
  /** Changes that were never published and never will be, although rows may have their numbers. */
  readonly dead: readonly number[];
}

/** Whose turn it is to write an organisation's tables, and which change of them is published, in any process. */
export interface WriterTurns {
  /** Waits for the turn and works in it. The turn ends with the work, published or not. */
  inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer?: Writer): Promise<T>;
  /** As far as it is known here, or undefined when that knowledge may be out of date. */
  published(organisationId: string): PublishedData | undefined;
  /** What was known last, however long ago. */
  lastKnown(organisationId: string): PublishedData;
  /** Changes that no row has the number of any more need not be known as dead. */
  forgetDead(organisationId: string, changes: readonly number[]): Promise<void>;
}
