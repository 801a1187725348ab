import type { HeatMapChart } from '../../../../src/charts/chart-description.ts';
import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { weekdays } from '../../ask/weekday-words.ts';
import { hourAt, weekdayAt, weekdayOf } from '../../ask/weekdays.ts';
import { heatMapsWords } from './words.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** The frame of a week: hours across, days below each other. */
const ofWeek = {
  columns: hours.map((hour) => ({ label: String(hour), name: `${String(hour).padStart(2, '0')}:00` })),
  rows: weekdays.map((name) => ({ label: name.slice(0, 3), name })),
};

/** Reviews by hour and weekday, in the organisation's time zone. */
export function hourMap(rows: readonly Row[], title: string): HeatMapChart {
  const counts = weekdays.map(() => hours.map(() => 0));
  for (const row of rows) {
    const hour = numberIn(row, 'review_hour_of_day');
    const week = counts[weekdayOf(String(row.day_date))];
    if (hour !== null && week) week[hour] = (week[hour] ?? 0) + (numberIn(row, 'reviews_by_time_of_day') ?? 0);
  }
  return {
    kind: 'heat-map',
    title,
    measure: 'count',
    of: 'reviews',
    isAddedUp: true,
    ...ofWeek,
    cells: counts.map((week) => week.map((value) => ({ value }))),
  };
}

/** How long pull requests waited for their first review, by the hour and weekday in which they were opened. */
export function waitMap(rows: readonly Row[], title: string, zone: string): HeatMapChart {
  const waits = weekdays.map(() => hours.map((): number[] => []));
  for (const row of rows) {
    const wait = numberIn(row, 'median_pickup_time');
    const opened = String(row.pr_created_at);
    const [weekday, hour] = [weekdayAt(opened, zone), hourAt(opened, zone)];
    if (wait !== null && weekday !== undefined && hour !== undefined) waits[weekday]?.[hour]?.push(wait);
  }
  return {
    kind: 'heat-map',
    title,
    measure: 'duration',
    of: heatMapsWords.pullRequests,
    isAddedUp: true,
    isLogarithmic: true,
    ...ofWeek,
    cells: waits.map((week) => week.map((all) => ({ value: medianOf(all), n: all.length }))),
  };
}

/** Of an even number the mean of the two in the middle, as the server has it. */
function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** A map with more rows or columns than these is unreadable. */
export const maxShown = { teams: 12, repositories: 16 };

/** Who reviews which repositories: those with the most reviews by name, and the others in one number. */
export function teamMap(rows: readonly Row[], title: string) {
  const count = (row: Row): number => numberIn(row, 'review_interactions_count') ?? 0;
  const total = (column: string): Map<string | null, number> => {
    const sums = new Map<string | null, number>();
    for (const row of rows) {
      const key = textOf(row[column]);
      sums.set(key, (sums.get(key) ?? 0) + count(row));
    }
    return sums;
  };
  const largest = (sums: Map<string | null, number>, most: number): (string | null)[] =>
    [...sums]
      .filter(([, sum]) => sum > 0)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([key]) => key)
      .toSorted((a, b) => (a === null ? 1 : b === null ? -1 : a.localeCompare(b)));
  const teams = largest(total('team_name'), maxShown.teams);
  const repositories = largest(total('repository_name'), maxShown.repositories);
  const cells = teams.map(() => repositories.map(() => 0));
  let others = 0;
  for (const row of rows) {
    const [team, repository] = [
      teams.indexOf(textOf(row.team_name)),
      repositories.indexOf(textOf(row.repository_name)),
    ];
    const line = cells[team];
    if (line && repository >= 0) line[repository] = (line[repository] ?? 0) + count(row);
    else others += count(row);
  }
  const chart: HeatMapChart = {
    kind: 'heat-map',
    title,
    measure: 'count',
    of: 'reviews',
    columns: repositories.map((name) => ({ label: name ?? heatMapsWords.noRepository })),
    rows: teams.map((name) => ({ label: name ?? heatMapsWords.noTeam })),
    cells: cells.map((line) => line.map((value) => ({ value }))),
  };
  return { chart, teams, repositories, others };
}
