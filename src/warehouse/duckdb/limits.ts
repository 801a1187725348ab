import { availableParallelism, totalmem } from 'node:os';

export interface WarehouseLimits {
  /** How long one reading statement may take. */
  readonly statementSeconds?: number;
  /** How much memory the engine may take, in its own words. Beyond it, sorting and joining go through the disk. */
  readonly memory?: string;
  readonly threads?: number;
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
