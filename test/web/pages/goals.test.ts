import { describe, expect, test } from 'vitest';
import { distanceOf, type GoalDocument } from '../../../web/src/ask/goal-standing.ts';
import { distanceWords, goalsSentence, metricOfGoal, targetWords } from '../../../web/src/view/goal-values.ts';

const day = 86_400;
const goal: GoalDocument = {
  title: 'First review within a day',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  should_be: 'below',
  value: day,
  period: 'week',
};
const rate: GoalDocument = { ...goal, metric: 'change-failure-rate', aggregation: null, value: 0.05 };

describe('goals in words', () => {
  test('A target says on which side, in the unit of the metric', () => {
    expect(targetWords(goal)).toBe('At most 1d');
    expect(
      targetWords({ ...goal, metric: 'deployment-frequency', aggregation: null, should_be: 'above', value: 10 }),
    ).toBe('At least 10');
    expect(metricOfGoal(goal)).toBe('First review wait, median');
    expect(metricOfGoal(rate)).toBe('Change failure rate');
  });

  test('Equal is met, on either side, and what is missing has no distance', () => {
    expect([distanceOf(goal, day), distanceOf(goal, day - 1), distanceOf(goal, day + 60)]).toEqual([0, 0, 60]);
    expect(distanceOf({ should_be: 'above', value: 10 }, 6)).toBe(4);
    expect(distanceWords(goal, 2 * day)).toBe('1d to go');
    expect(distanceWords(goal, day)).toBe('Reached');
    expect(distanceWords(goal, null)).toBe('–');
  });

  test('Rates are points apart, not percent', () => {
    expect(distanceWords(rate, 0.115)).toBe('6.5 pts to go');
  });

  test('The sentence counts the states that there are, the good first', () => {
    const of = (...states: ('met' | 'off_track' | 'no_data')[]) => goalsSentence(states.map((state) => ({ state })));
    expect(of('off_track', 'met', 'off_track')).toBe('3 goals: 1 met, 2 off track.');
    expect(of('no_data')).toBe('1 goal: 1 no data.');
    expect(of()).toBe('No goals yet.');
  });
});
