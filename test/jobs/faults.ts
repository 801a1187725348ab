import type { SeededRandom } from '../../src/demo/seeded-random.ts';

/** What can go wrong with any answer. */
const ofBoth = [
  'retry-after',
  'secondary-limit',
  'secondary-limit-429',
  'primary-limit',
  'outage',
  'cut-json',
  'reset',
  'reset-half-way',
  'page-loop',
] as const;
const ofGraphql = ['rate-limited-200', 'broken-200'] as const;
/** For a source that asks for less at a time when a query takes its provider too long. */
export const timeouts = ['too-long-200', 'bad-gateway'] as const;

export type Fault = (typeof ofBoth)[number] | (typeof ofGraphql)[number] | (typeof timeouts)[number];

type Interface = 'rest' | 'graphql';

/** Chooses faults by seed, never so many in a row that a client may give up. */
export class SeededFaults {
  readonly #random: SeededRandom;
  readonly #share: number;
  readonly #possible: Readonly<Record<Interface, readonly Fault[]>>;
  readonly #inARow = new Map<string, number>();
  readonly injected = new Map<Fault, number>();

  constructor(random: SeededRandom, share: number, alsoOfGraphql: readonly Fault[] = []) {
    this.#random = random;
    this.#share = share;
    this.#possible = { rest: ofBoth, graphql: [...ofBoth, ...ofGraphql, ...alsoOfGraphql] };
  }

  get count(): number {
    return [...this.injected.values()].reduce((sum, one) => sum + one, 0);
  }

  next(address: string, to: Interface): Fault | undefined {
    const before = this.#inARow.get(address) ?? 0;
    if (before >= 2 || this.#random.next() >= this.#share) {
      this.#inARow.set(address, 0);
      return undefined;
    }
    this.#inARow.set(address, before + 1);
    const possible = this.#possible[to];
    const fault = possible[Math.floor(this.#random.next() * possible.length)];
    if (fault) this.injected.set(fault, (this.injected.get(fault) ?? 0) + 1);
    return fault;
  }
}
