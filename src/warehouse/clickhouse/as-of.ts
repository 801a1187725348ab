import { orderColumn, type Table } from '../../catalogue/table.ts';
import { integer, integers, raw, type Sql, sql, text } from '../sql/sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { clickhouseDialect } from './dialect.ts';
import { mayBeWithin } from './layout.ts';
import { namedColumns } from './named-columns.ts';

/** A state of an organisation's tables: everything up to a change, but for what lost writers left behind. */
export interface Moment {
  readonly organisationId: string;
  /** The last change that belongs to it. */
  readonly change: number;
  /** Changes that were never published and never will be. */
  readonly dead: readonly number[];
}

/** How many steps a change can have: each time that it is flushed is one. */
const maxSteps = 65_536;

/** What rows are marked with that begin or end in a step of a change. Stamps grow with changes, and with their steps. */
export function stampOf(change: number, step: number): number {
  if (step >= maxSteps) throw new Error(`a change has ${maxSteps} steps at most`);
  return change * maxSteps + step;
}

/** The change that a stamp is of. */
export const changeOf = (stamp: Sql): Sql => sql`toInt64(intDiv(${stamp}, ${raw(String(maxSteps))}))`;

export const isDead = (stamp: Sql, dead: readonly number[]): Sql => sql`has(${integers(dead)}, ${changeOf(stamp)})`;

/**
 * Whether a row belongs to a moment: it began by then, and had not ended. A row that a lost writer ended still lives.
 * Only said of rows under FINAL, which leaves the copy with the latest end.
 */
function isAlive({ change, dead }: Moment): Sql {
  const next = integer(stampOf(change + 1, 0));
  const [since, ended] = [raw('_since'), raw('_ended')];
  if (dead.length === 0) return sql`_since < ${next} AND (_ended = 0 OR _ended >= ${next})`;
  return sql`_since < ${next} AND NOT ${isDead(since, dead)} AND (_ended = 0 OR _ended >= ${next} OR ${isDead(ended, dead)})`;
}

export const isOfOrganisation = ({ organisationId }: Pick<Moment, 'organisationId'>): Sql =>
  sql`organisation = ${text(organisationId)}`;

/**
 * The only way from a table to FROM: the rows of one organisation at one moment. What they must match is checked before
 * other columns are read, and before FINAL, which is safe as long as it asks for nothing that ending a row changes: both
 * copies of a row match it alike.
 */
export const tableAsOf = (table: Table, moment: Moment, matching?: Sql, columns = raw('*')): Sql =>
  sql`(SELECT ${columns} FROM ${clickhouseDialect.identifier(table.name)}${matching ? sql` AS t FINAL PREWHERE ${matching}` : raw(' FINAL')} WHERE ${isOfOrganisation(moment)} AND ${isAlive(moment)})`;

/** The tables of one organisation at one moment, in words of this engine. */
export const sqlContextOf = (moment: Moment): SqlContext => ({
  dialect: clickhouseDialect,
  table: (table, span) =>
    tableAsOf(
      table,
      moment,
      span && mayBeWithin(table, span),
      namedColumns(table, span?.column === orderColumn(table) && span !== undefined),
    ),
});
