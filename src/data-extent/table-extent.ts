import { nextDay, secondsPerDay, type TimeZone, utcDay } from '../calendar.ts';
import type { Value } from '../catalogue/table.ts';
import type { Extent } from '../query/question-port.ts';
import type { ColumnExtremes } from '../warehouse/intake-port.ts';

/** A stream of a connected source that feeds a table. Times in seconds since 1970. */
export interface FeedingStream {
  /** For people: "pull requests of acme/web (GitHub)". */
  readonly name: string;
  /** The name of its source. */
  readonly source: string;
  /** How often it is read. */
  readonly everySeconds: number;
  /** It brings reports of whole days. */
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

/** What is known of one table. */
export interface TableFacts {
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

/** Of several tables: the earliest end, the latest beginning, and every stream that is missing from any of them. */
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
export function decidingStreams(streams: readonly FeedingStream[], calendar: ExtentClock): readonly ReachedStream[] {
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
