import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { findUnusual } from '../../src/alerts/causes.ts';
import { isEligible, type MetricPeriod, type UnusualForm } from '../../src/alerts/unusual.ts';
import { type DateLevel, nextBucket, startOfBucket } from '../../src/calendar.ts';
import { recordedDataFolder } from '../setup/recorded-data.ts';

type Cells = Readonly<Record<string, string>>;

const folder = join(recordedDataFolder, 'govuk-delivery');
const isThere = existsSync(folder);
if (!isThere)
  console.warn(`${folder} is not there: how often the rule "unusual" fires is not tried on real histories.`);

const read = new Map<string, Cells[]>();
function rowsOf(file: string): Cells[] {
  const rows = read.get(file) ?? (parse(readFileSync(join(folder, file)), { columns: true }) as Cells[]);
  read.set(file, rows);
  return rows;
}
const apps = ['collections', 'frontend'] as const;

/** A metric of the histories: the day of each record, and its value where it has one. */
interface RecordedMetric {
  readonly name: string;
  readonly form: UnusualForm;
  readonly records: (app: string) => { readonly day: string; readonly value: number }[];
}

const ofPullRequests =
  (day: string, value: (row: Cells) => number | undefined, isOfPeople = true) =>
  (app: string) =>
    rowsOf(`${app}_pull_requests.csv`)
      .filter((row) => row[day] && !(isOfPeople && row.author_is_bot === '1'))
      .flatMap((row) => {
        const of = value(row);
        return of === undefined ? [] : [{ day: String(row[day]).slice(0, 10), value: of }];
      });
const numberIn = (name: string) => (row: Cells) => (row[name] ? Number(row[name]) : undefined);

const recorded: readonly RecordedMetric[] = [
  {
    name: 'deployments',
    form: 'count',
    records: (app) =>
      rowsOf(`${app}_deployments.csv`)
        .filter(({ environment }) => environment === 'production')
        .map(({ deployed_at }) => ({ day: String(deployed_at).slice(0, 10), value: 1 })),
  },
  // Those of bots count as well, as in the metric.
  { name: 'merged pull requests', form: 'count', records: ofPullRequests('merged_at', () => 1, false) },
  { name: 'lead time', form: 'measured', records: ofPullRequests('deployed_at', numberIn('lead_time_s')) },
  { name: 'time to deploy', form: 'measured', records: ofPullRequests('deployed_at', numberIn('merge_to_deploy_s')) },
  { name: 'added lines', form: 'measured', records: ofPullRequests('merged_at', numberIn('additions')) },
];

const firstDay = '2024-01-02';
const lastDay = '2026-08-21';

/** The whole periods of the recorded time. */
function historyOf({ form, records }: RecordedMetric, of: readonly string[], level: DateLevel): MetricPeriod[] {
  const values = new Map<string, number[]>();
  for (const { day, value } of of.flatMap(records)) {
    const period = startOfBucket(level, day);
    values.set(period, [...(values.get(period) ?? []), value]);
  }
  const history: MetricPeriod[] = [];
  const first = nextBucket(level, startOfBucket(level, firstDay));
  for (let at = first; nextBucket(level, at) <= lastDay; at = nextBucket(level, at)) {
    const sorted = (values.get(at) ?? []).toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? null;
    history.push({ firstDay: at, value: form === 'count' ? sorted.length : median, n: sorted.length });
  }
  return history;
}

/** What is told as the periods go by, and how many of them could be judged. */
function goThrough(history: readonly MetricPeriod[], form: UnusualForm) {
  const fired: string[] = [];
  let eligible = 0;
  let told: ReadonlyMap<string, string> = new Map();
  for (const at of history.keys()) {
    if (isEligible(history, at, form)) eligible += 1;
    const found = findUnusual(history.slice(0, at + 1), form, told);
    told = found.told;
    for (const happening of found.happenings) if (happening.kind === 'unusual') fired.push(happening.period);
  }
  return { fired, eligible };
}

const histories = () =>
  recorded.flatMap((metric) => [
    ...apps.map((app) => ({ name: `${metric.name} of ${app} by month`, metric, level: 'month' as const, of: [app] })),
    { name: `${metric.name} of both by week`, metric, level: 'week' as const, of: apps },
  ]);

describe.skipIf(!isThere)('the rule "unusual" on the deliveries of two applications of GOV.UK', () => {
  test('No metric is told more than twice in a year', () => {
    let eligible = 0;
    for (const { name, metric, level, of } of histories()) {
      const found = goThrough(historyOf(metric, of, level), metric.form);
      eligible += found.eligible;
      const crowded = found.fired.flatMap((first, at) =>
        found.fired.slice(at).filter((one) => Date.parse(one) - Date.parse(first) < 365 * 86_400_000).length > 2
          ? [first]
          : [],
      );
      expect(crowded, `${name}: ${found.fired.join(', ')}`).toEqual([]);
    }
    console.info(`${eligible} periods were eligible`);
    expect(eligible).toBeGreaterThanOrEqual(50);
  });

  // Of durations and sizes, no week has enough values: two of their months are made unusual instead.
  test.each(recorded)('Two periods in a row of $name that are made unusual fire once', (metric) => {
    const history =
      metric.form === 'count' ? historyOf(metric, apps, 'week') : historyOf(metric, ['frontend'], 'month');
    const at = history.findLastIndex((_, i) => i < history.length - 1 && isEligible(history, i, metric.form));
    const period = history[at]?.firstDay;
    expect(period).toBeDefined();
    const highest = Math.max(...history.map(({ value }) => value ?? 0));
    const made = history.map((one, i) => (i === at || i === at - 1 ? { ...one, value: highest * 3 } : one));
    const { fired } = goThrough(made.slice(0, at + 2), metric.form);
    const { fired: usually } = goThrough(history.slice(0, at - 1), metric.form);
    expect(fired).toEqual([...usually, period]);
  });
});
