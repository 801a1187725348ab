import { expect, test } from 'vitest';
import type { Row } from '../../../src/catalogue/table.ts';
import { rowsSeen, viewOf } from '../../reference/visibility.ts';
import { dayWithin, windowOf } from '../../reference/window.ts';
import type { Seeing } from '../../reference/world.ts';
import { askedWorld } from '../asked-world.ts';
import { allMetrics, seededWorld } from '../seeded-worlds.ts';

const { world, name } = seededWorld(6);
const asked = askedWorld(world);

const visibilities: readonly Seeing[] = [
  'organisation',
  { self: 'bo', teamIds: ['t1', 't2'], hasReports: true, leadsSquads: true },
];
/** The metric that counts the records of each table. Days with an assistant are kept by how a record names the person. */
const exported = [
  'pull-requests-count',
  'reviews-count',
  'comments-count',
  'commits-count',
  'pull-request-events-count',
  'issues-count',
  'issue-comments-count',
  'releases-count',
  'workflow-runs-count',
  'users-count',
  'posthook-sessions-count',
  'posthook-session-message-counts',
  'posthook-session-file-counts',
  'posthook-session-commit-counts',
  'survey-responses-count',
  'survey-recipients-count',
  'deployment-frequency',
];

test.each(exported)(`%s grouped by key has every record once, with 1 or 0, in ${name}`, async (metricName) => {
  const metric = allMetrics.find((one) => one.name === metricName);
  if (!metric) throw new Error(`there is no ${metricName}`);
  const { table, dates } = metric;
  const filters = { start_date: '2023-11-05', end_date: '2024-03-20' };
  const window = windowOf(world.timeZone, filters.start_date, filters.end_date, world.now);
  const isWithin = (row: Row): boolean => {
    const [column] = dates;
    if (column === undefined) return true;
    return dayWithin(window, row[column], table.columns[column]?.type ?? 'timestamp') !== undefined;
  };
  for (const seeing of visibilities) {
    const body = { metrics: [metricName], filters, group_by: [...table.key] };
    const rows: Record<string, unknown>[] = JSON.parse((await asked().ask(seeing, 'get-multiple-metrics', body)).text);
    const keyOf = (row: Readonly<Record<string, unknown>>) =>
      table.key.map((column) => {
        const value = row[column];
        return table.columns[column]?.type === 'timestamp' && typeof value === 'string'
          ? Date.parse(value) / 1_000
          : value;
      });
    const expected = rowsSeen(viewOf(world, seeing), table).filter(isWithin).map(keyOf);
    expect(new Set(rows.map((row) => JSON.stringify(keyOf(row))))).toEqual(
      new Set(expected.map((key) => JSON.stringify(key))),
    );
    expect(rows.length).toBe(expected.length);
    expect(rows.every((row) => [0, 1].includes(Number(Object.values(row).at(-1))))).toBe(true);
  }
});
