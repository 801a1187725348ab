import type { SeededRandom } from '../../src/demo/seeded-random.ts';

/** What can go wrong with one answer. */
export const faults = [
  'retry-after',
  'secondary-limit',
  'primary-limit',
  'outage',
  'cut-json',
  'reset',
  'reset-half-way',
  'page-loop',
  'rate-limited-200',
  'broken-200',
] as const;
export type Fault = (typeof faults)[number];

const ofRest = new Set<Fault>(['page-loop']);
const ofGraphql = new Set<Fault>(['page-loop', 'rate-limited-200', 'broken-200']);
const ofBoth = new Set<Fault>([
  'retry-after',
  'secondary-limit',
  'primary-limit',
  'outage',
  'cut-json',
  'reset',
  'reset-half-way',
]);

/** Chooses faults by seed, never so many in a row that a client may give up. */
export class SeededFaults {
  readonly #random: SeededRandom;
  readonly #share: number;
  readonly #inARow = new Map<string, number>();
  injected = 0;

  constructor(random: SeededRandom, share: number) {
    this.#random = random;
    this.#share = share;
  }

  next(address: string, to: 'rest' | 'graphql'): Fault | undefined {
    const before = this.#inARow.get(address) ?? 0;
    if (before >= 2 || this.#random.next() >= this.#share) {
      this.#inARow.set(address, 0);
      return undefined;
    }
    this.#inARow.set(address, before + 1);
    this.injected += 1;
    const possible = faults.filter((fault) => ofBoth.has(fault) || (to === 'rest' ? ofRest : ofGraphql).has(fault));
    return possible[Math.floor(this.#random.next() * possible.length)];
  }
}
