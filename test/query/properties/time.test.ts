import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Metric } from '../../../src/catalogue/metric.ts';
import { addDays, bucketOf, bucketsOf, dayAt, daysFrom, type Level, shownAt } from '../../reference/calendar.ts';
import type { QuestionBody } from '../../reference/question.ts';
import { times } from '../../setup/how-long.ts';
import { askedWorld } from '../asked-world.ts';
import { type AskedRequest, singleRequests } from '../random-request.ts';
import { firstDay, lastDay } from '../random-values.ts';
import { allMetrics, seed, seededWorld } from '../seeded-worlds.ts';

const { world, name } = seededWorld(5);
type BucketRows = Readonly<Record<string, string | number | null>>[];

interface Days {
  readonly start_date: string;
  readonly end_date: string;
}

/** As many months where the window has only whole ones, else as many days. */
function expectAsLong(then: Days, now: Days): void {
  const isOfMonths = now.start_date.endsWith('-01') && addDays(now.end_date, 1).endsWith('-01');
  const months = ({ start_date, end_date }: Days) => bucketsOf('month', start_date, end_date).length;
  if (isOfMonths) expect([then.start_date.slice(8), months(then)]).toEqual(['01', months(now)]);
  else expect(daysFrom(then.start_date, then.end_date)).toBe(daysFrom(now.start_date, now.end_date));
}

describe(`time, in ${name}`, () => {
  const asked = askedWorld(world);

  const rowsOf = async ({ seeing, metric, body }: AskedRequest): Promise<BucketRows> =>
    JSON.parse((await asked().ask(seeing, 'get-multiple-metrics', asMultiple(metric, body))).text);

  /** What is counted once for each row is counted once in all buckets together. */
  const countsRows = (metric: Metric): boolean =>
    metric.kind === 'count' &&
    metric.dates.length > 0 &&
    (metric.value.op === 'count' ||
      (metric.value.op === 'countDistinct' &&
        metric.value.value.op === 'column' &&
        metric.table.key[0] === metric.value.value.name));

  const levels: readonly Level[] = ['day', 'week', 'month', 'quarter', 'year'];

  test('Buckets of a window have everything in it once, and nothing besides', async () => {
    const counts = fc.constantFrom(...allMetrics.filter(countsRows));
    await fc.assert(
      fc.asyncProperty(counts.chain(singleRequests), fc.constantFrom(...levels), async (request, level) => {
        const body = withoutForm(request.body);
        const [whole, apart] = await Promise.all([
          rowsOf({ ...request, body }),
          rowsOf({ ...request, body: { ...body, date_level: level } }),
        ]);
        const column = Object.keys(whole[0] ?? apart[0] ?? {}).at(-1) ?? '';
        const sum = (rows: BucketRows) => rows.reduce((total, row) => total + Number(row[column]), 0);
        expect(sum(apart)).toBe(sum(whole));
        const [start, end] = [firstDayOf(body, -1), lastDayOf(body, 1)];
        for (const row of apart) {
          const bucket = String(row[`${level}_date`]);
          expect(bucket >= bucketOf(level, start) && bucket <= end).toBe(true);
          expect(bucketOf(level, bucket)).toBe(bucket);
        }
      }),
      { seed, numRuns: times(8, 1_200) },
    );
  });

  test('Two windows that touch have everything once, what happens on the stroke of midnight too', async () => {
    const touching = allMetrics.filter((metric) => countsRows(metric) && metric.table.name in world.facts);
    let tried = 0;
    for (const { name: metric, table, dates } of touching) {
      const [column = ''] = dates;
      const midnight = world.facts[table.name as keyof typeof world.facts]
        .map((row) => row[column])
        .find((at) => typeof at === 'number' && shownAt(world.timeZone, at).endsWith('T00:00:00'));
      if (midnight === undefined) continue;
      tried += 1;
      const day = dayAt(world.timeZone, Number(midnight));
      const counted = async (start_date: string, end_date: string) => {
        const rows = await rowsOf({ seeing: 'organisation', metric, body: { filters: { start_date, end_date } } });
        return rows.reduce((sum, row) => sum + Number(Object.values(row).at(-1)), 0);
      };
      const [begin, end] = [addDays(firstDay, -2), addDays(lastDay, 2)];
      const [before, after] = [await counted(begin, addDays(day, -1)), await counted(day, end)];
      expect(before + after, metric).toBe(await counted(begin, end));
    }
    expect(tried).toBeGreaterThan(3);
  });

  test('A day of a window has the value of a window of that day', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...allMetrics.filter(({ dates }) => dates.length > 0)).chain(singleRequests),
        async (request) => {
          const body = withoutForm(request.body);
          const end = dayOf(body.filters?.start_date, 6);
          const filters = { ...body.filters, start_date: dayOf(body.filters?.start_date, 0), end_date: end };
          const days = await rowsOf({ ...request, body: { ...body, filters, date_level: 'day' } });
          for (let day = filters.start_date; day <= end; day = addDays(day, 1)) {
            const alone = { ...body, filters: { ...filters, start_date: day, end_date: day }, date_level: 'day' };
            expect(await rowsOf({ ...request, body: alone })).toEqual(days.filter((row) => row.day_date === day));
          }
        },
      ),
      { seed, numRuns: times(2, 240) },
    );
  });

  test('The previous period ends the day before, has as many months or days, and its value is that of a window of those days', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...allMetrics.filter(({ dates, kind }) => dates.length > 0 && kind !== 'text'))
          .chain(singleRequests),
        async ({ seeing, metric, body: given }) => {
          const body = withoutForm({ ...given, group_by: [] });
          const filters = {
            ...body.filters,
            start_date: dayOf(body.filters?.start_date, 0),
            end_date: dayOf(body.filters?.end_date, 0),
          };
          const compared = { ...body, filters, include_previous_period: true };
          const { results, meta } = JSON.parse((await asked().ask(seeing, metric, compared)).text);
          const { start_date, end_date } = meta.previous_date_range;
          expect(addDays(end_date, 1)).toBe(filters.start_date);
          expectAsLong({ start_date, end_date }, filters);
          const before = await rowsOf({
            seeing,
            metric,
            body: { ...body, filters: { ...filters, start_date, end_date } },
          });
          // Only one that is always grouped has several, and then they stand by their hours.
          if (results.length !== 1 || before.length !== 1) return;
          expect(results[0].previous_value).toBe(Object.values(before[0] ?? {}).at(-1));
        },
      ),
      { seed, numRuns: times(6, 800) },
    );
  });

  test('The previous period of instants is as many seconds that end with them, and as many whole days where there are only days', async () => {
    // Half of them know only days, however few those tables are.
    const [ofDays, ofInstants] = [true, false].map((wanted) =>
      allMetrics.filter((one) => one.dates.length > 0 && one.kind !== 'text' && isOfDays(one) === wanted),
    );
    const some = fc.oneof(fc.constantFrom(...(ofDays ?? [])), fc.constantFrom(...(ofInstants ?? [])));
    const seconds = fc.integer({ min: 0, max: 86_399 });
    await fc.assert(
      fc.asyncProperty(some.chain(singleRequests), seconds, seconds, async (request, after, more) => {
        const { seeing, metric, body: given } = request;
        const { date_field: _, ...body } = withoutForm({ ...given, group_by: [] });
        const from = Date.parse(dayOf(body.filters?.start_date, 0)) / 1_000 + after;
        const until = Math.max(from + 1, Date.parse(dayOf(body.filters?.end_date, 0)) / 1_000 + more);
        const instants = (first: number, end: number) => ({
          start_date: instant(first),
          end_date: instant(end - 1),
        });
        const filters = { ...body.filters, ...instants(from, until) };
        const compared = { ...body, filters, include_previous_period: true };
        const { results, meta } = JSON.parse((await asked().ask(seeing, metric, compared)).text);
        const isDays = ofDays?.some(({ name: one }) => one === metric);
        if (isDays) {
          const { date_range: now, previous_date_range: then } = meta;
          expect(addDays(then.end_date, 1)).toBe(now.start_date);
          expectAsLong(then, now);
        }
        const window = isDays ? meta.previous_date_range : instants(from - (until - from), from);
        const before = await rowsOf({ seeing, metric, body: { ...body, filters: { ...filters, ...window } } });
        if (results.length !== 1 || before.length !== 1) return;
        expect(results[0].previous_value).toBe(Object.values(before[0] ?? {}).at(-1));
      }),
      { seed, numRuns: times(6, 800) },
    );
  });
});

const instant = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const isOfDays = ({ table, dates }: Metric): boolean => table.columns[dates[0] ?? '']?.type === 'date';

/** Asked through the operation that has no limit on rows. */
function asMultiple(metric: string, body: QuestionBody): QuestionBody {
  const { aggregation, date_field, filters, group_by = [], date_level } = body;
  return {
    metrics: [metric],
    ...(filters ? { filters } : {}),
    group_by,
    ...(date_level ? { date_level } : {}),
    ...(aggregation ? { aggregations: { [metric]: aggregation } } : {}),
    ...(date_field ? { date_fields: { [metric]: date_field } } : {}),
  };
}

/** The question alone: how its answer looks, and what of it, left aside. */
function withoutForm(body: QuestionBody): QuestionBody {
  const {
    time_series_data: _chart,
    include_previous_period: _previous,
    date_level: _level,
    limit: _limit,
    metric_min_value: _least,
    order_by: _order,
    order_direction: _direction,
    ...rest
  } = body;
  return rest;
}

/** Where instants are given, which day they are on is another question: then a day more is allowed for. */
const firstDayOf = ({ filters }: QuestionBody, spare: number): string => {
  const written = String(filters?.start_date);
  return dayOf(written, written.length === 10 ? 0 : spare);
};
const lastDayOf = ({ filters }: QuestionBody, spare: number): string => {
  const written = String(filters?.end_date);
  return dayOf(written, written.length === 10 ? 0 : spare);
};

const dayOf = (written: unknown, days: number): string => addDays(String(written).slice(0, 10), days);
