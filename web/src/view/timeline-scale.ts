/** Where moments stand on a line, and where it is broken. */
export interface TimelineScale {
  readonly xOf: (at: number) => number;
  /** The middle of each gap that is drawn shorter than it is. */
  readonly breaks: readonly number[];
}

interface LineEdges {
  readonly from: number;
  readonly until: number;
}

/** One step that takes more of the whole would push all others, with their names, into a corner. */
const maxShare = 0.6;

/** Places in proportion to the times. */
export function proportionalScale(times: readonly number[], { from, until }: LineEdges): TimelineScale {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const inner = Math.max(1, until - from);
  return { xOf: (at) => from + (last > first ? ((at - first) / (last - first)) * inner : inner / 2), breaks: [] };
}

/**
 * Places by order: the named moments are equally far apart, and a step that takes most of the time is broken. Undefined
 * where there is no order to show.
 */
export function orderedScale(
  times: readonly number[],
  named: readonly number[],
  edges: LineEdges,
): TimelineScale | undefined {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const moments = [...new Set([first, ...named, last])].sort((a, b) => a - b);
  const steps = moments.slice(1).map((until, at) => ({ from: moments[at] ?? first, until }));
  if (steps.length < 2) return undefined;
  const width = Math.max(1, edges.until - edges.from) / steps.length;
  const xOf = (at: number): number => {
    const index = Math.max(
      0,
      steps.findLastIndex(({ from }) => from <= at),
    );
    const step = steps[index];
    const share = step ? Math.min(1, (at - step.from) / (step.until - step.from)) : 0;
    return edges.from + (index + share) * width;
  };
  const isLong = ({ from, until }: { readonly from: number; readonly until: number }): boolean =>
    until - from > (last - first) * maxShare;
  return { xOf, breaks: steps.flatMap((step, index) => (isLong(step) ? [edges.from + (index + 0.5) * width] : [])) };
}
