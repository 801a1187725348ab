import { totalmem } from 'node:os';

const mebibyte = 1_024 ** 2;

/**
 * Who of the process may take how much of its memory, in bytes. What is left over is for the code itself, for bodies of
 * requests and for what the engines hand over: none of them can be given a limit.
 */
interface MemoryDivision {
  /** All of it. */
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

/** As parts of the whole. They leave a tenth where the least amounts do not matter. */
const shares: Readonly<Record<MemoryShare, number>> = {
  heap: 0.35,
  warehouse: 0.27,
  store: 0.08,
  answers: 0.1,
  responses: 0.05,
  openFiles: 0.05,
};

/** What a part needs whatever the whole: with 24 MiB the store could not be opened. */
const least: Partial<Record<MemoryShare, number>> = { store: 88 * mebibyte };

/** More would help nobody. */
const most: Partial<Record<MemoryShare, number>> = {
  store: 1_024 * mebibyte,
  answers: 256 * mebibyte,
  responses: 96 * mebibyte,
  openFiles: 768 * mebibyte,
};

/** Below this, an import of some thousand records or a question about a year no longer fits. */
export const memoryLeast = 512 * 1_000 ** 2;

export function divideMemory(total: number): MemoryDivision {
  const of = (share: MemoryShare) =>
    Math.floor(Math.max(least[share] ?? 0, Math.min(total * shares[share], most[share] ?? Number.POSITIVE_INFINITY)));
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

/** What the machine has or, where that is less, the container that the process runs in. */
export function memoryOfMachine(
  constrained: number = process.constrainedMemory(),
  machine: number = totalmem(),
): number {
  // No limit is reported as 0, or as more than any machine has.
  return constrained > 0 ? Math.min(constrained, machine) : machine;
}

/** Half of it. */
export const memoryUsual = (): number => Math.max(memoryLeast, Math.floor(memoryOfMachine() / 2));

/** `512MB`, `4 GiB`; undefined for anything else. */
export function readMemory(text: string): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d{1,6})\s*(MB|GB|MiB|GiB)\s*$/i.exec(text) ?? [];
  if (amount === undefined || Number(amount) === 0) return undefined;
  return Number(amount) * (unit.length === 3 ? 1_024 : 1_000) ** (/^G/i.test(unit) ? 3 : 2);
}

/** As the engines read it. */
export const inMebibytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)}MiB`;
