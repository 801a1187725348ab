import {
  addDays,
  daysBetween,
  isWeekday,
  nextDay,
  secondsOfDay,
  secondsPerDay,
  type TimeZone,
  utcDay,
} from '../calendar.ts';
import type { Value } from '../catalogue/table.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { Extent } from '../query/question-port.ts';
import type { ColumnExtremes } from '../warehouse/intake-port.ts';

/** A stream of a connected source that feeds a table. Times in seconds since 1970. */
export interface FeedingStream {
  /** The name for people: "pull requests of acme/web (GitHub)". */
  readonly name: string;
  /** The name of its source. */
  readonly source: string;
  /** How often it is read. */
  readonly everySeconds: number;
  /** The stream brings reports of whole days. */
  readonly isDaily: boolean;
  /** The end of its last complete read, or of the one that brought the newest thirty days. */
  readonly completeAt: number | undefined;
  /** How far down a first read has come that goes on. */
  readonly readBackTo: number | undefined;
  /** The time of its newest record. */
  readonly newestRecordAt: number | undefined;
  /** Why it counts no longer, where that is known. */
  readonly leftOut: 'gone' | 'forbidden' | undefined;
  /** Since when no page of it could be read. */
  readonly failingSince: number | undefined;
}

/** The state of one table. */
interface TableFacts {
  readonly extremes: ColumnExtremes;
  readonly streams: readonly FeedingStream[];
}

export interface ExtentClock {
  readonly zone: TimeZone;
  /** In seconds since 1970. */
  readonly now: number;
}

/** A stream that fails for so long no longer holds the others back. */
const maxFailingSeconds = secondsPerDay;

/**
 * From when to when one table is complete. Streams count by the end of their last complete reads; a table that no stream
 * feeds is taken to be complete up to the end of the newest day that it has.
 */
export function tableExtent({ extremes, streams }: TableFacts, calendar: ExtentClock): Extent {
  const last = extremes.last.flatMap((value) => dayEnd(value, calendar) ?? []);
  if (last.length === 0) return { through: undefined, since: undefined, missing: missingOf(streams, calendar) };
  const newestDay = Math.min(calendar.now, Math.max(...last));
  const through = streams.length === 0 ? newestDay : readThrough(streams, calendar);
  const readBackTo = streams.flatMap((stream) => stream.readBackTo ?? []);
  const first = secondsOf(extremes.first, calendar.zone);
  const since = first === undefined ? undefined : Math.max(first, ...readBackTo);
  return { through, since, missing: missingOf(streams, calendar) };
}

/**
 * The extent of several tables together: the earliest end, the latest beginning, and every stream that any of them
 * lacks.
 */
export function jointExtent(extents: readonly Extent[]): Extent {
  const ends = extents.flatMap(({ through }) => through ?? []);
  const beginnings = extents.flatMap(({ since }) => since ?? []);
  return {
    through: ends.length === 0 ? undefined : Math.min(...ends),
    since: beginnings.length === 0 ? undefined : Math.max(...beginnings),
    missing: [...new Set(extents.flatMap(({ missing }) => missing))],
  };
}

/** Undefined where no stream was ever read: the newest rows say nothing then of those that are yet to come. */
function readThrough(streams: readonly FeedingStream[], calendar: ExtentClock): number | undefined {
  const reached = decidingStreams(streams, calendar).map(({ through }) => through);
  return reached.length === 0 ? undefined : Math.min(...reached);
}

interface ReachedStream {
  readonly stream: FeedingStream;
  readonly through: number;
}

/**
 * The streams that decide how far a table reaches, and how far they have been read: those that count. Where every stream
 * is left out, the data still are what the last of them has read.
 */
function decidingStreams(streams: readonly FeedingStream[], calendar: ExtentClock): readonly ReachedStream[] {
  const reached = streams.flatMap((stream): readonly ReachedStream[] => {
    const through = reachedBy(stream, calendar);
    return through === undefined ? [] : [{ stream, through }];
  });
  const counted = reached.filter(({ stream }) => counts(stream, calendar));
  return counted.length > 0 ? counted : reached.sort((a, b) => b.through - a.through).slice(0, 1);
}

const missingOf = (streams: readonly FeedingStream[], calendar: ExtentClock): string[] => [
  ...new Set(streams.flatMap((stream) => (counts(stream, calendar) ? [] : [stream.name]))),
];

const counts = ({ completeAt, leftOut, failingSince }: FeedingStream, { now }: ExtentClock): boolean =>
  completeAt !== undefined &&
  leftOut === undefined &&
  (failingSince === undefined || now - failingSince < maxFailingSeconds);

/** Reports of a day are complete with it, however long after it they are read. */
function reachedBy(
  { isDaily, completeAt, newestRecordAt }: FeedingStream,
  { zone, now }: ExtentClock,
): number | undefined {
  if (completeAt === undefined || !isDaily) return completeAt;
  if (newestRecordAt === undefined) return undefined;
  const day = utcDay(new Date(newestRecordAt * 1_000));
  return Math.min(now, zone.startOf(nextDay(day)));
}

/** The end of the day of a time, as the organisation reckons days. */
function dayEnd(value: Value, { zone }: ExtentClock): number | undefined {
  if (typeof value === 'string') return zone.startOf(nextDay(value));
  return typeof value === 'number' ? zone.startOf(nextDay(zone.dayAt(value))) : undefined;
}

function secondsOf(value: Value, zone: TimeZone): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? zone.startOf(value) : undefined;
}

/** The reason why a table gets nothing new, though it should. */
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

/** The tables that a table is made of: itself, and those that its rows are derived from. */
export interface TablePart extends TableFacts {
  readonly table: FactTable;
  /** The rows of the table are inferred from other tables: they say nothing of how far those are known. */
  readonly isInferred: boolean;
}

/** How new the rows of a table are, and how they come. */
export interface TableStatus extends Extent {
  readonly table: FactTable;
  /** The newest time of the column that rows are sorted by, in seconds since 1970. */
  readonly newestRecordAt: number | undefined;
  /** The stream brings reports of whole days. */
  readonly isDaily: boolean;
  /** How often the streams that feed it are read; undefined where none does. */
  readonly scheduleSeconds: number | undefined;
  /** Undefined where it is as new as it should be. */
  readonly stale: Staleness | undefined;
}

/** The extent of the parts together: the earliest end, the latest beginning. */
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
    newestRecordAt: utcSecondsOf(parts[0]?.extremes.last[0]),
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
function utcSecondsOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? secondsOfDay(value) : undefined;
}

const earliest = (found: readonly Staleness[]): Staleness | undefined =>
  [...found].sort((a, b) => a.since - b.since)[0];
