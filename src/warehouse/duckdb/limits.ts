import { availableParallelism } from 'node:os';
import { defaultMemory, divideMemory, inMebibytes, readMemory } from '../../admission/memory-division.ts';
import { maxFileDescriptors } from '../file-descriptors.ts';

export interface WarehouseLimits {
  /** How long one reading statement may take. */
  readonly statementSeconds?: number;
  /** How much memory the engine may take, in its own words. Beyond it, sorting and joining go through the disk. */
  readonly memory?: string;
  readonly threads?: number;
  /** Organisations whose files are open at once. */
  readonly files?: number;
  /** How much of the disk long answers may take while they wait to be read, in bytes. */
  readonly spoolBytes?: number;
}

export const defaultStatementSeconds = 30;

/** Loading, deriving and reclustering take as long as they take; an hour means that something hangs. */
export const writingSeconds = 3_600;

export const defaultEngineMemory = (): string => inMebibytes(divideMemory(defaultMemory()).warehouse);

/**
 * Changes of an organisation are gathered in its write-ahead log up to this size, then brought into the file. Each time the
 * last rows of every table are compressed again, so a larger log saves a tenth of what an import takes. Its rows
 * lie in the memory of the engine meanwhile, and it is read again at a start after a crash.
 */
export function maxLogSize(engineMemory: string): string {
  const bytes = (readMemory(engineMemory) ?? 0) / 8;
  return inMebibytes(Math.min(Math.max(bytes, 64 * 1_024 ** 2), 128 * 1_024 ** 2));
}

export const defaultThreads = (): number => availableParallelism();

/** A file has its write-ahead log beside it. Half of all descriptors are left to connections and everything else. */
const descriptorsOfFile = 2;
const shareOfDescriptors = 0.5;
/** Measured: an open file with empty tables takes 2.7 MB that the engine does not count. */
const bytesOfFile = 3_000_000;
const maxFiles = 256;
const minFiles = 4;

/** As many as file descriptors and memory allow. */
export function defaultFiles(
  memory: number = divideMemory(defaultMemory()).openFiles,
  descriptors: number = maxFileDescriptors() ?? Number.POSITIVE_INFINITY,
): number {
  const possible = Math.min((descriptors * shareOfDescriptors) / descriptorsOfFile, memory / bytesOfFile, maxFiles);
  return Math.max(minFiles, Math.floor(possible));
}

/** Sizes from which on it matters where rows lie. Tests make them small. */
export interface Tuning {
  /** From here on rows are looked for before they are read or changed. */
  readonly largeRows: number;
  /** From here on the order of rows is kept. */
  readonly reclusterFromRows: number;
  /** The rows that DuckDB reads and writes as one. */
  readonly groupRows: number;
  /**
   * How much of the write-ahead log may stay beside the file of an organisation while nothing is written. What is in the log
   * lies in memory without compression, and takes its time at the next stop or the next start.
   */
  readonly quietLogBytes: number;
  /** How much of a file has to be unused before it is worth writing it again. */
  readonly unusedBytes: number;
  /** Larger files are not written again: 256 MB take some 20 s, in which other writers wait. */
  readonly compactedBytes: number;
  /** Rows of a long answer that are sorted at once: a million take some 600 MB, of which little is given back. */
  readonly sortedRows: number;
  /** Bytes of a long answer that are sorted at once. The engine holds what it sorts several times. */
  readonly sortedBytes: number;
  /** How much of a long answer the engine writes to the disk ahead of its reader. */
  readonly aheadBytes: number;
}

export const defaultTuning: Tuning = {
  largeRows: 100_000,
  reclusterFromRows: 200_000,
  groupRows: 122_880,
  quietLogBytes: 1_024 ** 2,
  unusedBytes: 2 * 1_024 ** 2,
  compactedBytes: 256 * 1_024 ** 2,
  sortedRows: 100_000,
  sortedBytes: 16 * 1_024 ** 2,
  aheadBytes: 64 * 1_024 ** 2,
};
