/**
 * Seconds from one moment to another. Clocks of several machines meet in one row, and rebasing rewrites author dates, so
 * times do run backwards: that is no time at all, not a negative one. With one end missing nothing was measured.
 */
export function closedSpan(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from);
}
