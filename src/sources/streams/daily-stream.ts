import { createHash } from 'node:crypto';
import { addDays, dayOfNumber, secondsOfDay, secondsPerDay } from '../../calendar.ts';
import type { FieldValues } from '../../catalogue/field-values.ts';
import type { Json } from '../../catalogue/record.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import { beforeSince, type NotSeen } from '../not-seen.ts';
import type { Page, Stream, StreamPosition } from '../source.ts';

/** The reports of some days: records that each have their `date`, and what of them could not be read. */
export interface ReportedDays {
  readonly records: readonly FieldValues[];
  readonly problems: readonly string[];
  /** The provider's clock, in seconds since 1970. */
  readonly at: number;
}

/** Reports that a provider makes of each whole day in UTC, and gives some days at a time. */
interface DailyReports extends Pick<Stream, 'id' | 'name' | 'scope'> {
  readonly table: FactTable;
  /** The provider's clock, in seconds since 1970. Today is not over, so that yesterday is the newest day. */
  readonly now: number;
  /** The provider has no day before. */
  readonly firstDay: string;
  /** The setting `since`: no day before is read. */
  readonly since: string | undefined;
  /** What is said where history begins before there is nothing any more, without its full stop. */
  readonly unkept: string;
  /** What the provider tells nobody of any day, without its full stop. */
  readonly hidden?: string | undefined;
  /** The number of days that are asked for at a time, one more than are read again at least. */
  readonly daysAtOnce: number;
  /** The number of days that are read again each time: some of what happens is reported late. */
  readonly rereadDays: number;
  /** Everything of these days, the first and the last one included. What comes of other days is left out. */
  read(firstDay: string, lastDay: string): Promise<ReportedDays>;
}

interface DaysPosition {
  readonly lastDay: string;
  /** How many days in a row have had nothing so far. */
  readonly emptyDays: number;
}

/** The newest days as they were when they were read last: a digest of each. */
type DayDigests = Readonly<Record<string, string>>;

/** After so many days in a row without a report, providers keep no older ones, or nobody had begun yet. */
const maxEmptyDays = 90;

/** Reads whole days, the newest first. Of the days that are read again, those that are as before are not written again. */
export const dailyStream = (list: DailyReports): Stream => ({
  id: list.id,
  name: list.name,
  scope: list.scope,
  feeds: [list.table],
  isDaily: true,
  notSeen: [
    ...beforeSince(list.since === undefined ? undefined : secondsOfDay(list.since)),
    ...(list.hidden === undefined ? [] : [{ why: 'hidden' as const, what: list.hidden }]),
  ],
  rereadSeconds: list.rereadDays * secondsPerDay,
  read: (position) => readPage(list, position),
});

async function readPage(list: DailyReports, { next, downTo, mark }: StreamPosition): Promise<Page> {
  const position = next as unknown as DaysPosition | undefined;
  const { lastDay, emptyDays } = position ?? { lastDay: addDays(dayAt(list.now), -1), emptyDays: 0 };
  const oldest = laterOf(list.firstDay, list.since ?? '');
  const floor = downTo === undefined ? oldest : laterOf(oldest, dayAt(downTo));
  const firstDay = laterOf(floor, addDays(lastDay, 1 - list.daysAtOnce));
  if (firstDay > lastDay) return { records: [], count: 0, at: list.now };
  const reported = await list.read(firstDay, lastDay);
  const byDay = recordsByDay(reported.records, firstDay, lastDay);
  const empty = emptyDaysAfter(byDay, emptyDays);
  const goesOn = firstDay > floor && (downTo !== undefined || empty < maxEmptyDays);
  const digests = position ? undefined : digestsOf(byDay);
  const known = (position ? undefined : (mark as DayDigests | undefined)) ?? {};
  // A page of which some could not be read is told as a whole.
  const isNews = (day: string) =>
    reported.problems.length > 0 || digests?.[day] === undefined || digests[day] !== known[day];
  const news = [...byDay].filter(([day]) => isNews(day));
  const page = {
    count: [...byDay.values()].flat().length,
    at: reported.at,
    ...(digests && { mark: newest(digests, list.rereadDays + 1) as unknown as Json }),
  };
  if (!position && mark !== undefined && !goesOn && news.length === 0)
    return { ...page, records: [], isUnchanged: true };
  const below: DaysPosition = { lastDay: addDays(firstDay, -1), emptyDays: empty };
  return {
    ...page,
    records: [{ table: list.table, records: news.flatMap(([, records]) => records) }],
    reachedDownTo: secondsOfDay(firstDay),
    ...(!goesOn && downTo === undefined && { notSeen: historyBefore(list, addDays(firstDay, empty)) }),
    ...(goesOn && { next: below as unknown as Json }),
    ...(reported.problems.length > 0 && { problems: reported.problems }),
  };
}

/** Of the oldest day that has a report, unless the setting `since` says where history begins. */
const historyBefore = ({ unkept, since = '', now }: DailyReports, oldestDay: string): readonly NotSeen[] =>
  oldestDay <= since || oldestDay >= dayAt(now)
    ? []
    : [{ why: 'retention', what: unkept, since: secondsOfDay(oldestDay) }];

const dayAt = (seconds: number): string => dayOfNumber(Math.floor(seconds / secondsPerDay));
const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** Every day of them, the newest first, also those without a record. */
function recordsByDay(records: readonly FieldValues[], firstDay: string, lastDay: string): Map<string, FieldValues[]> {
  const byDay = new Map<string, FieldValues[]>();
  for (let day = lastDay; day >= firstDay; day = addDays(day, -1)) byDay.set(day, []);
  for (const record of records) byDay.get(String(record.date))?.push(record);
  return byDay;
}

function emptyDaysAfter(byDay: ReadonlyMap<string, readonly unknown[]>, before: number): number {
  let empty = before;
  for (const records of byDay.values()) empty = records.length === 0 ? empty + 1 : 0;
  return empty;
}

const digestsOf = (byDay: ReadonlyMap<string, readonly FieldValues[]>): DayDigests =>
  Object.fromEntries(
    [...byDay].map(([day, records]) => [day, createHash('sha256').update(JSON.stringify(records)).digest('hex')]),
  );

const newest = (digests: DayDigests, days: number): DayDigests =>
  Object.fromEntries(Object.entries(digests).slice(0, days));
