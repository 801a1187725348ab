import { firstIndexWhere } from '../../../binary-search.ts';
import type { OrderedDeployment } from './deployment-order.ts';

/** A deployment that carries whatever reached the production branch up to a time and was not carried before. */
export interface CarryingDeployment extends OrderedDeployment {
  readonly deployedThrough: number;
}

/**
 * Which deployment carried what. Only a deployment that holds more than all before it carries anything, so only those
 * are kept, and the deployment of a pull request is found by binary search.
 */
export class DeploymentContents {
  readonly #deployments: CarryingDeployment[] = [];

  /** Takes the deployments in their order. */
  constructor(deployments: Iterable<CarryingDeployment>) {
    let through = Number.NEGATIVE_INFINITY;
    for (const deployment of deployments) {
      if (deployment.deployedThrough <= through) continue;
      through = deployment.deployedThrough;
      this.#deployments.push(deployment);
    }
  }

  /** The first deployment that held what reached the production branch at this time. */
  deploymentOf(productionMergedAt: number): CarryingDeployment | undefined {
    const isCarried = (i: number) => (this.#deployments[i] as CarryingDeployment).deployedThrough >= productionMergedAt;
    return this.#deployments[firstIndexWhere(0, this.#deployments.length, isCarried)];
  }
}
