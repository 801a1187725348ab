/** Something that has its place in the order of deployments. */
export interface OrderedDeployment {
  readonly id: string;
  readonly at: number;
}

/** By time. Of two in the same second the identifier decides, so that the order of arrival never does. */
export function compareOrder(a: OrderedDeployment, b: OrderedDeployment): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export function firstOf<P extends OrderedDeployment>(some: Iterable<P | undefined>): P | undefined {
  let first: P | undefined;
  for (const one of some) if (one && (!first || compareOrder(one, first) < 0)) first = one;
  return first;
}
