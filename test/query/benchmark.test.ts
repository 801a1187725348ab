import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { aiCopilot } from '../../src/catalogue/tables/ai-copilot.ts';
import { pullRequestReviews } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { rowOf } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';
import { day, filters, SomeCohort } from './some-cohort.ts';

let cohort: SomeCohort;
beforeAll(async () => {
  cohort = await SomeCohort.open();
});
afterAll(() => cohort.place.close());
beforeEach(() => cohort.begin());

describe('a benchmark', () => {
  test('A benchmark tells the quartiles of the others and the place of the own value, which is not among them', async () => {
    for (const cycleTime of [100, 200, 525, 1_000, 123_456]) await cohort.other(cycleTime);
    expect(await cohort.compare()).toEqual({
      results: [
        {
          metric_name: 'cycle-time',
          value: 525,
          benchmark_p25: 200,
          benchmark_p50: 525,
          benchmark_p75: 1_000,
          // Two are lower and one is equal, of five.
          percentile: 50,
          benchmark_value: 525,
          unit: 'seconds',
        },
        expect.objectContaining({ metric_name: 'pickup-time', value: 60, benchmark_p50: 60, percentile: 50 }),
        expect.objectContaining({ metric_name: 'review-time', value: null, benchmark_p50: null, percentile: null }),
      ],
      meta: { filters, date_range: filters, aggregation: 'AVG', organisations: 5, organisations_needed: 5 },
    });
  });

  test('A benchmark compares all organisations by the aggregation that is asked for, where the metric takes one', async () => {
    for (const cycleTime of [700, 1_400, 2_100, 2_800, 3_500]) await cohort.other(cycleTime);
    // Three quarters of the pull requests of an organisation take eight sevenths of its average.
    const median = await cohort.compare({ aggregation: 'median' });
    expect(median.results[0]).toMatchObject({ value: 600, benchmark_p25: 1_600, benchmark_p50: 2_400, percentile: 0 });
    expect(median.meta.aggregation).toBe('MEDIAN');
    // One asked before is kept: another aggregation is another question.
    expect((await cohort.compare()).results[0]).toMatchObject({ value: 525, benchmark_p50: 2_100 });
    const rate = await cohort.compare({ benchmark_metric: 'review-rate', aggregation: 'SUM' });
    expect(rate.meta.aggregation).toBeNull();
    await expect(cohort.compare({ aggregation: 'SUM' })).rejects.toThrow(
      "aggregation must be one of avg, median, p75, p90, p95, not 'SUM'.",
    );
  });

  test('A benchmark interpolates, and rounds quartiles to three digits', async () => {
    for (const cycleTime of [1_000, 2_000, 3_333, 4_000, 5_000, 98_765]) await cohort.other(cycleTime);
    expect(await cohort.resultOf()).toMatchObject({
      benchmark_p25: 2_330,
      benchmark_p50: 3_670,
      benchmark_p75: 4_750,
      percentile: 0,
    });
  });

  test('A benchmark says how many organisations it takes where there are fewer, and nothing of those that there are', async () => {
    for (const cycleTime of [100, 200, 300, 400]) await cohort.other(cycleTime);
    const nothing = {
      benchmark_p25: null,
      benchmark_p50: null,
      benchmark_p75: null,
      percentile: null,
      benchmark_value: null,
    };
    expect(await cohort.resultOf()).toMatchObject({ value: 525, ...nothing });
    expect((await cohort.compare()).meta).toMatchObject({ organisations: 4, organisations_needed: 5 });
  });

  test('A benchmark tells the place of a value in steps of 5, halves up, and only over 30 own records', async () => {
    // Of eight others, each one that is lower is 12.5: 12.5 goes up to 15, 37.5 to 40, 62.5 to 65, 87.5 to 90.
    for (let i = 1; i <= 8; i += 1) await cohort.other(i * 1_400);
    cohort.own = randomUUID();
    const expected = [0, 15, 25, 40, 50, 65, 75, 90, 100];
    const timeOf = (lower: number) => lower * 1_400 + 700;
    const cycleTimes = expected.map((_, lower) => [`acme/${lower}`, timeOf(lower)] as const);
    await cohort.fillEach(cohort.own, 40, new Map([...cycleTimes, ['acme/equal', 4_200]]));
    const resultIn = (name: string) => cohort.resultOf({ filters: { ...filters, repositories: [`acme/${name}`] } });
    for (const [lower, percentile] of expected.entries()) {
      expect(await resultIn(`${lower}`)).toMatchObject({ value: timeOf(lower), percentile });
    }
    // Equal to one: that one counts half. (2 + ½) · 12.5 = 31.25.
    expect(await resultIn('equal')).toMatchObject({ value: 4_200, percentile: 30 });
    cohort.own = randomUUID();
    await cohort.fill(cohort.own, 29, (4_200 * 8) / 7);
    expect(await cohort.resultOf()).toMatchObject({ percentile: null, benchmark_p50: 6_300 });
    await cohort.fill(cohort.own, 30, (4_200 * 8) / 7);
    expect(typeof (await cohort.resultOf())?.percentile).toBe('number');
    expect((await cohort.compare()).meta.organisations).toBe(8);
  });

  test('A benchmark rests on rows, not on how many different people or pull requests they are of', async () => {
    for (let i = 0; i < 4; i += 1) await cohort.other(100);
    const contributors = { benchmark_metric: 'contributors-count', date_field: 'merged_at' };
    expect(await cohort.resultOf(contributors)).toMatchObject({ value: 2, benchmark_p50: null });
    // Forty rows, of which eleven are of a bot: 29 of people are too few.
    const short = await cohort.other(100, { bots: 11, isChanged: true });
    expect(await cohort.compare(contributors)).toMatchObject({
      results: [{ benchmark_p50: null }],
      meta: { organisations: 4 },
    });
    await cohort.fill(short, 40, 100, 40, 10);
    expect(await cohort.compare(contributors)).toMatchObject({
      results: [{ value: 2, benchmark_p50: 2, percentile: 50 }],
      meta: { organisations: 5 },
    });
    // Bots are pull requests as well: of those there are enough either way.
    await cohort.fill(short, 40, 100, 40, 11);
    expect(await cohort.resultOf({ benchmark_metric: 'pull-requests-count', date_field: 'merged_at' })).toMatchObject({
      benchmark_p50: 40,
    });
  });

  test('A benchmark of what is counted among rows is not left out for a small count', async () => {
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => cohort.other(100, { isChanged: true })));
    for (const id of [await cohort.newOwn(), ...five]) {
      await cohort.place.warehouse.change(id, async (session) => {
        // Forty reviews of four pull requests by two people, one of which is of the author.
        await putRows(
          session,
          pullRequestReviews,
          Array.from({ length: 40 }, (_, i) =>
            rowOf(pullRequestReviews, {
              pr_review_id: `r${i}`,
              pr_id: `pr-${i % 4}`,
              merged_user_id: i % 2 === 0 ? 'ann' : 'bob',
              actor: i % 2 === 0 ? 'ann' : 'bob',
              is_bot: false,
              is_review: i > 0,
              reviewed_at: day + i,
            }),
          ),
        );
        await putRows(
          session,
          aiCopilot,
          Array.from({ length: 30 }, (_, i) =>
            rowOf(aiCopilot, {
              named_as: `x${i}`,
              source: 'cursor',
              date: '2024-03-05',
              merged_user_id: 'ann',
              actor: 'ann',
              is_bot: false,
              is_active: true,
            }),
          ),
        );
      });
    }
    for (const [benchmark_metric, value] of [
      ['reviews-count', 4],
      ['active-reviewers', 2],
    ] as const) {
      expect(await cohort.resultOf({ benchmark_metric, date_field: 'reviewed_at' })).toMatchObject({
        value,
        benchmark_p50: value,
        percentile: 50,
      });
    }
    expect(await cohort.resultOf({ benchmark_metric: 'adopted-users', date_field: 'date' })).toMatchObject({
      value: 1,
      benchmark_p50: 1,
    });
  });

  test('A benchmark takes a share of people from who has 30 of those that it divides by, however few it holds of', async () => {
    /** One of them has Copilot for 20 days, and some of the others opened a pull request. */
    const peopled = async (id: string, onboarded: number, active: number) => {
      const people = Array.from({ length: onboarded }, (_, i) => `p${i}`);
      await cohort.place.warehouse.change(id, async (session) => {
        await putRows(
          session,
          peopleCopy,
          people.map((person) =>
            rowOf(peopleCopy, { merged_user_id: person, onboarded: true, onboarded_by_name: false, is_bot: false }),
          ),
        );
        await putRows(
          session,
          pullRequests,
          people.slice(0, active).map((person) =>
            rowOf(pullRequests, {
              pr_id: `of ${person}`,
              merged_user_id: person,
              actor: person,
              is_bot: false,
              pr_created_at: day,
            }),
          ),
        );
        const seat = { named_as: 'p0', source: 'copilot', merged_user_id: 'p0', actor: 'p0', is_bot: false };
        await putRows(
          session,
          aiCopilot,
          Array.from({ length: 20 }, (_, i) =>
            rowOf(aiCopilot, { ...seat, date: `2024-03-${String(i + 1).padStart(2, '0')}`, is_active: true }),
          ),
        );
      });
      return id;
    };
    const join = async (onboarded: number, active: number) =>
      cohort.others.push({ id: await peopled(randomUUID(), onboarded, active), isOptedOut: false });
    cohort.own = await peopled(randomUUID(), 200, 40);
    for (let i = 0; i < 4; i += 1) await join(200, 40);
    await join(29, 29);
    const adoption = { benchmark_metric: 'adoption-rate', date_field: 'date' };
    const aiAdoption = { benchmark_metric: 'ai-adoption-rate', date_field: 'date' };
    expect((await cohort.compare(adoption)).meta.organisations).toBe(4);
    expect((await cohort.compare(aiAdoption)).meta.organisations).toBe(4);
    await join(200, 29);
    expect(await cohort.compare(adoption)).toMatchObject({
      results: [{ value: 0.005, benchmark_p50: 0.005, percentile: 50 }],
      meta: { organisations: 5 },
    });
    expect((await cohort.compare(aiAdoption)).meta.organisations).toBe(4);
    await join(200, 30);
    expect(await cohort.compare(aiAdoption)).toMatchObject({
      results: [{ value: 1 / 40, benchmark_p50: 0.025, percentile: 40 }],
      meta: { organisations: 5 },
    });
  });

  test('A benchmark leaves out who opted out, and who has fewer than 30 records', async () => {
    for (const cycleTime of [100, 200, 300, 400]) await cohort.other(cycleTime);
    await cohort.other(500, { isOptedOut: true });
    await cohort.other(600, { rows: 29 });
    expect(await cohort.resultOf()).toMatchObject({ benchmark_p50: null });
    await cohort.other(700, { rows: 30 });
    expect(await cohort.resultOf()).toMatchObject({ benchmark_p50: 300 });
  });

  test('A benchmark takes a number only from who has 30 records that it is made of', async () => {
    for (const cycleTime of [100, 200, 300, 400]) await cohort.other(cycleTime);
    await cohort.other(500, { pickedUp: 29 });
    expect((await cohort.compare()).results).toMatchObject([
      { metric_name: 'cycle-time', benchmark_p50: 300 },
      { metric_name: 'pickup-time', benchmark_p50: null },
      { metric_name: 'review-time', benchmark_p50: null },
    ]);
  });

  test('A benchmark narrows the own value by filters and by who asks, never the others', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500]) await cohort.other(cycleTime);
    const quick = { filters: { ...filters, repositories: ['quick'] } };
    // Ten records are too few to tell where they stand.
    expect(await cohort.resultOf(quick)).toMatchObject({ value: 300, benchmark_p50: 300, percentile: null });
    const bob = cohort.principal({ self: 'bob', teamIds: [], hasReports: false, leadsSquads: false });
    expect(await cohort.resultOf({}, bob)).toMatchObject({ value: 300, benchmark_p50: 300 });
  });

  test('A benchmark is computed again when another organisation has new data', async () => {
    const ids: string[] = [];
    for (const cycleTime of [100, 200, 300, 400, 500])
      ids.push(await cohort.other(cycleTime, { isChanged: cycleTime === 300 }));
    await cohort.compare();
    const again = await cohort.metrics.benchmark(cohort.principal(), {
      filters,
      benchmark_metric: 'cycle-time',
      date_field: 'merged_at',
    });
    expect(again.isCached).toBe(true);
    await cohort.fill(ids[2] ?? '', 40, 8_000);
    expect(await cohort.resultOf()).toMatchObject({ benchmark_p50: 400 });
  });

  test('A benchmark of a size is of all its changes, and any other metric answers alone', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500]) await cohort.other(cycleTime);
    const sizes = await cohort.compare({ benchmark_metric: 'pull-requests-size', date_field: 'pr_merged_at' });
    expect(sizes.results.map(({ metric_name, unit }) => [metric_name, unit])).toEqual([
      ['pull-requests-size', 'lines'],
    ]);
    const counts = await cohort.compare({ benchmark_metric: 'pull-requests-count', date_field: 'merged_at' });
    expect(counts.results).toMatchObject([{ metric_name: 'pull-requests-count', value: 40, benchmark_p50: 40 }]);
  });

  test.each(['salary', 'users-count', 'survey-recipients-count', 'ai-favourite-model', 'date-details'])(
    'A benchmark cannot be asked of %s',
    async (name) => {
      await expect(cohort.compare({ benchmark_metric: name })).rejects.toThrow(`${name} cannot be benchmarked.`);
    },
  );
});
