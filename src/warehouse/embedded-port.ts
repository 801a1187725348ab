import type { MaintenancePort, Stoppable } from './maintenance-port.ts';

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

/** What only an engine in this process has: files of its own, for operations to look after, to copy and to check. */
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
