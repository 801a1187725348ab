import { fewRows } from '../../../src/charts/chart-description.ts';

interface Bins {
  readonly counts: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Whether the last one also counts what is beyond its end. */
  readonly isCut: boolean;
  /** The one with the value that is looked at. */
  readonly marked: number | undefined;
}

const binCount = 12;
/** What lies beyond this share of the values would press all others into the first bars. */
const shareShown = 0.95;

/** Values in equally wide bins from zero; undefined where they are too few, or all alike. */
export function binsOf(values: readonly number[], at: number | null): Bins | undefined {
  if (values.length < fewRows) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const from = Math.min(0, least);
  const usual = sorted[Math.ceil(sorted.length * shareShown) - 1] ?? most;
  const to = most > 2 * usual && usual > from ? usual : most;
  if (to <= from || least === most) return undefined;
  const binOf = (value: number): number =>
    Math.min(binCount - 1, Math.max(0, Math.floor(((value - from) / (to - from)) * binCount)));
  const counts = Array.from({ length: binCount }, () => 0);
  for (const value of values) counts[binOf(value)] = (counts[binOf(value)] ?? 0) + 1;
  return { counts, from, to, isCut: to < most, marked: at === null ? undefined : binOf(at) };
}
