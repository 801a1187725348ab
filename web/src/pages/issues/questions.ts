import { addDays, daysBetween } from '../../../../src/calendar.ts';
import { type FigureSpec, numberIn, type Point } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { askSeveral, type Question } from '../../ask/question.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow, TimeBucket } from '../../ask/windows.ts';
import { issuesFigureWords } from './words.ts';

const completed = { metric: 'completed-issues-count', label: issuesFigureWords.completed } satisfies FigureSpec;
const cycleTime = {
  metric: 'issue-cycle-time',
  aggregation: 'MEDIAN',
  label: issuesFigureWords.creationToCompletionMedian,
} satisfies FigureSpec;
/** Issues of any state today: `started-issues-count` counts only those still in progress. */
const started = {
  metric: 'issues-count',
  dateField: 'started_at',
  label: issuesFigureWords.started,
} satisfies FigureSpec;
const points = {
  metric: 'completed-story-points',
  aggregation: 'SUM',
  label: issuesFigureWords.storyPointsCompleted,
} satisfies FigureSpec;
export const keyFigures: readonly FigureSpec[] = [completed, started, cycleTime, points];

/** Started and completed by bucket, each by its own date. */
export const flowQuestion = (view: View): Question =>
  askSeveral(['issues-count', 'completed-issues-count'], {
    filters: view.filtersFor('issues-count'),
    date_level: view.level,
    date_fields: { 'issues-count': 'started_at', 'completed-issues-count': 'completed_at' },
  });

interface Flow {
  readonly started: readonly number[];
  readonly completed: readonly number[];
}

/**
 * Numbers of each bucket, or sums from the start of the window: then the gap between the lines is work that was started
 * and not completed.
 */
export function flowOf(rows: readonly Row[], buckets: readonly TimeBucket[], level: string, isAddedUp: boolean): Flow {
  const byBucket = new Map(rows.map((row) => [String(row[`${level}_date`]), row]));
  const of = (column: string): number[] => {
    let sum = 0;
    return buckets.map(({ name }) => {
      const row = byBucket.get(name);
      const value = row ? (numberIn(row, column) ?? 0) : 0;
      sum += value;
      return isAddedUp ? sum : value;
    });
  };
  return { started: of('issues_count'), completed: of('completed_issues_count') };
}

export const openStates = ['triage', 'backlog', 'unstarted', 'started'] as const;
type OpenState = (typeof openStates)[number];

/** Ten years is the longest window: older open issues are left out, and the page says so. */
const everDays = 3_650;
const everWindow = (today: string): DayWindow => ({ start: addDays(today, -everDays), end: today });

/** All open issues by day of creation, whatever the window of the page: they are open now. */
export const openWorkQuestion = (view: View): Question =>
  askSeveral(['issues-count'], {
    filters: { ...view.filtersFor('issues-count', everWindow(view.today)), ticket_status: openStates },
    group_by: ['ticket_status'],
    date_level: 'day',
  });

/** How long issues have been open, in days from and to (not included). */
interface AgeClass {
  /** The short label below the bar, and the full one. */
  readonly label: string;
  readonly name: string;
  readonly from: number;
  readonly until: number;
}
export const ageClasses: readonly AgeClass[] = [
  { label: '< 1w', name: 'under 1 week', from: 0, until: 7 },
  { label: '1–2w', name: '1–2 weeks', from: 7, until: 14 },
  { label: '2–4w', name: '2–4 weeks', from: 14, until: 28 },
  { label: '1–3mo', name: '1–3 months', from: 28, until: 91 },
  { label: '3–6mo', name: '3–6 months', from: 91, until: 182 },
  { label: '6–12mo', name: '6–12 months', from: 182, until: 365 },
  { label: '> 1y', name: 'over a year', from: 365, until: everDays + 1 },
];

/** The days of creation of a class, as the panel asks for them. */
export const createdIn = ({ from, until }: AgeClass, today: string): DayWindow => ({
  start: addDays(today, 1 - until),
  end: addDays(today, -from),
});

interface OpenWork {
  readonly total: number;
  /** First by state, then by class of age. */
  readonly counts: Readonly<Record<OpenState, readonly number[]>>;
  /** Days over all issues. */
  readonly medianAge: number | null;
}

export function openWorkOf(rows: readonly Row[], today: string): OpenWork {
  const counts = Object.fromEntries(openStates.map((state) => [state, ageClasses.map(() => 0)])) as Record<
    OpenState,
    number[]
  >;
  const ages: [age: number, count: number][] = [];
  for (const row of rows) {
    const state = openStates.find((one) => one === textOf(row.ticket_status));
    const count = numberIn(row, 'issues_count') ?? 0;
    const age = Math.max(0, daysBetween(String(row.day_date), today));
    const place = ageClasses.findIndex(({ from, until }) => age >= from && age < until);
    const inState = state && counts[state];
    if (!inState || place === -1) continue;
    inState[place] = (inState[place] ?? 0) + count;
    ages.push([age, count]);
  }
  const total = ages.reduce((sum, [, count]) => sum + count, 0);
  return { total, counts, medianAge: medianOf(ages, total) };
}

function medianOf(ages: readonly (readonly [number, number])[], total: number): number | null {
  let seen = 0;
  for (const [age, count] of ages.toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen * 2 >= total && total > 0) return age;
  }
  return null;
}

/** What each project completed in the window. */
export const projectsQuestion = (view: View): Question =>
  askSeveral(['completed-issues-count', 'issue-cycle-time', 'completed-story-points'], {
    filters: view.filtersFor('completed-issues-count'),
    group_by: ['project_id', 'project_name'],
    aggregations: { 'issue-cycle-time': 'MEDIAN', 'completed-story-points': 'SUM' },
  });

interface Project {
  readonly id: string | null;
  readonly name: string;
  readonly completed: number;
  readonly cycleTime: Point;
  readonly points: number | null;
}

export const projectsOf = (rows: readonly Row[]): Project[] =>
  rows
    .map((row) => ({
      id: textOf(row.project_id),
      name: textOf(row.project_name) ?? textOf(row.project_id) ?? issuesFigureWords.noProject,
      completed: numberIn(row, 'completed_issues_count') ?? 0,
      cycleTime: { value: numberIn(row, 'median_issue_cycle_time'), n: numberIn(row, 'n_issue_cycle_time') },
      points: numberIn(row, 'sum_completed_story_points'),
    }))
    .toSorted((a, b) => b.completed - a.completed || a.name.localeCompare(b.name));
