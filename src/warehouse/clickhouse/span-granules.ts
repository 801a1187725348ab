import { orderColumn, storedColumns, type Table } from '../../catalogue/table.ts';
import type { Span } from '../../query/plan.ts';
import { date, raw, type Sql, sql, timestamp } from '../sql/sql.ts';
import { quotedName } from './quoted-name.ts';

/**
 * A date of a table, said so that the engine skips granules by it; an index has to say the very same. Rows are sorted by
 * `_at`, which is the date that they are in order of. An index of another date would be of no use as it is: to it a row
 * without the date is later than everything, and nearly every granule has one. Such a row stands among its neighbours with
 * the time by which it is sorted.
 */
export function prunedBy(table: Table, column: string): string {
  const order = orderColumn(table);
  if (column === order) return '_at';
  const stored = storedColumns(table);
  // Days and seconds are not compared.
  const isAlike = order !== undefined && stored.get(order) === stored.get(column);
  // Not by ifNull, which the engine takes apart, and then finds no index of.
  return isAlike ? `if(isNull(${quotedName(column)}), _at, assumeNotNull(${quotedName(column)}))` : quotedName(column);
}

/** True of every row within a span, and of few others. Ending a row does not change it. */
export function mayBeWithin(table: Table, span: Span): Sql {
  const at = raw(prunedBy(table, span.column));
  return span.type === 'date'
    ? sql`${at} >= ${date(span.from)} AND ${at} <= ${date(span.to)}`
    : sql`${at} >= ${timestamp(span.from)} AND ${at} < ${timestamp(span.until)}`;
}
