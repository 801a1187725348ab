import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/access/principal.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies/directory-copies.ts';
import { aiCopilot } from '../../src/catalogue/tables/ai-copilot.ts';
import { pullRequestReviews } from '../../src/catalogue/tables/pull-request-reviews.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { Metrics } from '../../src/query/answer-metric.ts';
import type { BenchmarkAnswer, BenchmarkResult } from '../../src/query/benchmark.ts';
import { type QuestionPort, UnreadableTables } from '../../src/query/question-port.ts';
import { Refusal } from '../../src/refusal.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { fewRows, rowOf, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const day = Date.UTC(2024, 2, 5) / 1_000;
const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };

let place: SomeWarehouse;
/** Organisations with the cycle time that all their pull requests have. */
let others: { readonly id: string; readonly isOptedOut: boolean; readonly what?: string }[];
let own: string;
/** Organisations that were made so far, by what they have: tests that change none share them. */
const made = new Map<string, string[]>();
let unchangedOwn: string;
let metrics: Metrics;
let troubles: unknown[];

beforeAll(async () => {
  place = await someWarehouse(fewRows);
  unchangedOwn = await newOwn();
});
afterAll(() => place.close());
beforeEach(() => {
  own = unchangedOwn;
  others = [];
  troubles = [];
  metrics = metricsOf(place.warehouse);
});

/** An organisation of the test's own that asks. */
async function newOwn(): Promise<string> {
  own = randomUUID();
  await fill(own, 40, 600);
  return own;
}

const metricsOf = (tables: QuestionPort, directory = alwaysPublished): Metrics =>
  new Metrics({
    tables,
    directory,
    benchmarks: {
      organisations: async () => [own, ...others.filter(({ isOptedOut }) => !isOptedOut).map(({ id }) => id)],
      onError: (error) => troubles.push(error),
    },
    now: () => new Date('2024-04-15T00:00:00Z'),
  });

/** Tables of which those of one organisation cannot be asked. */
const failingFor = (failing: string | undefined, error: () => unknown): QuestionPort => ({
  ask: (id, work, options) => (id === failing ? Promise.reject(error()) : place.warehouse.ask(id, work, options)),
  answers: (...given) => place.warehouse.answers(...given),
  lines: (...given) => place.warehouse.lines(...given),
  explainSql: (...given) => place.warehouse.explainSql(...given),
  versionOf: (id) => place.warehouse.versionOf(id),
  changedAt: (id) => place.warehouse.changedAt(id),
});

/** As many pull requests of each of several repositories, all with the cycle time of theirs. */
async function fillEach(id: string, rows: number, cycleTimes: ReadonlyMap<string, number>): Promise<void> {
  const all = [...cycleTimes].flatMap(([repository, cycle_time]) =>
    Array.from({ length: rows }, (_, i) =>
      rowOf(pullRequests, { pr_id: `${repository}-${i}`, repository, pr_merged_at: day + i, cycle_time }),
    ),
  );
  await place.warehouse.change(id, (session) => putRows(session, pullRequests, all));
}

async function fill(id: string, rows: number, cycleTime: number, pickedUp = rows, bots = 0): Promise<void> {
  await place.warehouse.change(id, async (session) => {
    await putRows(
      session,
      peopleCopy,
      ['ann', 'bob'].map((person) =>
        rowOf(peopleCopy, { merged_user_id: person, onboarded: true, onboarded_by_name: false, is_bot: false }),
      ),
    );
    await putRows(
      session,
      pullRequests,
      Array.from({ length: rows }, (_, i) =>
        rowOf(pullRequests, {
          pr_id: `pr-${i}`,
          merged_user_id: i % 4 === 0 ? 'bob' : 'ann',
          actor: i % 4 === 0 ? 'bob' : 'ann',
          is_bot: i < bots,
          repository: i % 4 === 0 ? 'acme/quick' : 'acme/slow',
          pr_merged_at: day + i,
          cycle_time: i % 4 === 0 ? cycleTime / 2 : cycleTime,
          pickup_time: i < pickedUp ? 60 : null,
        }),
      ),
    );
  });
}

interface Other {
  readonly rows?: number;
  readonly isOptedOut?: boolean;
  readonly pickedUp?: number;
  readonly bots?: number;
  /** Whether the test changes it: then it is of its own. */
  readonly isChanged?: boolean;
}

async function other(
  cycleTime: number,
  { rows = 40, isOptedOut = false, pickedUp, bots, isChanged = false }: Other = {},
): Promise<string> {
  const what = JSON.stringify([cycleTime, rows, pickedUp, bots]);
  const known = isChanged ? [] : (made.get(what) ?? []);
  const before = known[others.filter((one) => one.what === what).length];
  const id = before ?? randomUUID();
  if (before === undefined) {
    // A quarter has half the time, so that the average is seven eighths.
    await fill(id, rows, (cycleTime * 8) / 7, pickedUp, bots);
    if (!isChanged) made.set(what, [...known, id]);
  }
  others.push(isChanged ? { id, isOptedOut } : { id, isOptedOut, what });
  return id;
}

const principal = (visibility: Principal['visibility'] = 'organisation'): Principal => ({
  organisationId: own,
  keyId: 'key',
  personId: 'ann',
  role: 'Owner',
  permissions: ['can-view-salaries'],
  visibility,
  timeZone: 'UTC',
  salaryVisibility: true,
});

async function compare(more: object = {}, who = principal()): Promise<BenchmarkAnswer> {
  const body = { filters, benchmark_metric: 'cycle-time', date_field: 'merged_at', ...more };
  const { answer } = await metrics.benchmark(who, body);
  if (answer.form !== 'document') throw new Error('not a document');
  return answer.document as BenchmarkAnswer;
}

/** Behind the three headers of the file. */
function flipped(bytes: Buffer): Buffer {
  const at = 3 * 4_096 + 100;
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(64, 0xa5), bytes.subarray(at + 64)]);
}

const resultOf = async (more: object = {}, who = principal()): Promise<BenchmarkResult | undefined> =>
  (await compare(more, who)).results[0];

describe('a benchmark', () => {
  test('tells the quartiles of the others and the place of the own value, which is not among them', async () => {
    for (const cycleTime of [100, 200, 525, 1_000, 123_456]) await other(cycleTime);
    expect(await compare()).toEqual({
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

  test('compares all organisations by the aggregation that is asked for, where the metric takes one', async () => {
    for (const cycleTime of [700, 1_400, 2_100, 2_800, 3_500]) await other(cycleTime);
    // Three quarters of the pull requests of an organisation take eight sevenths of its average.
    const median = await compare({ aggregation: 'median' });
    expect(median.results[0]).toMatchObject({ value: 600, benchmark_p25: 1_600, benchmark_p50: 2_400, percentile: 0 });
    expect(median.meta.aggregation).toBe('MEDIAN');
    // One asked before is kept: another aggregation is another question.
    expect((await compare()).results[0]).toMatchObject({ value: 525, benchmark_p50: 2_100 });
    const rate = await compare({ benchmark_metric: 'review-rate', aggregation: 'SUM' });
    expect(rate.meta.aggregation).toBeNull();
    await expect(compare({ aggregation: 'SUM' })).rejects.toThrow(
      "aggregation must be one of avg, median, p75, p90, p95, not 'SUM'.",
    );
  });

  test('interpolates, and rounds quartiles to three digits', async () => {
    for (const cycleTime of [1_000, 2_000, 3_333, 4_000, 5_000, 98_765]) await other(cycleTime);
    expect(await resultOf()).toMatchObject({
      benchmark_p25: 2_330,
      benchmark_p50: 3_670,
      benchmark_p75: 4_750,
      percentile: 0,
    });
  });

  test('says how many organisations it takes where there are fewer, and nothing of those that there are', async () => {
    for (const cycleTime of [100, 200, 300, 400]) await other(cycleTime);
    const nothing = {
      benchmark_p25: null,
      benchmark_p50: null,
      benchmark_p75: null,
      percentile: null,
      benchmark_value: null,
    };
    expect(await resultOf()).toMatchObject({ value: 525, ...nothing });
    expect((await compare()).meta).toMatchObject({ organisations: 4, organisations_needed: 5 });
  });

  test('tells the place of a value in steps of 5, halves up, and only over 30 own records', async () => {
    // Of eight others, each one that is lower is 12.5: 12.5 goes up to 15, 37.5 to 40, 62.5 to 65, 87.5 to 90.
    for (let i = 1; i <= 8; i += 1) await other(i * 1_400);
    own = randomUUID();
    const expected = [0, 15, 25, 40, 50, 65, 75, 90, 100];
    const timeOf = (lower: number) => lower * 1_400 + 700;
    const cycleTimes = expected.map((_, lower) => [`acme/${lower}`, timeOf(lower)] as const);
    await fillEach(own, 40, new Map([...cycleTimes, ['acme/equal', 4_200]]));
    const resultIn = (name: string) => resultOf({ filters: { ...filters, repositories: [`acme/${name}`] } });
    for (const [lower, percentile] of expected.entries()) {
      expect(await resultIn(`${lower}`)).toMatchObject({ value: timeOf(lower), percentile });
    }
    // Equal to one: that one counts half. (2 + ½) · 12.5 = 31.25.
    expect(await resultIn('equal')).toMatchObject({ value: 4_200, percentile: 30 });
    own = randomUUID();
    await fill(own, 29, (4_200 * 8) / 7);
    expect(await resultOf()).toMatchObject({ percentile: null, benchmark_p50: 6_300 });
    await fill(own, 30, (4_200 * 8) / 7);
    expect(typeof (await resultOf())?.percentile).toBe('number');
    expect((await compare()).meta.organisations).toBe(8);
  });

  test('rests on rows, not on how many different people or pull requests they are of', async () => {
    for (let i = 0; i < 4; i += 1) await other(100);
    const contributors = { benchmark_metric: 'contributors-count', date_field: 'merged_at' };
    expect(await resultOf(contributors)).toMatchObject({ value: 2, benchmark_p50: null });
    // Forty rows, of which eleven are of a bot: 29 of people are too few.
    const short = await other(100, { bots: 11, isChanged: true });
    expect(await compare(contributors)).toMatchObject({
      results: [{ benchmark_p50: null }],
      meta: { organisations: 4 },
    });
    await fill(short, 40, 100, 40, 10);
    expect(await compare(contributors)).toMatchObject({
      results: [{ value: 2, benchmark_p50: 2, percentile: 50 }],
      meta: { organisations: 5 },
    });
    // Bots are pull requests as well: of those there are enough either way.
    await fill(short, 40, 100, 40, 11);
    expect(await resultOf({ benchmark_metric: 'pull-requests-count', date_field: 'merged_at' })).toMatchObject({
      benchmark_p50: 40,
    });
  });

  test('of what is counted among rows is not left out for a small count', async () => {
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => other(100, { isChanged: true })));
    for (const id of [await newOwn(), ...five]) {
      await place.warehouse.change(id, async (session) => {
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
      expect(await resultOf({ benchmark_metric, date_field: 'reviewed_at' })).toMatchObject({
        value,
        benchmark_p50: value,
        percentile: 50,
      });
    }
    expect(await resultOf({ benchmark_metric: 'adopted-users', date_field: 'date' })).toMatchObject({
      value: 1,
      benchmark_p50: 1,
    });
  });

  test('takes a share of people from who has 30 of those that it divides by, however few it holds of', async () => {
    /** One of them has Copilot for 20 days, and some of the others opened a pull request. */
    const peopled = async (id: string, onboarded: number, active: number) => {
      const people = Array.from({ length: onboarded }, (_, i) => `p${i}`);
      await place.warehouse.change(id, async (session) => {
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
      others.push({ id: await peopled(randomUUID(), onboarded, active), isOptedOut: false });
    own = await peopled(randomUUID(), 200, 40);
    for (let i = 0; i < 4; i += 1) await join(200, 40);
    await join(29, 29);
    const adoption = { benchmark_metric: 'adoption-rate', date_field: 'date' };
    const aiAdoption = { benchmark_metric: 'ai-adoption-rate', date_field: 'date' };
    expect((await compare(adoption)).meta.organisations).toBe(4);
    expect((await compare(aiAdoption)).meta.organisations).toBe(4);
    await join(200, 29);
    expect(await compare(adoption)).toMatchObject({
      results: [{ value: 0.005, benchmark_p50: 0.005, percentile: 50 }],
      meta: { organisations: 5 },
    });
    expect((await compare(aiAdoption)).meta.organisations).toBe(4);
    await join(200, 30);
    expect(await compare(aiAdoption)).toMatchObject({
      results: [{ value: 1 / 40, benchmark_p50: 0.025, percentile: 40 }],
      meta: { organisations: 5 },
    });
  });

  test('leaves out who opted out, and who has fewer than 30 records', async () => {
    for (const cycleTime of [100, 200, 300, 400]) await other(cycleTime);
    await other(500, { isOptedOut: true });
    await other(600, { rows: 29 });
    expect(await resultOf()).toMatchObject({ benchmark_p50: null });
    await other(700, { rows: 30 });
    expect(await resultOf()).toMatchObject({ benchmark_p50: 300 });
  });

  test('takes a number only from who has 30 records that it is made of', async () => {
    for (const cycleTime of [100, 200, 300, 400]) await other(cycleTime);
    await other(500, { pickedUp: 29 });
    expect((await compare()).results).toMatchObject([
      { metric_name: 'cycle-time', benchmark_p50: 300 },
      { metric_name: 'pickup-time', benchmark_p50: null },
      { metric_name: 'review-time', benchmark_p50: null },
    ]);
  });

  test('narrows the own value by filters and by who asks, never the others', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500]) await other(cycleTime);
    const quick = { filters: { ...filters, repositories: ['quick'] } };
    // Ten records are too few to tell where they stand.
    expect(await resultOf(quick)).toMatchObject({ value: 300, benchmark_p50: 300, percentile: null });
    const bob = principal({ self: 'bob', teamIds: [], hasReports: false, leadsSquads: false });
    expect(await resultOf({}, bob)).toMatchObject({ value: 300, benchmark_p50: 300 });
  });

  test('is computed again when another organisation has new data', async () => {
    const ids: string[] = [];
    for (const cycleTime of [100, 200, 300, 400, 500])
      ids.push(await other(cycleTime, { isChanged: cycleTime === 300 }));
    await compare();
    const again = await metrics.benchmark(principal(), {
      filters,
      benchmark_metric: 'cycle-time',
      date_field: 'merged_at',
    });
    expect(again.isCached).toBe(true);
    await fill(ids[2] ?? '', 40, 8_000);
    expect(await resultOf()).toMatchObject({ benchmark_p50: 400 });
  });

  test('fails when it is stopped, too slow or overloaded, whichever organisation that happens with', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500]) await other(cycleTime);
    const failing = (error: () => unknown) => failingFor(others[2]?.id, error);
    for (const reason of ['too-slow', 'unavailable'] as const) {
      metrics = metricsOf(failing(() => new Refusal(reason, 'Not now.')));
      await expect(compare()).rejects.toMatchObject({ reason });
    }
    const controller = new AbortController();
    metrics = metricsOf(
      failing(() => {
        controller.abort(new Error('gone'));
        return new Error('stopped half way');
      }),
    );
    const body = { filters, benchmark_metric: 'cycle-time', date_field: 'merged_at' };
    await expect(metrics.benchmark(principal(), body, controller.signal)).rejects.toThrow('gone');
    expect(troubles).toEqual([]);
  });

  test('leaves out whose directory is not published yet, says so, and looks again the next time', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500, 60_000]) await other(cycleTime);
    const behind = new Set([others[5]?.id]);
    metrics = metricsOf(place.warehouse, { ...alwaysPublished, isPublished: async (id) => !behind.has(id) });
    expect(await compare()).toMatchObject({
      results: [{ benchmark_p50: 300 }, {}, {}],
      meta: { organisations: 5, organisations_unreadable: 1 },
    });
    expect(troubles).toEqual([]);

    behind.clear();
    const complete = await compare();
    expect(complete.results[0]).toMatchObject({ benchmark_p50: 350 });
    expect(complete.meta).not.toHaveProperty('organisations_unreadable');
  });

  test('leaves out whose tables a newer Plumb wrote', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500, 600]) await other(cycleTime);
    metrics = metricsOf(failingFor(others[5]?.id, () => new Refusal('conflict', 'The warehouse is too new.')));
    expect(await compare()).toMatchObject({
      results: [{ benchmark_p50: 300 }, {}, {}],
      meta: { organisations_unreadable: 1 },
    });
  });

  test('of a size is of all its changes, and any other metric answers alone', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500]) await other(cycleTime);
    const sizes = await compare({ benchmark_metric: 'pull-requests-size', date_field: 'pr_merged_at' });
    expect(sizes.results.map(({ metric_name, unit }) => [metric_name, unit])).toEqual([
      ['pull-requests-size', 'lines'],
    ]);
    const counts = await compare({ benchmark_metric: 'pull-requests-count', date_field: 'merged_at' });
    expect(counts.results).toMatchObject([{ metric_name: 'pull-requests-count', value: 40, benchmark_p50: 40 }]);
  });

  test.each(['salary', 'users-count', 'survey-recipients-count', 'ai-favourite-model', 'date-details'])(
    'cannot be asked of %s',
    async (name) => {
      await expect(compare({ benchmark_metric: name })).rejects.toThrow(`${name} cannot be benchmarked.`);
    },
  );
});

describe('a benchmark of organisations whose files are closed and opened again', () => {
  // In a place of its own, so that few of them have to be closed.
  let shared: SomeWarehouse;
  let six: typeof others;
  let closedOwn: string;
  beforeAll(async () => {
    shared = place;
    place = await someWarehouse(fewRows);
    closedOwn = await newOwn();
    others = [];
    for (const cycleTime of [100, 200, 300, 400, 500, 60_000]) await other(cycleTime, { isChanged: true });
    six = others;
  });
  afterAll(async () => {
    await place.close();
    place = shared;
  });
  beforeEach(() => {
    own = closedOwn;
    others = six;
  });

  test.each([
    ['in a few bytes of what says what is in it', flipped],
    ['altogether', () => Buffer.from('no tables at all')],
  ])('leaves out whose file is damaged %s, says so, and looks again the next time', async (_, damaged) => {
    const ids = others.map(({ id }) => id);
    const path = join(place.place, `${ids.at(-1)}.duckdb`);
    await place.warehouse.close();
    const whole = readFileSync(path);
    writeFileSync(path, damaged(whole));
    metrics = metricsOf(await place.reopen());

    const answer = await compare();
    expect(answer.results[0]).toMatchObject({ value: 525, benchmark_p50: 300, percentile: 100 });
    expect(answer.meta).toEqual({
      filters,
      date_range: filters,
      aggregation: 'AVG',
      organisations: 5,
      organisations_needed: 5,
      organisations_unreadable: 1,
    });
    expect(JSON.stringify(answer)).not.toContain(ids.at(-1));
    expect(troubles).toEqual([expect.any(UnreadableTables)]);

    writeFileSync(path, whole);
    const mended = await compare();
    expect(mended.results[0]).toMatchObject({ benchmark_p50: 350 });
    expect(mended.meta).not.toHaveProperty('organisations_unreadable');
  });
});
