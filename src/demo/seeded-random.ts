import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

const bytes = Buffer.alloc(20);
const rootOfThree = Math.sqrt(3);

/**
 * Random numbers (sfc32) that are the same on every machine for the same seed, in 32-bit integers that V8 does not
 * allocate. They are for invented data only and predictable by design: never make a key or a token with them.
 */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: string) {
    // Seeds that differ in one letter must give unrelated streams, and sfc32 alone starts similar states similarly.
    const digest = createHash('sha256').update(seed, 'utf8').digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
    this.#counter = digest.readInt32LE(12);
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
    const total = list.reduce((sum, item) => sum + weightOf(item), 0);
    if (!(total > 0)) throw new RangeError('Nothing to pick from: no item has a weight');
    let left = this.next() * total;
    const isPicked = (item: T): boolean => {
      left -= weightOf(item);
      return left < 0;
    };
    // Rounding can leave a remainder past the last weight.
    return list.find(isPicked) ?? (list.findLast((item) => weightOf(item) > 0) as T);
  }

  pickKey<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    return this.pickWeighted(Object.keys(weights) as K[], (key) => weights[key] ?? 0);
  }

  /** Up to `count` different items of the list, in random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.next() * (last + 1));
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled.slice(0, count);
  }

  /** A share of the list, and at least one item: the smallest organisation too must show what the demo promises. */
  share<T>(list: readonly T[], portion: number): Set<T> {
    return new Set(this.sample(list, Math.max(1, Math.round(list.length * portion))));
  }

  /** The sum of four uniform numbers: close to a normal deviate, and never beyond 3.46, which bounds every delay. */
  deviate(): number {
    return (this.next() + this.next() + this.next() + this.next() - 2) * rootOfThree;
  }

  /** Delays and sizes are skewed: most are small, some very large. Half of them are below the median. */
  skewed(median: number, spread: number): number {
    return median * Math.exp(spread * this.deviate());
  }

  /** Hexadecimal digits, such as the forty of a commit hash. One native call is three times as fast as joining pairs. */
  hex(digits: number): string {
    for (let place = 0; place < digits / 2; place += 4) bytes.writeUInt32LE(this.next() * 4_294_967_296, place);
    return bytes.toString('hex', 0, digits / 2);
  }
}
