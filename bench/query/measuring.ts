import { readFileSync } from 'node:fs';

export interface Timing {
  readonly ms: number;
  readonly rounds: number;
}

const roundsLeast = 5;
const roundsMost = 25;
const roundsLongMs = 5_000;
const warmUps = 3;

/** The median of several rounds, after some that do not count. What takes long is repeated less often. */
export async function timed(work: (round: number) => Promise<unknown>, { warm = warmUps } = {}): Promise<Timing> {
  let round = 0;
  for (; round < warm; round += 1) await work(round);
  const times: number[] = [];
  const began = performance.now();
  while (times.length < roundsLeast || (times.length < roundsMost && performance.now() - began < roundsLongMs)) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
    round += 1;
  }
  return { ms: median(times), rounds: times.length };
}

/** For what takes seconds. */
export async function timedLong(work: (round: number) => Promise<unknown>): Promise<Timing> {
  const times: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const start = performance.now();
    await work(round);
    if (round > 0) times.push(performance.now() - start);
  }
  return { ms: median(times), rounds: times.length };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (below + above) / 2;
}

/** Bytes that a process has in memory; undefined where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

/** By how many bytes a process grows while something is done, from where it stood when the watch began. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #before: number | undefined;
  /** At most, in what was watched last. */
  growth: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#before = residentBytes(pid);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.growth = undefined;
    const look = () => {
      const now = residentBytes(this.#pid);
      if (now === undefined || this.#before === undefined) return;
      this.growth = Math.max(this.growth ?? 0, now - this.#before);
    };
    const watch = setInterval(look, 20);
    try {
      return await work();
    } finally {
      look();
      clearInterval(watch);
    }
  }
}
