import { secondsOfDay } from '../calendar.ts';
import type { Value } from '../catalogue/table.ts';
import type { FactTable } from '../catalogue/tables/tables.ts';
import type { Extent } from '../query/data-extent.ts';
import { type Staleness, stalenessOfStreams } from './staleness.ts';
import { type ExtentClock, jointExtent, type TableFacts, tableExtent } from './table-extent.ts';

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
