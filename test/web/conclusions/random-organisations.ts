import {
  dayAfter,
  type MadeHistory,
  type MadeRecords,
  madeHistory,
  numbersFrom,
  repositories,
} from './made-history.ts';
import { people } from './made-service.ts';
import { type MadeOrganisation, now } from './organisations.ts';
import { beginningOf, dayOf, daysLater } from './plain-days.ts';

/** Organisations of any shape, and what there is to conclude of them by the records that are put in. */

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Pacific/Honolulu'];

export function randomOrganisation(seed: number): MadeOrganisation {
  const random = numbersFrom(seed);
  const among = (low: number, high: number): number => Math.floor(low + (high - low + 1) * random());
  const today = now.slice(0, 10);
  const to = dayAfter(today, -among(1, 9));
  const slower = dayAfter(to, -among(5, 40));
  const history: Omit<MadeHistory, 'people'> = {
    from: dayAfter(to, -among(20, 130)),
    to,
    reportedTo: dayAfter(to, -among(0, 3)),
    perDay: among(1, 5),
    hour: among(2, 12),
    hasPromotions: among(0, 1) === 1,
    slower: {
      from: slower,
      times: among(1, 6),
      repositories: repositories.slice(0, among(1, 3)),
      isInAllPhases: among(0, 1) === 1,
    },
    seed,
  };
  const zone = zones[among(0, zones.length - 1)] ?? 'UTC';
  const records = madeHistory({ ...history, people });
  return { name: `Seed ${seed}`, zone, history, teams: among(2, 5), expected: expectedOf(records, zone) };
}

/** The date fields of each table, those that its rows have from a pull request included. */
const datesOf: Readonly<Record<string, readonly string[]>> = {
  pull_requests: ['pr_created_at', 'pr_merged_at'],
  pull_request_reviews: ['reviewed_at', 'pr_created_at', 'pr_merged_at'],
  deployments: ['deployed_at', 'started_at'],
  workflow_runs: ['run_created_at', 'run_started_at', 'run_updated_at'],
  issues: ['created_at', 'started_at', 'completed_at', 'closed_at'],
  ai_copilot: ['date'],
  posthook_sessions: ['started_at', 'ended_at'],
};

/** A table that nothing feeds is complete up to the end of its newest day. */
function expectedOf(records: MadeRecords, zone: string): MadeOrganisation['expected'] {
  const pullRequests = new Map((records.pull_requests ?? []).map((one) => [one.pr_id, one]));
  const throughOf: Record<string, string> = {};
  let isStale = false;
  for (const [table, fields] of Object.entries(datesOf)) {
    const rows = (records[table] ?? []).map((row) => ({ ...pullRequests.get(row.pr_id), ...row }) as typeof row);
    const days = new Set(
      rows.flatMap((row) => fields.flatMap((field) => (row[field] ? dayOf(String(row[field]), zone) : []))),
    );
    const newest = [...days].sort().at(-1) ?? '';
    throughOf[table] = new Date(Math.min(Date.parse(now), beginningOf(daysLater(newest, 1), zone))).toISOString();
    isStale ||= hasStopped(days, newest, dayOf(now, zone));
  }
  return { through: undefined, throughOf, isStale };
}

const isWeekday = (day: string): boolean => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** Two weekdays are over without rows, and each of the ten weekdays before had some. */
function hasStopped(days: ReadonlySet<string>, newest: string, today: string): boolean {
  let quiet = 0;
  for (let day = daysLater(newest, 1); day < today; day = daysLater(day, 1)) if (isWeekday(day)) quiet += 1;
  const before: string[] = [];
  for (let day = newest; before.length < 10; day = daysLater(day, -1)) if (isWeekday(day)) before.push(day);
  return quiet >= 2 && before.every((day) => days.has(day));
}
