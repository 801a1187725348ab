/** Where moments stand on a line, and where it is broken. */
export interface TimelineScale {
  readonly xOf: (at: number) => number;
  /** The middle of each gap that is drawn shorter than it is. */
  readonly breaks: readonly number[];
}

/** One step that takes more of the whole would push all others, with their names, into a corner. */
const maxShare = 0.6;

/**
 * Places for moments between two edges: in proportion to their times. Where one step takes most of the time, the named
 * moments stand by their order, equally far apart, and the long step is broken.
 */
export function timelineScale(
  times: readonly number[],
  named: readonly number[],
  edges: { readonly from: number; readonly until: number },
): TimelineScale {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const whole = last - first;
  const inner = Math.max(1, edges.until - edges.from);
  const moments = [...new Set([first, ...named, last])].sort((a, b) => a - b);
  const steps = moments.slice(1).map((until, at) => ({ from: moments[at] ?? first, until }));
  const isLong = ({ from, until }: { readonly from: number; readonly until: number }): boolean =>
    until - from > whole * maxShare;
  if (steps.length < 2 || !steps.some(isLong)) {
    return {
      xOf: (at) => edges.from + (whole > 0 ? ((at - first) / whole) * inner : inner / 2),
      breaks: [],
    };
  }
  const width = inner / steps.length;
  const xOf = (at: number): number => {
    const index = Math.max(
      0,
      steps.findLastIndex(({ from }) => from <= at),
    );
    const step = steps[index];
    const share = step ? Math.min(1, (at - step.from) / (step.until - step.from)) : 0;
    return edges.from + (index + share) * width;
  };
  return { xOf, breaks: steps.flatMap((step, index) => (isLong(step) ? [edges.from + (index + 0.5) * width] : [])) };
}
