import { availableParallelism, totalmem } from 'node:os';
import { fileDescriptorsMost } from './file-descriptors.ts';

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

export const statementSecondsUsual = 30;

/** Loading, deriving and tidying take as long as they take; an hour means that something hangs. */
export const writingSeconds = 3_600;

const mebibyte = 1_024 ** 2;

/** A quarter of what this process may have, which in a container is less than the machine has; at least 1 GiB. */
export function memoryUsual(): string {
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return `${Math.max(1_024, Math.floor(memory / 4 / mebibyte))}MiB`;
}

export const threadsUsual = (): number => availableParallelism();

/** A file has its write-ahead log beside it. Half of all descriptors are left to connections and everything else. */
const descriptorsOfFile = 2;
const shareOfDescriptors = 0.5;
/** Where no limit of descriptors is known, or none that matters. */
const filesMost = 256;
const filesLeast = 4;

export function filesUsual(descriptors: number | undefined = fileDescriptorsMost()): number {
  const possible = Math.floor(((descriptors ?? Number.POSITIVE_INFINITY) * shareOfDescriptors) / descriptorsOfFile);
  return Math.max(filesLeast, Math.min(filesMost, possible));
}
