import { addDays, daysBetween, isWeekday, nextDay, secondsOfDay, utcDay } from '../calendar.ts';
import type { Value } from '../catalogue/table.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { Extent } from '../query/question-port.ts';
import {
  decidingStreams,
  type ExtentClock,
  type FeedingStream,
  jointExtent,
  type TableFacts,
  tableExtent,
} from './table-extent.ts';

/** That a table gets nothing new, though it should. */
interface Staleness {
  /** The moment up to which its rows are complete, in seconds since 1970. */
  readonly since: number;
  /** The name of the source that brings nothing; undefined where no source feeds the table. */
  readonly source: string | undefined;
}

/** Hourly reads are late after two hours: one of them may fail. */
const maxSchedules = 2;
/** Reports of a day may come two days after it, and then there is a day in hand. */
const maxDaysToReport = 3;
/** Where nothing is read on a schedule, the table has to have been filled on each of so many weekdays … */
const steadyWeekdays = 10;
/** … before so many weekdays without rows say anything. Weekends and today say nothing. */
const minQuietWeekdays = 2;

/** Whether a table that streams feed is late, and whose streams make it so: of several the one furthest behind. */
export function stalenessOfStreams(streams: readonly FeedingStream[], calendar: ExtentClock): Staleness | undefined {
  const [latest] = decidingStreams(streams, calendar)
    .filter(({ stream, through }) => isLate(stream, through, calendar))
    .sort((a, b) => a.through - b.through);
  return latest && { since: latest.through, source: latest.stream.source };
}

function isLate(
  { isDaily, newestRecordAt, everySeconds }: FeedingStream,
  through: number,
  { zone, now }: ExtentClock,
): boolean {
  if (!isDaily || newestRecordAt === undefined) return now - through > maxSchedules * everySeconds;
  return daysBetween(utcDay(new Date(newestRecordAt * 1_000)), zone.dayAt(now)) > maxDaysToReport;
}

/**
 * The weekdays, the latest first, that decide whether a table is stale that no stream feeds: it is where it has rows of
 * each of them. Undefined where it is not, whatever rows there are: the quiet time is not long enough yet.
 */
export function decidingWeekdays({ extremes }: TableFacts, { zone, now }: ExtentClock): readonly string[] | undefined {
  const days = extremes.last.flatMap((value) => dayOf(value, zone) ?? []).sort();
  const newest = days.at(-1);
  const today = zone.dayAt(now);
  if (newest === undefined || newest >= today) return undefined;
  let quiet = 0;
  for (let day = nextDay(newest); day < today && quiet < minQuietWeekdays; day = nextDay(day)) {
    if (isWeekday(day)) quiet += 1;
  }
  if (quiet < minQuietWeekdays) return undefined;
  const weekdays: string[] = [];
  for (let day = newest; weekdays.length < steadyWeekdays; day = addDays(day, -1)) {
    if (isWeekday(day)) weekdays.push(day);
  }
  return weekdays;
}

function dayOf(value: Value, zone: ExtentClock['zone']): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? zone.dayAt(value) : undefined;
}

/** What a table is made of: itself, and what its rows are derived from. */
export interface TablePart extends TableFacts {
  readonly table: FactTable;
  /** Its rows are inferred from those of other parts: they say nothing of how far what they are inferred from is known. */
  readonly isInferred: boolean;
}

/** How new the rows of a table are, and how they come. */
export interface TableStatus extends Extent {
  readonly table: FactTable;
  /** The newest time of the column that rows are sorted by, in seconds since 1970. */
  readonly newestRecordAt: number | undefined;
  /** It brings reports of whole days. */
  readonly isDaily: boolean;
  /** How often the streams that feed it are read; undefined where none does. */
  readonly scheduleSeconds: number | undefined;
  /** Undefined where it is as new as it should be. */
  readonly stale: Staleness | undefined;
}

/** Of its parts: the earliest end, the latest beginning. */
export const extentOfParts = (parts: readonly TablePart[], calendar: ExtentClock): Extent =>
  jointExtent(
    parts.map((part) => {
      const extent = tableExtent(part, calendar);
      return part.isInferred ? { ...extent, through: undefined } : extent;
    }),
  );

/** `isQuiet` says of the parts that no stream feeds whether rows stopped coming that came on each weekday before. */
export function tableStatus(
  table: FactTable,
  parts: readonly TablePart[],
  isQuiet: (part: TablePart) => boolean,
  calendar: ExtentClock,
): TableStatus {
  const streams = parts.flatMap((part) => part.streams);
  return {
    table,
    ...extentOfParts(parts, calendar),
    newestRecordAt: secondsOf(parts[0]?.extremes.last[0]),
    isDaily: streams.length > 0 && streams.every(({ isDaily }) => isDaily),
    scheduleSeconds: streams.length === 0 ? undefined : Math.min(...streams.map(({ everySeconds }) => everySeconds)),
    stale: earliest(parts.flatMap((part) => stalenessOf(part, isQuiet, calendar) ?? [])),
  };
}

function stalenessOf(
  part: TablePart,
  isQuiet: (part: TablePart) => boolean,
  calendar: ExtentClock,
): Staleness | undefined {
  const { through } = tableExtent(part, calendar);
  // A table without rows has nothing that could be too old.
  if (part.isInferred || through === undefined) return undefined;
  if (part.streams.length > 0) return stalenessOfStreams(part.streams, calendar);
  return isQuiet(part) ? { since: through, source: undefined } : undefined;
}

/** A day counts from its beginning, UTC. */
function secondsOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? secondsOfDay(value) : undefined;
}

const earliest = (found: readonly Staleness[]): Staleness | undefined =>
  [...found].sort((a, b) => a.since - b.since)[0];
