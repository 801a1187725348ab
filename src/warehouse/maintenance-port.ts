/** A folder that goes away, and how much may be written into it. */
export interface Scratch {
  readonly folder: string;
  /** The most that one caller can take. */
  readonly maxBytes: number;
  /** To be called before this many bytes are written. Waits for room, for a while. */
  take(bytes: number): Promise<void>;
  giveBack(bytes: number): void;
  /** Does what takes much memory, one after another for all callers. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

export interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

/** The owner of a file's share of the disk: a key, or the organisation where no key asks. */
export interface ScratchOwner extends Stoppable {
  readonly keyId?: string | undefined;
}

/** The maintenance of tables and of answers on their way out, wherever the tables are. */
export interface MaintenancePort {
  /** Throws where the tables cannot be reached. */
  ready(): Promise<void>;
  /** The time on the machine that holds the tables, in milliseconds; absent where the tables are on this machine. */
  clock?(): Promise<number>;
  /**
   * Brings rows back into the order that makes a window of time cheap, when enough of them are out of order, and removes
   * what nobody can see any more. Says whether something has to wait, so that it is to be called again although nothing
   * may change until then.
   */
  recluster(organisationId: string, options?: Stoppable): Promise<boolean>;
  /**
   * Makes what is kept of an organisation as small on the disk as it can be, for one that is hardly written any more; absent
   * where the engine does that by itself.
   */
  compact?(organisationId: string, options?: Stoppable): Promise<void>;
  /** A folder for files that an answer is made of on its way out, with the room that they take on the disk. */
  makeScratch(organisationId: string, owner?: ScratchOwner): Promise<Scratch>;
  /** Disk space of answers that wait to be read, in bytes, for monitoring. */
  readonly spooledBytes: number;
}

/** The digest of a table: two numbers that do not depend on the order of rows. Equal digests mean equal rows. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** One table as a Parquet file. */
export interface TableCopy {
  readonly table: string;
  readonly path: string;
  readonly rows: number;
}

/** The port of an engine in this process: files of its own, for operations to maintain, copy and check. */
export interface EmbeddedPort extends MaintenancePort {
  checksum(organisationId: string): Promise<TableDigest[]>;
  /** Reads everything, so that damage is found where no question has met it yet. Says what is wrong, in sentences. */
  check(organisationId: string): Promise<string[]>;
  /** An empty folder in which copies can be made and left for `copyIn`: the engine can reach no other. */
  makeCopyFolder(): Promise<string>;
  /** Every table of one state, each as a file in such a folder. */
  copyOut(organisationId: string, folder: string, options?: Stoppable): Promise<TableCopy[]>;
  /** Fills a warehouse that holds nothing yet from the files that `copyOut` wrote, all of it or nothing. */
  copyIn(organisationId: string, folder: string): Promise<TableCopy[]>;
}
