import type { tables } from './catalogue.ts';

export type TableName = keyof typeof tables;

/** How far the rows of a table reach. */
export interface TableReach {
  readonly table: string;
  /** The moment up to which the rows are complete; null where there are none. */
  readonly data_through: string | null;
  /** The moment from which on rows are known; null where there are none. */
  readonly data_since: string | null;
}

/** The moment up to which all of some tables are complete, in seconds. Undefined where nothing is known of any of them. */
export function throughOf(reach: readonly TableReach[], names: readonly string[]): number | undefined {
  const known = reach.flatMap(({ table, data_through }) =>
    names.includes(table) && data_through !== null ? [Date.parse(data_through) / 1_000] : [],
  );
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The moment from which on all of some tables are known, in seconds. Undefined where nothing is known of any of them. */
export function sinceOf(reach: readonly TableReach[], names: readonly string[]): number | undefined {
  const known = reach.flatMap(({ table, data_since }) =>
    names.includes(table) && data_since !== null ? [Date.parse(data_since) / 1_000] : [],
  );
  return known.length === 0 ? undefined : Math.max(...known);
}
