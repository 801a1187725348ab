/**
 * Everything that each start leads to over one step or more. A start that leads back to itself is among what it leads to.
 * `next` has what one step leads to.
 */
export function closureOf(next: ReadonlyMap<string, readonly string[]>): (readonly [from: string, to: string])[] {
  return [...next.keys()].flatMap((from) => [...reachedFrom(from, next)].map((to) => [from, to] as const));
}

function reachedFrom(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    open.push(...(next.get(one) ?? []));
  }
  return reached;
}
