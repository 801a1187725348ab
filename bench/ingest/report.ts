/** What some work took: by the clock, and of the processors on all threads of this process. */
export interface Cost {
  readonly seconds: number;
  readonly processor: number;
}

export async function timed(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { seconds, processor: (user + system) / 1e6 };
}

/** Where the machine has other work, only processor time says something. */
export const processorTime = ({ processor }: Cost): string => `processor ${processor.toFixed(2)} s`;

export const rowRate = (rows: number, cost: Cost): string =>
  `${whole(rows / cost.seconds)} rows/s, ${whole(rows / cost.processor)} a processor second`;

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function report(what: string, value: string): void {
  console.log(`${what.padEnd(64)} ${value}`);
}

/** The most memory that the process has had since it was last asked to begin. */
export class MemoryPeak {
  #bytes = 0;
  readonly #watch = setInterval(() => this.#look(), 200).unref();

  #look(): void {
    this.#bytes = Math.max(this.#bytes, process.memoryUsage().rss);
  }

  get bytes(): number {
    this.#look();
    return this.#bytes;
  }

  stop(): void {
    clearInterval(this.#watch);
  }
}
