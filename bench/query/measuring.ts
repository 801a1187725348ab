import { readFileSync } from 'node:fs';

export interface Timing {
  readonly ms: number;
  readonly rounds: number;
}

const minRounds = 5;
const maxRounds = 25;
const roundsLongMs = 5_000;
const warmUps = 3;

type TimedWork = (round: number) => Promise<unknown>;

/** The median of several rounds, after some that do not count. What takes long is repeated less often. */
export async function timed(work: TimedWork): Promise<Timing> {
  const [timing] = await timedInTurn([work]);
  return timing;
}

/** The same for several ways to do something, one after the other in every round: what the machine does then hits all. */
export async function timedInTurn<const W extends readonly TimedWork[]>(
  works: W,
): Promise<{ readonly [K in keyof W]: Timing }> {
  let round = 0;
  for (; round < warmUps; round += 1) for (const work of works) await work(round);
  const times = works.map((): number[] => []);
  const endsAt = performance.now() + roundsLongMs * works.length;
  const isEnough = () => round >= warmUps + maxRounds || performance.now() >= endsAt;
  for (; round < warmUps + minRounds || !isEnough(); round += 1) {
    for (const [i, work] of works.entries()) {
      const start = performance.now();
      await work(round);
      times[i]?.push(performance.now() - start);
    }
  }
  return times.map((each) => ({ ms: median(each), rounds: each.length })) as { readonly [K in keyof W]: Timing };
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
