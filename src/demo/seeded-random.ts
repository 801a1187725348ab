import { createHash } from 'node:crypto';

/**
 * A stream of random numbers that is the same on every machine for the same seed. The algorithm is sfc32: it passes
 * the usual statistical suites, keeps 128 bits of state and needs only 32-bit integer arithmetic, which V8 does without
 * allocating. It is for invented data only and predictable by design: never make a key or a token with it.
 */
export class SeededRandom {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: string) {
    // Seeds that differ in one letter must give unrelated streams, and sfc32 alone starts similar states similarly.
    const digest = createHash('sha256').update(seed, 'utf8').digest();
    this.#seed = seed;
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
    this.#counter = digest.readInt32LE(12);
  }

  /** A stream of its own for one purpose: drawing more from it changes nothing that is drawn elsewhere. */
  fork(purpose: string): SeededRandom {
    return new SeededRandom(`${this.#seed}/${purpose}`);
  }

  /** From 0 up to, but never, 1, in steps of 2^-32. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  /** A number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('Nothing to pick from: the list is empty');
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** Picks in proportion to the weight of each item, which must not be negative. */
  pickWeighted<T>(list: readonly T[], weightOf: (item: T) => number): T {
    let total = 0;
    for (const item of list) total += weightOf(item);
    if (!(total > 0)) throw new RangeError('Nothing to pick from: no item has a weight');
    let left = this.next() * total;
    let last: T | undefined;
    for (const item of list) {
      const weight = weightOf(item);
      if (weight <= 0) continue;
      last = item;
      left -= weight;
      if (left < 0) return item;
    }
    // Rounding can leave a sliver past the last weight.
    return last as T;
  }

  /** A shuffled copy. */
  shuffle<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.next() * (last + 1));
      const moved = shuffled[last] as T;
      shuffled[last] = shuffled[other] as T;
      shuffled[other] = moved;
    }
    return shuffled;
  }

  /** Up to `count` different items of the list, in random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    return this.shuffle(list).slice(0, count);
  }

  /**
   * A share of the list, but at least one item of a list that has any: what a demo promises to show must be there in
   * the smallest organisation too, where a chance of three percent would mostly show nothing.
   */
  share<T>(list: readonly T[], portion: number): Set<T> {
    return new Set(this.sample(list, Math.max(1, Math.round(list.length * portion))));
  }
}
