import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Metric } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { Goal } from '../../src/goals/goal.ts';
import { historyOfGoal } from '../../src/goals/goal-history.ts';
import { refusedFilters, whyNoGoal } from '../../src/goals/goal-question.ts';
import { principalOf, putWorld } from '../query/asked-world.ts';
import { singleRequests, visibilities } from '../query/random-request.ts';
import { teamIds } from '../query/random-world.ts';
import { seed, seededWorld } from '../query/seeded-worlds.ts';
import type { Seeing, World } from '../reference/world.ts';
import { times } from '../setup/how-long.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { goalInTheModel } from './goal-model.ts';

/** Clocks on both sides of Greenwich, with and without summer time. */
const worlds = [81, 82, 83].map((number) => seededWorld(number).world);
const goalMetrics = [...metrics.values()].filter((metric) => whyNoGoal(metric) === undefined);

let some: SomeWarehouse;
const organisationIds: string[] = [];
beforeAll(async () => {
  some = await someWarehouse(fewRows);
  for (const world of worlds) organisationIds.push((await putWorld(some.warehouse, world)).organisationId);
});
afterAll(() => some.close());

interface Case {
  /** Which of the worlds. */
  readonly at: number;
  readonly now: Date;
  readonly seeing: Seeing;
  readonly goal: Goal;
  readonly known: { readonly since?: number; readonly through?: number };
  readonly count: number;
}

const moments = fc
  .integer({ min: Date.parse('2023-11-20T00:00:00Z') / 1_000, max: Date.parse('2024-04-20T00:00:00Z') / 1_000 })
  .map((seconds) => new Date(seconds * 1_000));
const days = fc
  .integer({ min: Date.parse('2023-09-20') / 86_400_000, max: Date.parse('2024-06-30') / 86_400_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

/** Teams are what most goals are about; values are about as large as some that there are. */
const goals: fc.Arbitrary<Goal> = fc.constantFrom(...goalMetrics).chain((metric: Metric) =>
  fc.record({
    goal: fc.constant('some-goal'),
    title: fc.constant('Some goal'),
    metric: fc.constant(metric.name),
    aggregation: metric.kind === 'aggregated' ? fc.constantFrom('MEDIAN', 'SUM', 'P90', 'AVG') : fc.constant(null),
    filters: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 4, arbitrary: fc.subarray([...teamIds], { minLength: 1 }).map((team) => ({ team })) },
      {
        weight: 2,
        arbitrary: singleRequests(metric).map(({ body }) =>
          Object.fromEntries(
            Object.entries(body.filters ?? {}).filter(
              ([name]) => ![...refusedFilters, 'start_date', 'end_date'].includes(name),
            ),
          ),
        ),
      },
    ),
    should_be: fc.constantFrom('below' as const, 'above' as const),
    value: fc.oneof(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 200_000 }),
      fc.constantFrom(0.1, 0.5, 0.75, 1),
    ),
    period: fc.constantFrom('week' as const, 'week' as const, 'month' as const, 'quarter' as const),
    from: days,
    until: fc.option(days, { freq: 4 }),
  }),
);

const histories: fc.Arbitrary<Case> = fc
  .record({
    at: fc.nat({ max: worlds.length - 1 }),
    now: moments,
    seeing: visibilities,
    goal: goals,
    // Data that is hours late, days late, or ended long ago; and a history that begins late, or not at all.
    late: fc.constantFrom(600, 7_200, 86_400, 4 * 86_400, 30 * 86_400, undefined),
    since: fc.constantFrom('2023-10-20', '2023-10-20', '2023-12-13', '2024-02-01'),
    count: fc.constantFrom(1, 3, 26, 104),
  })
  .map(({ now, late, since, ...rest }) => ({
    ...rest,
    now,
    known: late === undefined ? {} : { since: Date.parse(since) / 1_000, through: now.getTime() / 1_000 - late },
  }));

test('Goals are what a plain look at each of their periods finds, for whoever looks', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(histories, async ({ at, now: moment, seeing, goal, known, count }) => {
      const world = { ...(worlds[at] as World), now: moment };
      const principal = principalOf(organisationIds[at] ?? '', seeing, world.timeZone);
      const extent = { since: undefined, through: undefined, ...known, missing: [] };
      const now = () => world.now;
      const parts = { metrics: metricsOver(some.warehouse, now, { of: async () => extent, known: () => extent }), now };
      const { state, periods } = await historyOfGoal(parts, principal, goal, { periods: count });
      const shown = periods.map(({ firstDay, lastDay, ...rest }) => ({ start: firstDay, end: lastDay, ...rest }));
      const expected = goalInTheModel(world, seeing, goal, known, count);
      expect({ state, periods: shown.map(rounded) }).toEqual({ ...expected, periods: expected.periods.map(rounded) });
      for (const one of [`goal ${state}`, ...new Set(periods.map((period) => period.state))])
        seen.set(one, (seen.get(one) ?? 0) + 1);
    }),
    { numRuns: times(200, 5_000), seed },
  );
  // The states were all there, those of rarer courses aside.
  const states = ['met', 'missed', 'too_few', 'no_data', 'incomplete', 'limited'];
  const ofGoals = ['met', 'missed', 'too_few', 'no_data', 'limited', 'off_track', 'too_early'];
  const wanted = [...states, ...ofGoals.map((state) => `goal ${state}`)];
  expect(wanted.filter((state) => !seen.has(state))).toEqual([]);
});

test('Who sees every person does not see what nobody known did, unless the goal is about people alone', async () => {
  const [some0] = worlds;
  if (!some0) throw new Error('there is a world');
  const world: World = {
    ...some0,
    now: new Date('2024-04-12T00:00:00Z'),
    teamMembers: some0.people.map(({ merged_user_id }) => ({ team_id: 't1', merged_user_id })),
  };
  const { organisationId } = await putWorld(some.warehouse, world);
  const known = { since: Date.parse('2023-10-20') / 1_000, through: world.now.getTime() / 1_000 };
  const extent = { ...known, missing: [] };
  const now = () => world.now;
  const parts = { metrics: metricsOver(some.warehouse, now, { of: async () => extent, known: () => extent }), now };
  const of = async (teamIdsSeen: readonly string[], filters: Goal['filters']) => {
    const seeing = { self: 'nobody', teamIds: teamIdsSeen, hasReports: false, leadsSquads: false };
    const goal: Goal = {
      goal: 'all',
      title: 'All',
      metric: 'pull-requests-count',
      aggregation: null,
      filters,
      should_be: 'above',
      value: 0,
      period: 'month',
      from: '2024-01-01',
      until: null,
    };
    const principal = principalOf(organisationId, seeing, world.timeZone);
    const { state, periods } = await historyOfGoal(parts, principal, goal, { periods: 6 });
    expect(periods.map(({ value }) => value)).toEqual(
      goalInTheModel(world, seeing, goal, known, 6).periods.map(({ value }) => value),
    );
    return state;
  };
  expect(await of(['t1'], {})).toBe('limited');
  expect(await of(['t1'], { team: [] })).toBe('limited');
  expect(await of(['t1'], { repositories: ['acme/web'] })).toBe('limited');
  expect(await of(['t1'], { team: ['t1'] })).toBe('met');
  expect(await of(['t2'], { team: ['t1'] })).toBe('limited');
});

/** Averages may be added up in another order. */
const rounded = <P extends { readonly value: number | null }>(period: P): P => ({
  ...period,
  value: period.value === null ? null : Number(period.value.toPrecision(9)),
});
