import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/calendar.ts';
import { dayReach, timeBuckets } from '../../../web/src/ask/windows.ts';
import { oldWorkOf, oldWorkSentence } from '../../../web/src/pages/issues/old-work-words.ts';
import {
  ageClasses,
  createdIn,
  flowOf,
  openWorkOf,
  openWorkQuestion,
} from '../../../web/src/pages/issues/questions.ts';
import { saidText } from '../../../web/src/view/said-text.ts';
import { aView } from './a-view.ts';

const day = 86_400;
const today = '2026-11-16';

describe('started against completed', () => {
  const buckets = timeBuckets({ start: '2026-10-05', end: '2026-10-25' }, 'week', dayReach(undefined, 'UTC', today));
  const rows = [
    { week_date: '2026-10-05', issues_count: 4, completed_issues_count: 1 },
    { week_date: '2026-10-19', issues_count: 1, completed_issues_count: 3 },
  ];

  test('Started against completed adds up from the start of the window, over weeks without any', () => {
    expect(flowOf(rows, buckets, 'week', true)).toEqual({ started: [4, 4, 5], completed: [1, 1, 4] });
  });

  test('Started against completed or is each week by itself', () => {
    expect(flowOf(rows, buckets, 'week', false)).toEqual({ started: [4, 0, 1], completed: [1, 0, 3] });
  });
});

describe('open work', () => {
  const created = (days: number, issues_count: number, ticket_status = 'backlog') => ({
    day_date: addDays(today, -days),
    issues_count,
    ticket_status,
  });

  test('Open work is of now: ten years back, whatever the range', () => {
    const { filters } = openWorkQuestion(aView({ range: '7d' })).body;
    expect(filters).toMatchObject({ end_date: today, ticket_status: ['triage', 'backlog', 'unstarted', 'started'] });
    expect(String(filters.start_date) < '2017').toBe(true);
  });

  test('Open work falls into the classes of its age, each exactly once', () => {
    const { counts, total } = openWorkOf([created(0, 1), created(6, 1), created(7, 2), created(3_000, 4)], today);
    expect(counts.backlog).toEqual([2, 2, 0, 0, 0, 0, 4]);
    expect(total).toBe(8);
  });

  test('Open work is not what is completed', () => {
    expect(openWorkOf([created(1, 5, 'completed')], today).total).toBe(0);
  });

  test('Open work has a median age, weighted by how many are that old', () => {
    expect(openWorkOf([created(1, 1), created(10, 5), created(400, 1)], today).medianAge).toBe(10);
    expect(openWorkOf([], today).medianAge).toBeNull();
  });

  test('Open work opens with the days of creation that make up a bar', () => {
    const windows = ageClasses.map((one) => createdIn(one, today));
    expect(windows[0]).toEqual({ start: '2026-11-10', end: today });
    for (const [at, window] of windows.slice(1).entries())
      expect(window.end).toBe(addDays(windows[at]?.start ?? '', -1));
  });
});

describe('old work reaches the headline', () => {
  const open = (days: number, issues_count: number, ticket_status = 'started') => ({
    day_date: addDays(today, -days),
    issues_count,
    ticket_status,
  });
  const usual = { value: 5 * day, n: 40 };

  test('Old work reaches the headline where half of the started issues are more than twice as old as completed ones took', () => {
    const old = oldWorkOf([open(2, 4), open(11, 3), open(90, 5)], today, usual);
    expect(old).toEqual({ issues: 12, medianAge: 11 * day, usual: 5 * day });
    expect(old && saidText(oldWorkSentence(old))).toBe(
      'Half of the 12 started issues have been open for 11d or more, completed ones took 5d.',
    );
    expect(old && saidText(oldWorkSentence(old, true))).toMatch(/^Half of your 12 started issues/);
    expect(oldWorkOf([open(2, 4), open(10, 3), open(90, 5)], today, usual)).toBeUndefined();
  });

  test('Old work reaches the headline and not because of what nobody has begun', () => {
    expect(oldWorkOf([open(1, 10), open(400, 30, 'backlog')], today, usual)).toBeUndefined();
  });

  test('Old work reaches the headline never from fewer than ten issues, open or completed', () => {
    expect(oldWorkOf([open(90, 9)], today, usual)).toBeUndefined();
    expect(oldWorkOf([open(90, 10)], today, usual)).toBeDefined();
    expect(oldWorkOf([open(90, 10)], today, { ...usual, n: 9 })).toBeUndefined();
    expect(oldWorkOf([open(90, 10)], today, { value: null, n: null })).toBeUndefined();
  });
});
