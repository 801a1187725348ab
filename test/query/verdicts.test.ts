import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { deployments } from '../../src/catalogue/tables/deployments.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import type { AnswerOptions } from '../../src/query/collect-answer.ts';
import type { Extent } from '../../src/query/question-port.ts';
import type { JudgedFields, Result, ResultsAnswer } from '../../src/query/shape/results.ts';
import { countsAround, ranksAround, ratesAround } from '../reference/likely-ranges.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { someOwner } from '../setup/some-owner.ts';
import { fewRows, rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const organisationId = someOrganisationId();
const owner = someOwner(organisationId);
const march = { start_date: '2024-03-01', end_date: '2024-03-31' };

const second = (at: string): number => Date.parse(at) / 1_000;

interface SomeRepository {
  readonly repository: string;
  /** How many pull requests were merged in each month. */
  readonly february: number;
  readonly march: number;
  /** How many times as long they took in March. */
  readonly slower: number;
}
const repositories: readonly SomeRepository[] = [
  { repository: 'acme/web', february: 60, march: 60, slower: 3 },
  { repository: 'acme/api', february: 12, march: 60, slower: 1.2 },
  { repository: 'acme/old', february: 9, march: 30, slower: 3 },
];

/** In an order that is none. */
const cycleTimes = (n: number, times: number): number[] =>
  Array.from({ length: n }, (_, i) => Math.round(times * (1_000 + 100 * ((i * 7) % n))));

const merged = repositories.flatMap(({ repository, february, march: later, slower }) =>
  [
    { month: '02', n: february, times: 1 },
    { month: '03', n: later, times: slower },
  ].flatMap(({ month, n, times }) =>
    cycleTimes(n, times).map((cycle_time, i) =>
      rowOf(pullRequests, {
        pr_id: `${repository}#${month}${i}`,
        repository,
        merged_user_id: 'ann',
        pr_created_at: second(`2024-${month}-10T09:00:00Z`),
        pr_merged_at: second(`2024-${month}-${String(1 + (i % 28)).padStart(2, '0')}T12:00:00Z`),
        cycle_time,
        is_reworked: i % (month === '02' ? 2 : 6) === 0,
        // Lines of one side only are both sides.
        additions: i === 0 ? null : 10 * i,
        deletions: i,
      }),
    ),
  ),
);
/** An outage of deployments: none of them in February. */
const deployed = Array.from({ length: 12 }, (_, i) =>
  rowOf(deployments, {
    deployment_id: String(i),
    deployed_at: second('2024-03-05T12:00:00Z'),
    is_production: true,
    status: 'success',
  }),
);

describe('verdict=true', () => {
  let place: SomeWarehouse;
  let metrics: Metrics;
  let extent: Extent;
  beforeAll(async () => {
    place = await someWarehouse(fewRows);
    await place.warehouse.change(organisationId, async (session) => {
      const ann = rowOf(peopleCopy, { merged_user_id: 'ann', name: 'ann', onboarded: true, onboarded_by_name: false });
      await putRows(session, peopleCopy, [ann]);
      await putRows(session, pullRequests, merged);
      await putRows(session, deployments, deployed);
    });
    extent = { since: second('2024-02-01T00:00:00Z'), through: second('2024-04-01T00:00:00Z'), missing: [] };
    metrics = metricsOver(place.warehouse, () => new Date('2024-04-02T00:00:00Z'), {
      of: async () => extent,
      known: () => extent,
    });
  });
  afterAll(() => place.close());

  const ask = async (
    metric: string,
    body: object = {},
    options: AnswerOptions = {},
  ): Promise<(Result & JudgedFields)[]> => {
    const question = { filters: march, include_previous_period: true, ...body };
    const { answer } = await metrics.single(owner, metric, question, { showsVerdict: true, ...options });
    if (answer.form !== 'document') throw new Error('not a document');
    return (answer.document as ResultsAnswer).results as (Result & JudgedFields)[];
  };
  const judgedAs = ({ n, previous_n, verdict, is_better }: JudgedFields) => [n, previous_n, verdict, is_better];

  /** The values at the ranks that a search finds, among the sorted ones. */
  const rangeOf = (values: readonly number[], at: number, coverage: number) => {
    const sorted = values.toSorted((a, b) => a - b);
    return ranksAround(at, values.length, coverage).map((rank) => (rank === null ? null : sorted[rank - 1]));
  };

  test('verdict=true gives the values at exact ranks as the range of a percentile, of each group with as many values as it has', async () => {
    const found = await ask('cycle-time', { aggregation: 'P75', group_by: ['repository'] });
    const expected = repositories
      .toSorted((a, b) => (a.repository < b.repository ? -1 : 1))
      .map((one) => {
        // Five times the values need wider ranges than as many.
        const coverage = one.march > 4 * one.february ? 0.95 : 0.84;
        return {
          group_by: { repository: one.repository },
          n: one.march,
          previous_n: one.february,
          range: rangeOf(cycleTimes(one.march, one.slower), 0.75, coverage),
          previous_range: rangeOf(cycleTimes(one.february, 1), 0.75, coverage),
        };
      });
    expect(found).toMatchObject(expected);
    expect(found.map(({ verdict }) => verdict)).toEqual(['too_close', 'too_few', 'up']);
    expect(found.map(({ is_better }) => is_better)).toEqual([null, null, false]);
  });

  test('verdict=true takes an average of zeros and ones for a rate, and judges no other average and no sum', async () => {
    const web = { filters: { ...march, repositories: ['acme/web'] } };
    const [rework] = await ask('rework-rate', { ...web, aggregation: 'AVG' });
    if (!rework) throw new Error('no result');
    expect(judgedAs(rework)).toEqual([60, 60, 'down', true]);
    const [low, high] = ratesAround(10 / 60, 60, 0.84);
    expect(rework.range?.[0]).toBeCloseTo(low, 9);
    expect(rework.range?.[1]).toBeCloseTo(high, 9);
    for (const aggregation of ['AVG', 'SUM', 'MIN', 'MAX']) {
      const [plain] = await ask('cycle-time', { ...web, aggregation });
      expect(plain).toMatchObject({
        n: 60,
        previous_n: 60,
        range: null,
        previous_range: null,
        verdict: null,
        is_better: null,
      });
    }
  });

  test('verdict=true takes a count for its own n, and compares months of unequal lengths by the day', async () => {
    const [web] = await ask('pull-requests-count', {
      filters: { ...march, repositories: ['acme/web'] },
      date_field: 'pr_merged_at',
    });
    // 60 in 31 days and 60 in 29 differ by 6 %, of which chance explains more.
    expect(web).toMatchObject({ value: 60, n: 60, previous_n: 60, change_percentage: 0, verdict: 'too_close' });
    const [low, high] = countsAround(60, 0.84);
    expect(web?.range?.[0]).toBeCloseTo(low, 9);
    expect(web?.range?.[1]).toBeCloseTo(high, 9);
    const [deployments] = await ask('deployment-frequency');
    expect(deployments).toMatchObject({ n: 12, previous_n: 0, verdict: 'up', is_better: true });
  });

  test('verdict=true judges each of several values of a metric, and n=true gives that n', async () => {
    const filters = { ...march, repositories: ['acme/web'] };
    const sizes = await ask('pull-requests-size', { filters, aggregation: 'MEDIAN' }, { showsN: true });
    expect(sizes.map((one) => [one.metric_name, ...judgedAs(one)])).toEqual(
      ['additions', 'deletions', 'total_changes'].map((part) => [
        `pull-requests-size.${part}`,
        60,
        60,
        'about_the_same',
        null,
      ]),
    );
    expect(sizes[0]?.range).toEqual(
      rangeOf(
        Array.from({ length: 60 }, (_, i) => 10 * i),
        0.5,
        0.84,
      ),
    );
    expect(sizes[2]?.range).toEqual(
      rangeOf(
        Array.from({ length: 60 }, (_, i) => 11 * i),
        0.5,
        0.84,
      ),
    );
  });

  test('verdict=true compares bucket with bucket, and says nothing of a bucket without a counterpart', async () => {
    const days = await ask('pull-requests-count', { date_level: 'day', date_field: 'pr_merged_at' });
    const of = (day: string) => days.find(({ group_by }) => group_by.day_date === day);
    expect(of('2024-03-01')).toMatchObject({ n: 8, previous_n: 5, verdict: 'too_few' });
    const months = await ask('cycle-time', {
      filters: { ...march, start_date: '2024-02-01' },
      date_level: 'month',
      aggregation: 'MEDIAN',
    });
    expect(months.map(judgedAs)).toEqual([
      [81, 0, 'no_comparison', null],
      [150, 0, 'no_comparison', null],
    ]);
    const week = {
      filters: { start_date: '2024-03-04', end_date: '2024-03-31' },
      aggregation: 'P90',
      date_level: 'week',
    };
    expect((await ask('cycle-time', week)).map(({ verdict }) => verdict)).not.toContain(null);
    const long = await ask('pull-requests-count', {
      date_level: 'day',
      date_field: 'pr_merged_at',
      filters: { start_date: '2024-02-01', end_date: '2024-02-29' },
    });
    expect(long.every(({ verdict }) => verdict === 'no_comparison')).toBe(true);
  });

  test('verdict=true compares nothing with what came before the history, and nothing that is not complete', async () => {
    const verdicts = async () => (await ask('deployment-frequency')).map(({ verdict }) => verdict);
    const { since, through } = extent;
    extent = { since: (since ?? 0) + 1, through, missing: [] };
    expect(await verdicts()).toEqual(['no_comparison']);
    // Whatever stopped three days ago is as complete as it gets, but a day ago more may still come.
    extent = { since, through: (through ?? 0) - 1, missing: [] };
    expect(await verdicts()).toEqual(['no_comparison']);
    extent = { since: undefined, through: undefined, missing: [] };
    expect(await verdicts()).toEqual(['no_comparison']);
    extent = { since, through, missing: [] };
    expect(await verdicts()).toEqual(['up']);
  });

  test('verdict=true is refused wherever nothing is compared with the period before', async () => {
    const on = { showsVerdict: true };
    const refused = (question: Promise<unknown>, why: RegExp) => expect(question).rejects.toThrow(why);
    const body = { filters: march, aggregation: 'AVG' };
    await refused(metrics.single(owner, 'cycle-time', body, on), /set include_previous_period to true/);
    const series = { ...body, time_series_data: true };
    await refused(metrics.single(owner, 'cycle-time', series, on), /include_previous_period/);
    const both = { ...body, time_series_data: true, include_previous_period: true };
    await refused(metrics.single(owner, 'cycle-time', both, on), /leave out time_series_data/);
    await refused(metrics.single(owner, 'date-details', { filters: march }, on), /Leave out verdict/);
    await refused(metrics.explain(owner, 'cycle-time', body, on), /judges no change/);
    const benchmark = { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters: march };
    await refused(metrics.benchmark(owner, benchmark, on), /Leave out verdict/);
  });

  test('verdict=true judges several metrics at once, but not what fell below its minimum', async () => {
    const body = {
      metrics: ['pull-requests-count', 'cycle-time', 'review-rate'],
      aggregations: { 'cycle-time': 'MEDIAN' },
      date_fields: { 'pull-requests-count': 'pr_merged_at', 'review-rate': 'pr_merged_at' },
      metric_min_values: { 'pull-requests-count': 1_000 },
      filters: { ...march, repositories: ['acme/web'] },
      include_previous_period: true,
    };
    const { answer } = await metrics.multiple(owner, body, { showsVerdict: true });
    const { results } = (answer as { document: ResultsAnswer }).document;
    expect(results.map((one) => [one.metric_name, (one as Result & JudgedFields).verdict])).toEqual([
      ['pull-requests-count', null],
      ['cycle-time', 'up'],
      ['review-rate', 'about_the_same'],
    ]);
  });
});
