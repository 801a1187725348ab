import { firstIndexWhere } from '../../../binary-search.ts';
import type { Placed } from './deployment-order.ts';

/** A deployment that carries whatever reached the production branch up to a time and was not carried before. */
export interface Carrier extends Placed {
  readonly deployedThrough: number;
}

/**
 * Which deployment carried what. Only a deployment that holds more than all before it carries anything, so only those
 * are kept, and the carrier of a pull request is found by binary search.
 */
export class DeploymentContents {
  readonly #carriers: Carrier[] = [];

  /** Takes the deployments in their order. */
  constructor(deployments: Iterable<Carrier>) {
    let through = Number.NEGATIVE_INFINITY;
    for (const deployment of deployments) {
      if (deployment.deployedThrough <= through) continue;
      through = deployment.deployedThrough;
      this.#carriers.push(deployment);
    }
  }

  /** The first deployment that held what reached the production branch at this time. */
  carrierOf(productionMergedAt: number): Carrier | undefined {
    const isCarried = (i: number) => (this.#carriers[i] as Carrier).deployedThrough >= productionMergedAt;
    return this.#carriers[firstIndexWhere(0, this.#carriers.length, isCarried)];
  }
}
