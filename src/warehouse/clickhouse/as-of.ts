import { orderColumn, type Table } from '../../catalogue/table.ts';
import type { PublishedData, RowsLayout } from '../../store/writer-turns.ts';
import { integer, integers, ourText, raw, type Sql, sql, text } from '../sql/sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { clickhouseDialect } from './dialect.ts';
import { mayBeWithin } from './layout.ts';
import { endsApart, firstLayout, newestLayout } from './row-ends.ts';
import { namedColumns } from './statement.ts';

/** A state of an organisation's tables: everything up to a change, but for what lost writers left behind. */
export interface Moment {
  readonly organisationId: string;
  /** The last change that belongs to it. */
  readonly change: number;
  /** Changes that were never published and never will be. */
  readonly dead: readonly number[];
  /** How rows of the organisation end, and where ends are to be looked up. */
  readonly layout: RowsLayout;
}

/** The last published change. Without one, no row is in an earlier layout. */
export const momentOf = (organisationId: string, { version, dead, layout }: PublishedData): Moment => ({
  organisationId,
  change: version,
  dead,
  layout: layout ?? (version === 0 ? newestLayout : firstLayout),
});

/** How many steps a change can have: each time that it is flushed is one. */
const maxSteps = 65_536;

/** What rows are marked with that begin or end in a step of a change. Stamps grow with changes, and with their steps. */
export function stampOf(change: number, step: number): number {
  if (step >= maxSteps) throw new Error(`a change has ${maxSteps} steps at most`);
  return change * maxSteps + step;
}

/** The first stamp of a later change. */
export const stampAfter = (change: number): Sql => sql`${integer(stampOf(change + 1, 0))}`;

/** The change that a stamp is of. */
export const changeOf = (stamp: Sql): Sql => sql`toInt64(intDiv(${stamp}, ${raw(String(maxSteps))}))`;

export const isDead = (stamp: Sql, dead: readonly number[]): Sql => sql`has(${integers(dead)}, ${changeOf(stamp)})`;

/** Whether a stamp belongs to a moment. */
export function isStampOf({ change, dead }: Pick<Moment, 'change' | 'dead'>, stamp: Sql): Sql {
  const isBefore = sql`${stamp} < ${stampAfter(change)}`;
  return dead.length === 0 ? isBefore : sql`${isBefore} AND NOT ${isDead(stamp, dead)}`;
}

/** Whether a row belongs to a moment: it began by then, and had not ended. */
function isAlive(table: Table, moment: Moment): Sql {
  const hasBegun = isStampOf(moment, raw('_since'));
  if (!endsApart(table, moment.layout)) return sql`${hasBegun} AND ${hasNoEndingCopy(moment)}`;
  if (!(table.name in moment.layout.ends)) return hasBegun;
  return sql`${hasBegun} AND (_since, _n) NOT IN (${endsOf(table, moment, isStampOf(moment, raw('_ended')))})`;
}

/** Said of rows under FINAL, which leaves the copy with the latest end. A row that a lost writer ended still lives. */
function hasNoEndingCopy({ change, dead }: Moment): Sql {
  const isLater = sql`_ended >= ${stampAfter(change)}`;
  if (dead.length === 0) return sql`(_ended = 0 OR ${isLater})`;
  return sql`(_ended = 0 OR ${isLater} OR ${isDead(raw('_ended'), dead)})`;
}

/** Which rows of a table have an end of which something holds. Servers of a cluster look at what they hold themselves. */
export const endsOf = (
  table: Table,
  organisation: Pick<Moment, 'organisationId'>,
  where: Sql,
  ends: Sql = raw('ends'),
): Sql =>
  sql`SELECT _since, _n FROM ${ends} WHERE ${isOfOrganisation(organisation)} AND of_table = ${ourText(table.name)} AND ${where}`;

export const isOfOrganisation = ({ organisationId }: Pick<Moment, 'organisationId'>): Sql =>
  sql`organisation = ${text(organisationId)}`;

/**
 * The only way from a table to FROM: the rows of one organisation at one moment. What they must match is checked before
 * other columns are read, and before FINAL, which is safe as long as it asks for nothing that ending a row changes: both
 * copies of a row match it alike.
 */
export function tableAsOf(table: Table, moment: Moment, matching?: Sql, columns = raw('*')): Sql {
  const final = raw(endsApart(table, moment.layout) ? '' : ' FINAL');
  const from = matching ? sql` AS t${final} PREWHERE ${matching}` : final;
  return sql`(SELECT ${columns} FROM ${clickhouseDialect.identifier(table.name)}${from} WHERE ${isOfOrganisation(moment)} AND ${isAlive(table, moment)})`;
}

/** The tables of one organisation at one moment, in words of this engine. */
export const sqlContextOf = (moment: Moment): SqlContext => ({
  dialect: clickhouseDialect,
  table: (table, span) => {
    const columns = namedColumns(table, span !== undefined && span.column === orderColumn(table));
    return tableAsOf(table, moment, span && mayBeWithin(table, span), columns);
  },
});
