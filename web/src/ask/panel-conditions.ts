import type { PickedBy } from './picked-rows.ts';

/** Names in a panel's `where` that are no columns: they choose rows in ways that no filter can. */
export interface RowPicks {
  /** The date that decides which rows are in the window; by default that of the metric. */
  readonly date_field?: string | null | undefined;
  /** `0` is Monday, in the organisation's time zone. */
  readonly weekday?: string | null | undefined;
  /** The hour of the day, in the same time zone. */
  readonly hour?: string | null | undefined;
  /** The column with the moment that these two are of; by default the date that decides which rows are in the window. */
  readonly moment?: string | null | undefined;
  /** The value of the row is at least this, and below `value_until`: a bar of a histogram. */
  readonly value_from?: string | null | undefined;
  readonly value_until?: string | null | undefined;
  /** `records`: the mark counts the records behind the metric; it does not show the metric itself. */
  readonly counted?: string | null | undefined;
}

export const hasRowPicks = ({ weekday, hour, value_from, value_until }: RowPicks): boolean =>
  [weekday, hour, value_from, value_until].some((one) => typeof one === 'string');

/** The conditions that these names put on rows. `value` and `date` are the columns that hold a row's value and date. */
export function conditionsOf(
  { weekday, hour, moment, value_from, value_until }: RowPicks,
  { value, date, zone }: { readonly value: string; readonly date: string | null; readonly zone: string },
): PickedBy[] {
  const at = moment ?? date;
  const hasEdge = typeof value_from === 'string' || typeof value_until === 'string';
  const until = typeof value_until === 'string' ? Number(value_until) : null;
  return [
    ...(typeof weekday === 'string' && at !== null
      ? [{ column: at, is: 'weekday', day: Number(weekday), zone } as const]
      : []),
    ...(typeof hour === 'string' && at !== null ? [{ column: at, is: 'hour', hour: Number(hour), zone } as const] : []),
    ...(hasEdge ? [{ column: value, is: 'within', from: Number(value_from ?? 0), until } as const] : []),
  ];
}
