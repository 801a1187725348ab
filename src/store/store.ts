import { Budget, type Shares } from '../admission/budget.ts';
import { serviceTicket, type Ticket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { WriteHold, WriterTurns } from './writer-turns.ts';

/** A value bound to a statement, never written into it. A list is bound as one array and unpacked by `unnest($n::type[])`. */
export type StoreValue = Scalar | Date | readonly Scalar[];
type Scalar = string | number | boolean | null;

/** Reads one state of the store: what another session commits meanwhile stays unseen. */
export interface Reading {
  /** The statement names its columns and their meaning; `R` says so to the compiler and is trusted. */
  rows<R>(sql: string, values?: readonly StoreValue[]): Promise<R[]>;
}

/** Reads and writes inside one transaction: all of it is kept, or none. */
export interface Writing extends Reading {
  run(sql: string, values?: readonly StoreValue[]): Promise<void>;
  /** Waits until no other transaction has locked the same thing, on any replica, and keeps it until this one is over. */
  lock(what: string): Promise<void>;
}

/** A transaction on one organisation. No other one on the same organisation runs at the same time, on any replica. */
export interface OrganisationWriting extends Writing {
  readonly organisationId: string;
  /** The version that the organisation has once this is committed. */
  readonly version: number;
}

/** The ticket of a read or a change. */
export interface StoreCaller {
  /** Without one, a task waits for as long as it takes, and takes turns with the organisation's own work. */
  readonly ticket?: Ticket | undefined;
  /** The organisation of the work, where no caller asked for it. */
  readonly organisationId?: string | undefined;
}

/**
 * Small transactional state: who exists, who may do what. One port, two implementations with the same SQL.
 * Every change of an organisation raises its version, which is how caches on every replica learn that they are stale.
 */
export interface Store {
  /** The name of its engine, for the log. */
  readonly engine: string;
  /** Whether other processes can open the same store: it is on a database server. */
  readonly isShared: boolean;
  read<T>(work: (session: Reading) => Promise<T>, turn?: StoreCaller): Promise<T>;
  /** Changes one organisation, which may be made by the work itself. */
  change<T>(organisationId: string, work: (session: OrganisationWriting) => Promise<T>, turn?: StoreCaller): Promise<T>;
  /** Writes what nobody's answer depends on, such as when a key was last used: no version is raised. */
  note(work: (session: Writing) => Promise<void>): Promise<void>;
  /** The known version of an organisation, or undefined when that knowledge may be out of date. */
  versionOf(organisationId: string): number | undefined;
  /** Calls back with organisations that another process has changed; also with those that this process has changed. */
  watch(listener: (organisationId: string) => void): void;
  /** Whose turn it is to write the tables of an organisation, which are elsewhere, and which change of them counts. */
  readonly writerTurns: WriterTurns;
  /**
   * Waits for what is being written, here and in the tables. Until it is released, writes are refused (`unavailable`)
   * in every process.
   */
  holdWrites(): Promise<WriteHold>;
  close(): Promise<void>;
}

/** The limits of an engine. Only the embedded one has memory and threads of its own. */
export interface EngineLimits {
  readonly statementSeconds?: number;
  readonly memory?: string;
  readonly threads?: number;
}

export const statementSecondsDefault = 30;

export const tooSlow = (seconds: number): Refusal =>
  new Refusal('too-slow', `This took more than ${seconds} seconds and was stopped. Ask for less at once.`);

/** A few readers or writers of a store at once: organisations and their keys take turns. */
export class StoreTurns {
  readonly #turns: Budget;

  constructor(shares: Shares) {
    const waiting = { organisation: 1_000, key: 500 };
    this.#turns = new Budget({ shares, waiting, crowded: tooManyRequests });
  }

  take<T>({ organisationId, ticket = serviceTicket(organisationId) }: StoreCaller, work: () => Promise<T>): Promise<T> {
    return this.#turns.take({ ticket }, work);
  }
}

const tooManyRequests = (): Refusal =>
  new Refusal('unavailable', 'Too many requests are waiting for the store. Send this one again in a moment.', {
    retryAfterSeconds: 2,
  });
