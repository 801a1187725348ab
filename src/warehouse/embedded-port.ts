import type { QuestionOptions } from '../query/question-port.ts';

/** A folder that goes away, and how much may be written into it. */
export interface Scratch {
  readonly folder: string;
  /** What one caller can take at most. */
  readonly bytesMost: number;
  /** To be called before so many bytes are written. Waits for room, for a while. */
  take(bytes: number): Promise<void>;
  giveBack(bytes: number): void;
  remove(): Promise<void>;
}

/** What a table holds, in two numbers that do not depend on the order of rows. Equal digests mean equal rows. */
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

type Stoppable = Pick<QuestionOptions, 'signal'>;

/** What only an engine in this process has: files of its own, for operations to look after, to copy and to check. */
export interface EmbeddedPort {
  /** Brings rows back into the order that makes a window of time cheap, where enough of them have strayed. */
  recluster(organisationId: string, options?: Stoppable): Promise<void>;
  checksum(organisationId: string): Promise<TableDigest[]>;
  /** Reads everything, so that damage is found where no question has met it yet. Says what is wrong, in sentences. */
  check(organisationId: string): Promise<string[]>;
  /** An empty folder in which copies can be made and left for `copyIn`: the engine can reach no other. */
  makeCopyFolder(): Promise<string>;
  /** Every table of one state, each as a file in such a folder. */
  copyOut(organisationId: string, folder: string, options?: Stoppable): Promise<TableCopy[]>;
  /** Fills a warehouse that holds nothing yet from the files that `copyOut` wrote, all of it or nothing. */
  copyIn(organisationId: string, folder: string): Promise<TableCopy[]>;
  /** A folder for files that an answer is made of on its way out, with the room that they take on the disk. */
  makeScratch(organisationId: string, options?: Pick<QuestionOptions, 'signal' | 'keyId'>): Promise<Scratch>;
  /** What answers take of the disk while they wait to be read, in bytes, for whoever watches. */
  readonly spooledBytes: number;
}
