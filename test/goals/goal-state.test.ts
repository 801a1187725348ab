import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Goal } from '../../src/goals/goal.ts';
import type { GoalLevel, GoalPeriod, PeriodState } from '../../src/goals/goal-periods.ts';
import { stateOfGoal } from '../../src/goals/goal-state.ts';
import { addDays, bucketOf } from '../reference/calendar.ts';
import { times } from '../setup/how-long.ts';
import { seed } from '../setup/seed.ts';
import { stateInTheModel } from './goal-model.ts';

const goal: Goal = {
  goal: 'pickup-under-a-day',
  title: 'First review within a day',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  filters: {},
  should_be: 'below',
  value: 10,
  period: 'week',
  from: '2026-01-05',
  until: null,
};

/** Periods that follow one another from the day on which the goal begins. A letter stands for a period that says nothing. */
function periodsOf(
  { should_be, value: target, from, period: level }: Goal,
  values: readonly (number | PeriodState)[],
): GoalPeriod[] {
  let start = bucketOf(level, from);
  return values.map((one) => {
    const firstDay = start;
    let next = addDays(firstDay, 1);
    while (bucketOf(level, next) === firstDay) next = addDays(next, 1);
    start = next;
    const lastDay = addDays(next, -1);
    if (typeof one === 'string') return { firstDay, lastDay, value: null, n: 0, state: one };
    const isMet = should_be === 'below' ? one <= target : one >= target;
    return { firstDay, lastDay, value: one, n: 9, state: isMet ? 'met' : 'missed' };
  });
}
const stateOf = (values: readonly (number | PeriodState)[], more: Partial<Goal> = {}) => {
  const one = { ...goal, ...more };
  return stateOfGoal(one, periodsOf(one, values));
};

test('A goal has the state of its last period with enough values, which is at most the fourth from the end', () => {
  expect(stateOf([])).toBe('no_data');
  expect(stateOf([12, 10])).toBe('met');
  expect(stateOf([9, 10.5])).toBe('missed');
  expect(stateOf([9, 12, 'too_few', 'no_data', 'incomplete'])).toBe('missed');
  expect(stateOf([12, 9, 'too_few', 'no_data', 'incomplete', 'too_few'])).toBe('no_data');
  expect(stateOf([12], { should_be: 'above' })).toBe('met');
});

test('A missed goal with a day to be met by is judged by the line through its periods since it began', () => {
  // Five weeks from Monday the 5th of January end on the 8th of February; by the 1st of March three more have.
  const until = '2026-03-01';
  expect(stateOf([20, 18, 16, 14, 12], { until })).toBe('on_track');
  // By the 1st of March the line is at 12, which misses 10 by a fifth of the way from 20.
  const slow = { until, value: 10 };
  expect(stateOf([20, 20 - 8 / 7, 20 - 16 / 7, 20 - 24 / 7, 20 - 32 / 7], slow)).toBe('at_risk');
  const steps = [0, 1, 2, 3, 4];
  const fallingTo = (last: number) => steps.map((step) => 20 - (step * (20 - last)) / 7);
  expect(stateOf(fallingTo(12.1), slow)).toBe('off_track');
  expect(stateOf(fallingTo(10), slow)).toBe('on_track');
  expect(stateOf(fallingTo(10.1), slow)).toBe('at_risk');
  expect(stateOf([12, 13, 14], { until })).toBe('off_track');
  expect(stateOf([10, 14, 9, 8, 10.5], { until })).toBe('off_track');
  expect(stateOf([20, 18], { until })).toBe('too_early');
  expect(stateOf([20, 9], { until })).toBe('met');
  // Earlier periods say nothing of a goal that had not begun.
  expect(stateOf([20, 18, 16, 14, 12], { until, from: '2026-01-06' })).toBe('on_track');
  const late = periodsOf(goal, [20, 18, 16, 14, 12]);
  expect(stateOfGoal({ ...goal, until, from: '2026-01-27' }, late)).toBe('too_early');
  // Once the day is over, a missed goal is missed.
  expect(stateOf([20, 18, 16, 14, 12], { until: '2026-02-08' })).toBe('missed');
});

const said = fc.oneof(
  { weight: 12, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
  { weight: 3, arbitrary: fc.constantFrom<PeriodState>('too_few', 'no_data', 'incomplete') },
);

test('The state of a goal is that of a plain model, whatever course its values take', () => {
  const seen = new Set<string>();
  const course = fc.record({
    noise: fc.array(said, { maxLength: 40 }),
    amount: fc.constantFrom(0, 0.5, 4),
    slope: fc.constantFrom(-1, -0.5, -0.2, 0, 0.2, 1),
    value: fc.integer({ min: -10, max: 30 }),
    should_be: fc.constantFrom('below' as const, 'above' as const),
    period: fc.constantFrom<GoalLevel>('week', 'month', 'quarter'),
    until: fc.option(fc.integer({ min: 0, max: 600 }), { freq: 6 }),
    later: fc.nat({ max: 60 }),
  });
  fc.assert(
    fc.property(course, ({ noise, amount, slope, value, should_be, period, until, later }) => {
      const one = { ...goal, value, should_be, period, until: until === null ? null : addDays(goal.from, until) };
      const values = noise.map((more, at) => (typeof more === 'string' ? more : 15 + slope * at + amount * more));
      const periods = periodsOf(one, values);
      // The history reaches further back than the goal.
      const judged = { ...one, from: addDays(goal.from, later) };
      const shown = periods.map(({ firstDay, lastDay, ...rest }) => ({ start: firstDay, end: lastDay, ...rest }));
      const state = stateOfGoal(judged, periods);
      expect(state).toBe(stateInTheModel(judged, shown));
      seen.add(state);
    }),
    { numRuns: times(2_000), seed },
  );
  expect([...seen].toSorted()).toEqual(
    ['at_risk', 'met', 'missed', 'no_data', 'off_track', 'on_track', 'too_early'].toSorted(),
  );
});
