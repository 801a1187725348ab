/** The first index from `low` on at which something holds, or `high`. It holds for every index after one where it does. */
export function firstIndexWhere(low: number, high: number, holds: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
