import { expect, test } from 'vitest';
import {
  annotationsOnChart,
  goalsOnChart,
  type MarkedAnnotation,
  type MarkedGoal,
  type MarkedQuestion,
} from '../../src/charts/chart-marks.ts';

const teams = [
  { id: 't1', name: 'Checkout' },
  { id: 't2', name: 'Search' },
  { id: 't3', name: 'search' },
];
const goal: MarkedGoal = {
  title: 'First review within a day',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  filters: { team: ['t1', 't2'] },
  value: 86_400,
  period: 'week',
  from: '2026-01-05',
  until: '2026-06-30',
};
const question: MarkedQuestion = {
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  addsUp: false,
  filters: { team: ['t1'] },
  groupBy: [],
  level: 'month',
  start: '2026-03-01',
  end: '2026-05-31',
  seesEverybody: true,
};
const isDrawn = (asked: Partial<MarkedQuestion>, drawn: Partial<MarkedGoal> = {}): boolean =>
  goalsOnChart([{ ...goal, ...drawn }], { ...question, ...asked }, teams).length === 1;

test('The line of a goal is drawn where a chart has the filters of the goal, or narrower ones', () => {
  expect(isDrawn({})).toBe(true);
  expect(isDrawn({ filters: { team: ['t1', 't2'], repositories: ['acme/web'] } })).toBe(true);
  expect(isDrawn({ filters: { team: ['t1', 't3'] } })).toBe(false);
  expect(isDrawn({ filters: {} })).toBe(false);
  expect(isDrawn({ filters: { team: [] } })).toBe(false);
  expect(isDrawn({ filters: { departments: ['Product'] } }, { filters: {} })).toBe(true);
  expect(isDrawn({ filters: { team_ids: 't1', start_date: '2026-03-01' } })).toBe(true);
  // A name that two teams have means both of them.
  expect(isDrawn({ filters: { team: 'Checkout' } })).toBe(true);
  expect(isDrawn({ filters: { team: 'SEARCH' } })).toBe(false);
  expect(isDrawn({ filters: { team: 'SEARCH' } }, { filters: { team: ['t3', 't2'] } })).toBe(true);
  const ofWeb = { filters: { repositories: ['web'] } };
  expect(isDrawn({ filters: { repositories: [{ repository_name: 'Acme/Web' }] } }, ofWeb)).toBe(true);
  expect(isDrawn({ filters: { repositories: ['acme/website'] } }, ofWeb)).toBe(false);
  expect(isDrawn(ofWeb, { filters: { repositories: ['acme/web'] } })).toBe(false);
});

test('The line of a goal is drawn in charts of its metric and aggregation, on days that have the goal', () => {
  expect(isDrawn({ metric: 'review-time' })).toBe(false);
  expect(isDrawn({ aggregation: 'P90' })).toBe(false);
  expect(isDrawn({ start: '2026-06-30', end: '2026-09-30' })).toBe(true);
  expect(isDrawn({ start: '2026-07-01', end: '2026-09-30' })).toBe(false);
  expect(isDrawn({ start: '2026-07-01', end: '2026-09-30' }, { until: null })).toBe(true);
  expect(isDrawn({ start: '2025-07-01', end: '2026-01-04' })).toBe(false);
  expect(isDrawn({ start: '2025-07-01', end: '2026-01-05' })).toBe(true);
});

test('The line of a goal for a count is drawn only where a bar is a whole period of it', () => {
  const count = { metric: 'pull-requests-count', aggregation: null, filters: { team: ['t2', 't1'] } };
  const asked = { ...count, addsUp: true, level: 'week', filters: { team: ['t1', 't2'] } };
  expect(isDrawn(asked, count)).toBe(true);
  expect(isDrawn({ ...asked, level: 'month' }, count)).toBe(false);
  expect(isDrawn({ ...asked, filters: { team: ['t1'] } }, count)).toBe(false);
  expect(isDrawn({ ...asked, filters: { team: ['t1', 't2'], repositories: ['web'] } }, count)).toBe(false);
  // Parts of a stack add up, those of people in two teams do not.
  expect(isDrawn({ ...asked, groupBy: ['repository'] }, count)).toBe(true);
  expect(isDrawn({ ...asked, groupBy: ['team_name'] }, count)).toBe(false);
  // Somebody who sees less sees smaller bars.
  expect(isDrawn({ ...asked, seesEverybody: false }, count)).toBe(false);
  expect(isDrawn({ seesEverybody: false })).toBe(true);
});

test('Goals of one value are one line, and the lowest comes first', () => {
  const goals = [9, 4, 9].map((value, at) => ({ ...goal, value, title: `Goal ${at}` }));
  expect(goalsOnChart(goals, question, teams)).toEqual([
    { value: 4, title: 'Goal 1' },
    { value: 9, title: 'Goal 0, Goal 2' },
  ]);
});

const months = [
  { start: '2026-03-01', end: '2026-03-31' },
  { start: '2026-04-01', end: '2026-04-30' },
  { start: '2026-05-01', end: '2026-05-31' },
];
const rollout: MarkedAnnotation = {
  title: 'Copilot for everybody',
  kind: 'rollout',
  at: '2026-04-02',
  until: null,
  filters: {},
};
const placesOf = (filters: MarkedQuestion['filters'], ...drawn: Partial<MarkedAnnotation>[]) =>
  annotationsOnChart(
    drawn.map((one) => ({ ...rollout, ...one })),
    { ...question, filters },
    months,
    teams,
  ).map(({ category, days }) => [category, days]);

test('An annotation is drawn where it happened, unless the filters of the chart exclude it', () => {
  expect(placesOf({}, {})).toEqual([[1, '2 Apr']]);
  const ofCheckout = { filters: { team: ['t1'] } };
  expect(placesOf({}, ofCheckout)).toHaveLength(1);
  expect(placesOf({ team: ['t1', 't2'] }, ofCheckout)).toHaveLength(1);
  expect(placesOf({ team: ['Search'] }, ofCheckout)).toEqual([]);
  expect(placesOf({ repositories: ['acme/web'] }, ofCheckout)).toHaveLength(1);
  const ofWeb = { filters: { repositories: ['acme/web'] } };
  expect(placesOf({ repositories: ['WEB'] }, ofWeb)).toHaveLength(1);
  expect(placesOf({ repositories: ['acme/api'] }, ofWeb)).toEqual([]);
  expect(
    placesOf({ repositories: ['acme/api'], team: ['t1'] }, { filters: { ...ofCheckout.filters, ...ofWeb.filters } }),
  ).toEqual([]);
});

test('Annotations come in the order of time, within the days of the chart', () => {
  expect(
    placesOf(
      {},
      { at: '2026-05-31' },
      { at: '2026-02-27', until: '2026-03-01' },
      { at: '2026-03-31', until: '2026-03-31' },
    ),
  ).toEqual([
    [0, '27 Feb – 1 Mar'],
    [0, '31 Mar'],
    [2, '31 May'],
  ]);
  expect(placesOf({}, { at: '2026-02-28' }, { at: '2026-06-01' }, { at: '2025-01-01', until: '2026-02-28' })).toEqual(
    [],
  );
});
