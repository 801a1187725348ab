import type { AggregateNode, RowNode } from '../../src/expression/expression.ts';
import { addDays, bucketOf, dayAt, daysFrom, instantShown } from './calendar.ts';
import { aggregateOf, hasValue, rowValue } from './expression.ts';
import { isTooSmall, keyOf } from './joined-rows.ts';
import { countsAround, ranksAround, ratesAround } from './likely-ranges.ts';
import type { Evaluation, MetricGroup } from './metric-groups.ts';
import type { AskedMetric } from './question.ts';
import type { Window } from './window.ts';

/** From when to when the rows of every table are complete, in seconds since 1970. */
export interface KnownHistory {
  readonly since: number;
  readonly through: number;
}

type Range = readonly [number | null, number | null];
type Verdict = 'up' | 'down' | 'about_the_same' | 'too_close' | 'too_few' | 'no_comparison';

/** What is said of a value beside its change. */
interface JudgedFields {
  readonly n: number;
  readonly previous_n: number | null;
  readonly range: Range | null;
  readonly previous_range: Range | null;
  readonly verdict: Verdict | null;
  readonly is_better: boolean | null;
}

/** The groups of the two windows, each under the bucket of the first, and the windows of a bucket. */
export interface ComparedGroups {
  readonly now: readonly MetricGroup[];
  readonly before: readonly MetricGroup[];
  /** Undefined where the bucket stands beside none. */
  readonly windowsOf: (bucket: string | undefined) => readonly [Window, Window] | undefined;
}

/** What a number has to be for its change to be judged: a count, a rate, or the value below which a share of all lies. */
type Form = 'count' | 'rate' | { readonly share: number };
const shares: Readonly<Record<string, number>> = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95 };

/** What may be said of each value of a metric in a group, worked out from the rows of the group in both windows. */
export function judgedValues(
  evaluation: Evaluation,
  asked: AskedMetric,
  { now, before, windowsOf }: ComparedGroups,
  history: KnownHistory,
): (row: { readonly bucket: string | undefined; readonly place: MetricGroup['place'] }) => JudgedFields[] {
  return (row) => {
    const [group, earlier] = [now, before].map((groups) => groups.find((one) => keyOf(one) === keyOf(row)));
    const windows = windowsOf(row.bucket);
    const isSmall = group === undefined ? asked.least > 0 : isTooSmall(asked, group.values);
    return asked.values.map((_, at) => {
      const form = isSmall ? undefined : formOf(asked, at);
      const n = isSmall ? 0 : countOf(asked, at, group);
      const previousN = windows ? countOf(asked, at, earlier) : null;
      const coverage = previousN !== null && Math.max(n, previousN) > 4 * Math.min(n, previousN) ? 0.95 : 0.84;
      const [value, previous] = [group, earlier].map((one) => valueIn(asked, at, one));
      const range = form ? rangeOf(form, asked, at, { group, n, coverage }) : null;
      const previousRange =
        form && previousN !== null ? rangeOf(form, asked, at, { group: earlier, n: previousN, coverage }) : null;
      const verdict =
        form &&
        verdictOf(
          form,
          { value: value ?? null, n, range },
          { value: previous ?? null, n: previousN, range: previousRange },
          windows,
          {
            history,
            now: evaluation.view.world.now,
          },
        );
      const { better } = asked.metric;
      const isMoved = verdict === 'up' || verdict === 'down';
      return {
        n,
        previous_n: previousN,
        range,
        previous_range: previousRange,
        verdict: verdict ?? null,
        is_better: isMoved && better ? (better === 'higher') === (verdict === 'up') : null,
      };
    });
  };
}

/** The number that a value of a metric is worked out by. A share of people has none: its people are counted. */
function nodeOf({ metric, aggregation }: AskedMetric, at: number): AggregateNode | undefined {
  if (metric.kind === 'share') return undefined;
  if (metric.kind !== 'aggregated') return metric.value;
  const value = metric.values[at]?.value;
  return value && { op: 'aggregate', aggregation: aggregation ?? 'sum', value };
}

function formOf(asked: AskedMetric, at: number): Form | undefined {
  const { metric } = asked;
  if (metric.kind === 'count') return 'count';
  if (metric.kind === 'share') return 'rate';
  if (metric.kind === 'text') return undefined;
  // Lines, tokens and money come in lumps: their number says nothing of chance.
  if (metric.kind === 'fixed' && metric.denominator) return metric.denominator === 'things' ? 'rate' : undefined;
  const node = nodeOf(asked, at);
  if (node?.op !== 'aggregate') return undefined;
  if (node.aggregation === 'avg') return isZeroOrOne(node.value) ? 'rate' : undefined;
  const share = shares[node.aggregation];
  return share === undefined ? undefined : { share };
}

const isZeroOrOne = (node: RowNode): boolean =>
  node.op === 'oneOrZero' ||
  (node.op === 'when' && isZeroOrOne(node.value)) ||
  (node.op === 'literal' && [0, 1].includes(Number(node.value)));

/** How many values a value is made of; of a count itself, of a rate what it divides by. */
export function countOf(asked: AskedMetric, at: number, group: MetricGroup | undefined): number {
  if (!group) return 0;
  const { metric } = asked;
  if (metric.kind === 'share') return group.n;
  const node = nodeOf(asked, at);
  if (!node) return 0;
  if (metric.kind === 'count') return Number(aggregateOf(node, group.rows) ?? 0);
  if (metric.kind === 'fixed' && metric.denominator === 'things' && node.op === 'ratio')
    return Number(aggregateOf(node.whole, group.rows) ?? 0);
  return group.rows.filter((row) => hasValue(node, row)).length;
}

function valueIn(asked: AskedMetric, at: number, group: MetricGroup | undefined): number | null {
  const value = group ? group.values[at] : asked.values[at]?.ofNothing;
  return typeof value === 'number' ? value : null;
}

interface CountedGroup {
  readonly group: MetricGroup | undefined;
  readonly n: number;
  readonly coverage: number;
}

function rangeOf(form: Form, asked: AskedMetric, at: number, { group, n, coverage }: CountedGroup): Range {
  const value = valueIn(asked, at, group);
  if (form === 'count') return countsAround(value ?? 0, coverage);
  if (form === 'rate') {
    return value === null || n === 0 || value < 0 || value > 1 ? [null, null] : ratesAround(value, n, coverage);
  }
  const node = nodeOf(asked, at);
  if (node?.op !== 'aggregate' || !group || n === 0) return [null, null];
  const values = group.rows
    .map((row) => rowValue(node.value, row))
    .filter((one) => one !== null)
    .map(Number)
    .sort((a, b) => a - b);
  const [low, high] = ranksAround(form.share, n, coverage);
  return [low === null ? null : (values[low - 1] ?? null), high === null ? null : (values[high - 1] ?? null)];
}

interface JudgedSide {
  readonly value: number | null;
  readonly n: number | null;
  readonly range: Range | null;
}

/** The rules in their order. */
function verdictOf(
  form: Form,
  current: JudgedSide,
  previous: JudgedSide,
  windows: readonly [Window, Window] | undefined,
  { history, now }: { readonly history: KnownHistory; readonly now: Date },
): Verdict {
  if (!windows || current.n === null || previous.n === null) return 'no_comparison';
  const [[from, until], [previousFrom, previousUntil]] = [instantsOf(windows[0]), instantsOf(windows[1])];
  const zone = windows[0].zone;
  const present = now.getTime() / 1_000;
  const longAgo = dayStart(zone, dayAt(zone, present - 3 * 86_400));
  const isComplete = (end: number): boolean => end <= present && (end <= history.through || end <= longAgo);
  if (!isComplete(until) || !isComplete(previousUntil) || history.since > previousFrom) return 'no_comparison';
  const most = Math.max(current.n, previous.n);
  const least = Math.min(current.n, previous.n);
  if ((form === 'count' ? most : least) < 10) return 'too_few';
  if (current.value === null || previous.value === null) return 'too_few';
  const lengths = [lengthOf(windows[0], from, until), lengthOf(windows[1], previousFrom, previousUntil)];
  const [days = 1, previousDays = 1] = form === 'count' ? lengths : [];
  const [a, b] = [current.value / days, previous.value / previousDays];
  const apart = Math.abs(a - b);
  if (apart === 0 || apart < (form === 'rate' ? 0.01 : 0.03 * Math.abs(b))) return 'about_the_same';
  const [[low, high], [previousLow, previousHigh]] = [current.range ?? [null, null], previous.range ?? [null, null]];
  const isAbove = low !== null && previousHigh !== null && low / days > previousHigh / previousDays;
  const isBelow = high !== null && previousLow !== null && high / days < previousLow / previousDays;
  if (!isAbove && !isBelow) return 'too_close';
  return a > b ? 'up' : 'down';
}

const dayStarts = new Map<string, number>();

function dayStart(zone: string, day: string): number {
  const known = dayStarts.get(`${zone} ${day}`) ?? instantShown(zone, `${day}T00:00:00`);
  dayStarts.set(`${zone} ${day}`, known);
  return known;
}

/** The first second, and the one after the last. */
function instantsOf({ zone, firstDay, lastDay, fromSecond, toSecond }: Window): [number, number] {
  const last = toSecond === undefined ? dayStart(zone, addDays(lastDay, 1)) : toSecond + 1;
  return [fromSecond ?? dayStart(zone, firstDay), last];
}

/** In days as the calendar has them; between instants in parts of them. */
function lengthOf({ zone, firstDay, lastDay }: Window, from: number, until: number): number {
  const isWhole = from === dayStart(zone, firstDay) && until === dayStart(zone, addDays(lastDay, 1));
  return isWhole ? daysFrom(firstDay, lastDay) : (until - from) / 86_400;
}

/** What a window has of a bucket. */
export function bucketOfWindow(window: Window, level: Parameters<typeof bucketOf>[0], bucket: string): Window {
  const days: string[] = [];
  for (let day = window.firstDay; day <= window.lastDay; day = addDays(day, 1)) {
    if (bucketOf(level, day) === bucket) days.push(day);
  }
  const [firstDay = bucket, lastDay = bucket] = [days[0], days.at(-1)];
  return {
    zone: window.zone,
    firstDay,
    lastDay,
    ...(firstDay === window.firstDay && window.fromSecond !== undefined ? { fromSecond: window.fromSecond } : {}),
    ...(lastDay === window.lastDay && window.toSecond !== undefined ? { toSecond: window.toSecond } : {}),
  };
}
