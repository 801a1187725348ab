/** Far below the square root, so that a thousand times the history comes from some fifteen times the people. */
const growthExponent = 0.41;
/** The largest organisation stops at about five thousand people, where a directory of one company stops being plausible. */
const growthMax = 23;
/** Fewer could not show a tree of managers, two teams and the people from outside. */
const headcountMin = 22;

/** How many people an organisation has at a scale of history: the head count at scale 1, grown slowly. */
export function headcountAt(scale: number, headcountAtOne: number): number {
  if (!(scale > 0) || !Number.isFinite(scale)) throw new RangeError(`The scale must be above 0, not ${scale}`);
  const growth = Math.min(scale ** growthExponent, growthMax);
  return Math.max(headcountMin, Math.round(headcountAtOne * growth));
}
