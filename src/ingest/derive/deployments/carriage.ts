import type { Placed } from './deployment-order.ts';

/** A deployment that carries whatever has reached the production branch by a time and was not carried before. */
export interface Carrier extends Placed {
  readonly carriedUntil: number;
}

/**
 * Which deployment carried what. Only one that holds more than all before it carries anything, so these alone are kept,
 * and the one that carried a pull request is found by halving.
 */
export class Carriage {
  readonly #records: Carrier[] = [];

  /** In their order. */
  constructor(carriers: Iterable<Carrier>) {
    let until = Number.NEGATIVE_INFINITY;
    for (const carrier of carriers) {
      if (carrier.carriedUntil <= until) continue;
      until = carrier.carriedUntil;
      this.#records.push(carrier);
    }
  }

  /** The first deployment that held what reached the production branch at this time. */
  carrierOf(productionMergedAt: number): Carrier | undefined {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#records[middle] as Carrier).carriedUntil >= productionMergedAt) high = middle;
      else low = middle + 1;
    }
    return this.#records[low];
  }
}
