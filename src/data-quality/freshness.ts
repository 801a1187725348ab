import { isoText } from '../calendar.ts';
import type { TableStatus } from '../data-extent/table-status.ts';
import type { FilledTable } from './gaps.ts';

/** How new the data of an organisation is. */
export interface Freshness {
  /** Of all tables. */
  readonly newest_record_at: string | null;
  /** The moment up to which every table that has rows is complete; null where no table says so. */
  readonly data_through: string | null;
  /** Every table that has rows. */
  readonly tables: readonly TableFreshness[];
  /** Those of them that get nothing new, though they should. */
  readonly stale: readonly StaleTable[];
}

interface TableFreshness extends FilledTable {
  readonly newest_record_at: string | null;
  readonly data_through: string | null;
  readonly data_since: string | null;
  /** Its rows are reports of whole days. */
  readonly is_daily: boolean;
  /** How often the streams that feed it are read; null where none does. */
  readonly schedule_seconds: number | null;
  /** Streams that feed it and do not count, for people. */
  readonly missing: readonly string[];
}

interface StaleTable {
  readonly table: string;
  /** The moment up to which its rows are complete. */
  readonly since: string;
  /** The name of the source that brings nothing; null where no source feeds it. */
  readonly source: string | null;
}

/** Sample data is made up and gets nothing new by itself: it is never stale. */
export function freshnessOf(
  filled: readonly FilledTable[],
  statuses: readonly TableStatus[],
  isSample: boolean,
): Freshness {
  const byTable = new Map(statuses.map((status) => [status.table, status]));
  const known = filled.flatMap(({ table }) => byTable.get(table) ?? []);
  const newest = known.flatMap(({ newestRecordAt }) => newestRecordAt ?? []);
  // The earliest: a page may show any of the tables, and promises nothing that is not there in all of them.
  const through = known.flatMap((status) => status.through ?? []);
  return {
    newest_record_at: newest.length === 0 ? null : millisecondText(Math.max(...newest)),
    data_through: through.length === 0 ? null : isoText(Math.min(...through)),
    tables: filled.map(({ table, rows }) => {
      const status = byTable.get(table);
      return {
        table,
        rows,
        newest_record_at: status?.newestRecordAt === undefined ? null : millisecondText(status.newestRecordAt),
        data_through: textOf(status?.through),
        data_since: textOf(status?.since),
        is_daily: status?.isDaily ?? false,
        schedule_seconds: status?.scheduleSeconds ?? null,
        missing: status?.missing ?? [],
      };
    }),
    stale: isSample
      ? []
      : known.flatMap(({ table, stale }) =>
          stale ? [{ table, since: isoText(stale.since), source: stale.source ?? null }] : [],
        ),
  };
}

const textOf = (seconds: number | undefined): string | null => (seconds === undefined ? null : isoText(seconds));
const millisecondText = (seconds: number): string => new Date(seconds * 1_000).toISOString();
