import type { RowsOfReader } from './asked-rows.ts';
import type { DataExtent } from './data-extent.ts';
import { factsOf, isMetric, kindOf, type MetricName } from './metric-facts.ts';
import { type AskedMetric, askedMetrics, type OpenedPage } from './opened-page.ts';
import type { Kind, PlainNumber } from './plain-verdict.ts';
import { sentenceOf } from './printed-page.ts';
import { numberWithin } from './recomputed-changes.ts';

/** What the page of benchmarks promises, worked out again from the rows of every organisation that takes part. */

/** How many records a value rests on at least, and how many others a distribution. */
const [recordsEnough, othersEnough] = [30, 5];

interface AnsweredBenchmark {
  readonly metric_name: string;
  readonly value: number | null;
  readonly n: number;
  readonly benchmark_p25: number | null;
  readonly benchmark_p50: number | null;
  readonly benchmark_p75: number | null;
  readonly percentile: number | null;
}

interface Compared {
  readonly metric: MetricName;
  readonly kind: Kind;
  readonly answered: AnsweredBenchmark;
  readonly own: PlainNumber;
  /** Values of the others, the smallest first. */
  readonly others: readonly number[];
}

export async function benchmarksFollowTheRows(
  page: OpenedPage,
  rows: RowsOfReader,
  extent: DataExtent,
  others: readonly RowsOfReader[],
): Promise<string[]> {
  const compared: Compared[] = [];
  for (const asked of askedMetrics(page)) {
    if (!asked.exchange.path.startsWith('/metrics/benchmark')) continue;
    const { results } = asked.exchange.answer as { readonly results: readonly AnsweredBenchmark[] };
    for (const answered of results) {
      const metric = answered.metric_name.split('.')[0] ?? '';
      if (isMetric(metric)) compared.push(await comparedWith({ ...asked, metric }, answered, rows, extent, others));
    }
  }
  return [...compared.flatMap(wrongNumbers), ...wrongWords(page, compared)];
}

async function comparedWith(
  asked: AskedMetric,
  answered: AnsweredBenchmark,
  rows: RowsOfReader,
  { zone }: DataExtent,
  others: readonly RowsOfReader[],
): Promise<Compared> {
  const { metric, window } = asked;
  const aggregated = { ...asked, aggregation: asked.aggregation ?? 'AVG', groupBy: [] };
  const kind = kindOf(metric, aggregated.aggregation);
  const values: number[] = [];
  for (const other of others) {
    const number = await numberWithin(window, aggregated, other, zone);
    if (recordsOf(kind, number) >= recordsEnough && number.value !== null) values.push(number.value);
  }
  const own = await numberWithin(window, aggregated, rows, zone);
  return { metric, kind, answered, own, others: values.sort((a, b) => a - b) };
}

/** A count rests on all rows that it looks at: deployments that failed are among them. */
const recordsOf = (kind: Kind, { n, rows }: PlainNumber): number => (kind === 'count' ? rows : n);

/** Quartiles have three digits, so that nobody works out the value of one organisation. */
function quartile(others: readonly number[], at: number): number | null {
  if (others.length < othersEnough) return null;
  const place = at * (others.length - 1);
  const [low, high] = [others[Math.floor(place)] ?? 0, others[Math.ceil(place)] ?? 0];
  return Number((low + (high - low) * (place - Math.floor(place))).toPrecision(3));
}

function percentile({ kind, own, others }: Compared): number | null {
  const { value } = own;
  if (others.length < othersEnough || recordsOf(kind, own) < recordsEnough || value === null) return null;
  const lower = others.filter((other) => other < value).length;
  const equal = others.filter((other) => other === value).length;
  return 5 * Math.floor((20 * (lower + equal / 2)) / others.length + 0.5);
}

function wrongNumbers(compared: Compared): string[] {
  const { metric, answered, own, others } = compared;
  const expected = [
    ['value', answered.value, own.value],
    ['n', answered.n, own.n],
    ['lower quartile', answered.benchmark_p25, quartile(others, 0.25)],
    ['median', answered.benchmark_p50, quartile(others, 0.5)],
    ['upper quartile', answered.benchmark_p75, quartile(others, 0.75)],
    ['percentile', answered.percentile, percentile(compared)],
  ] as const;
  return expected
    .filter(
      ([, given, right]) => given !== right && Math.abs((given ?? 0) - (right ?? 0)) > 1e-9 * Math.abs(right ?? 0),
    )
    .map(([what, given, right]) => `${what} of ${metric} among others is ${given}, and rows give ${right}`);
}

/** Which figures are better or worse than those of most others: outside of the middle half, and of enough records. */
function wrongWords({ html }: OpenedPage, all: readonly Compared[]): string[] {
  const isOutside =
    (isGood: boolean) =>
    (one: Compared): boolean => {
      const { better } = factsOf(one.metric);
      const [low, high] = [quartile(one.others, 0.25), quartile(one.others, 0.75)];
      const { value, n } = one.own;
      if (better === null || value === null || low === null || high === null || n < recordsEnough) return false;
      return (better === 'lower') === isGood ? value < low : value > high;
    };
  const sentence = sentenceOf(html);
  return (['better than', 'behind'] as const).flatMap((words, at) => {
    const [, list = ''] =
      new RegExp(`${words} most in (.+?)(?:, behind most|, and in the middle half|[.]|$)`).exec(sentence) ?? [];
    const said = list === '' ? [] : list.split(/, | and /);
    const right = all.filter(isOutside(at === 0)).map(({ metric }) => factsOf(metric).label.toLowerCase());
    return said.sort().join() === right.sort().join()
      ? []
      : [`rows are ${words} most in ${right.join(', ')}, and the page says: ${sentence}`];
  });
}
