import { totalmem } from 'node:os';

const mebibyte = 1_024 ** 2;

/**
 * How the memory of the process is divided, in bytes. The rest is for the code itself, for bodies of requests and for
 * what the engines return: none of these can be given a limit.
 */
interface MemoryDivision {
  /** The whole memory. */
  readonly total: number;
  /** Objects of JavaScript: V8 is started with this limit where PLUMB_MEMORY is set. */
  readonly heap: number;
  /** The engine of the embedded store. */
  readonly store: number;
  /** The engine of all organisations' tables. Sorting and joining beyond it go through the disk. */
  readonly warehouse: number;
  /** Answers while they are put together and sent. */
  readonly answers: number;
  /** The cache of responses. */
  readonly responses: number;
  /** Files of organisations that are open. The engine does not count them as its own. */
  readonly openFiles: number;
}

type MemoryShare = Exclude<keyof MemoryDivision, 'total'>;

/** Parts of the whole, within bounds. They leave a tenth where the bounds do not matter. */
const shares: Readonly<Record<MemoryShare, { readonly part: number; readonly min?: number; readonly max?: number }>> = {
  heap: { part: 0.35 },
  warehouse: { part: 0.27 },
  // With 24 MiB the store could not be opened. More than the largest amounts would not help.
  store: { part: 0.08, min: 88 * mebibyte, max: 1_024 * mebibyte },
  answers: { part: 0.1, max: 256 * mebibyte },
  responses: { part: 0.05, max: 96 * mebibyte },
  openFiles: { part: 0.05, max: 768 * mebibyte },
};

/** Below this, an import of some thousand records or a question about a year no longer fits. */
export const minMemory = 512 * 1_000 ** 2;

export function divideMemory(total: number): MemoryDivision {
  const of = (share: MemoryShare) => {
    const { part, min = 0, max = Number.POSITIVE_INFINITY } = shares[share];
    return Math.floor(Math.max(min, Math.min(total * part, max)));
  };
  return {
    total,
    heap: of('heap'),
    store: of('store'),
    warehouse: of('warehouse'),
    answers: of('answers'),
    responses: of('responses'),
    openFiles: of('openFiles'),
  };
}

/** The memory of the machine or, where that is less, of the container that the process runs in. */
export function memoryOfMachine(
  constrained: number = process.constrainedMemory(),
  machine: number = totalmem(),
): number {
  // No limit is reported as 0, or as more than any machine has.
  return constrained > 0 ? Math.min(constrained, machine) : machine;
}

/** Half of it. */
export const defaultMemory = (): number => Math.max(minMemory, Math.floor(memoryOfMachine() / 2));

/** `512MB`, `4 GiB`; undefined for anything else. */
export function readMemory(text: string): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d{1,6})\s*(MB|GB|MiB|GiB)\s*$/i.exec(text) ?? [];
  if (amount === undefined || Number(amount) === 0) return undefined;
  return Number(amount) * (unit.length === 3 ? 1_024 : 1_000) ** (/^G/i.test(unit) ? 3 : 2);
}

/** The amount in the spelling of the engines. */
export const inMebibytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)}MiB`;
