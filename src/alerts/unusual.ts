/** One whole period of a metric. */
export interface MetricPeriod {
  readonly firstDay: string;
  readonly value: number | null;
  /** How many values the value is made of. Counts need none. */
  readonly n: number | null;
}

/** What decides which values are worth comparing. */
export type UnusualForm = 'count' | 'measured';
export type Side = 'low' | 'high';

/** The last two periods are compared with so many before them. */
export const periodsCompared = 26;
const periodsJudged = 2;
/** A duration, size or rate of fewer values moves by chance. */
const minValues = 10;
const minPeriodsWithValues = 20;
/** Below this median, a count of two more or less is already outside the usual. */
const minMedianCount = 5;
const [lowShare, highShare] = [0.05, 0.95];

interface Band {
  readonly low: number;
  readonly high: number;
}

interface Unusual {
  /** The first day of the later of the two periods. */
  readonly period: string;
  readonly side: Side;
  readonly band: Band;
}

/**
 * Whether there is enough to compare: of durations, sizes and rates enough values in both periods and in most of those
 * before them, of counts a median that a small difference does not leave.
 */
export function isEligible(history: readonly MetricPeriod[], at: number, form: UnusualForm): boolean {
  const [earlier, judged] = partsAt(history, at);
  if (earlier.length < periodsCompared || judged.length < periodsJudged) return false;
  if (form === 'count') {
    const counts = valuesOf(earlier);
    return counts.length === periodsCompared && percentileOf(counts, 0.5) >= minMedianCount;
  }
  const reliable = (one: MetricPeriod) => isReliable(one, form);
  return judged.every(reliable) && earlier.filter(reliable).length >= minPeriodsWithValues;
}

/** The two periods that end at a place of the history, where both lie outside of the usual on the same side. */
export function unusualAt(history: readonly MetricPeriod[], at: number, form: UnusualForm): Unusual | undefined {
  const band = bandAt(history, at);
  if (!band || !isEligible(history, at, form)) return undefined;
  const [, judged] = partsAt(history, at);
  const [side, ...others] = judged.map((one) => sideOf(one, band));
  const period = judged.at(-1)?.firstDay;
  return side && period && others.every((other) => other === side) ? { period, side, band } : undefined;
}

/** Whether a period is as those before it. A period of too few values is neither usual nor unusual. */
export function isWithinBandAt(history: readonly MetricPeriod[], at: number, form: UnusualForm): boolean {
  const [one, band] = [history[at], bandAt(history, at)];
  return one !== undefined && band !== undefined && isReliable(one, form) && sideOf(one, band) === undefined;
}

/** The periods before the two that end at a place, and those two. */
function partsAt(history: readonly MetricPeriod[], at: number): [earlier: MetricPeriod[], judged: MetricPeriod[]] {
  const judgedFrom = at + 1 - periodsJudged;
  return [
    history.slice(Math.max(0, judgedFrom - periodsCompared), Math.max(0, judgedFrom)),
    history.slice(Math.max(0, judgedFrom), at + 1),
  ];
}

function bandAt(history: readonly MetricPeriod[], at: number): Band | undefined {
  const [earlier] = partsAt(history, at);
  const values = valuesOf(earlier);
  if (earlier.length < periodsCompared || values.length < minPeriodsWithValues) return undefined;
  return { low: percentileOf(values, lowShare), high: percentileOf(values, highShare) };
}

const valuesOf = (periods: readonly MetricPeriod[]): number[] => periods.flatMap(({ value }) => value ?? []);

const isReliable = ({ value, n }: MetricPeriod, form: UnusualForm): boolean =>
  value !== null && (form === 'count' || (n ?? 0) >= minValues);

function sideOf({ value }: MetricPeriod, { low, high }: Band): Side | undefined {
  if (value === null) return undefined;
  return value < low ? 'low' : value > high ? 'high' : undefined;
}

/** Between two of the sorted values where the place is between them. */
function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place - Math.floor(place));
}
