import type { Row, Table } from '../../catalogue/table.ts';
import { integer, listed, ourText, raw, type Sql, sql, text } from '../sql/sql.ts';
import { isOfOrganisation, type Moment, tableAsOf } from './as-of.ts';
import { condition } from './condition-sql.ts';
import { clickhouseDialect } from './dialect.ts';
import type { LeasedStatements } from './leased-statements.ts';
import { statementFor } from './statement.ts';

/** What a change reads: it sees its own ends, too, so that it notes where there are any. */
export interface WriterMoment extends Moment {
  readonly layout: { readonly version: number; readonly ends: Record<string, number> };
}

/** So many keys are said in one statement. */
const keysAtOnce = 20_000;

/**
 * Ends rows of a change. The server writes the ends itself, from rows that are still there, and fails once the turn may be
 * another writer's: an end that is left out would leave a row there twice.
 */
export class EndingRows {
  readonly #statements: LeasedStatements;
  readonly #moment: WriterMoment;

  constructor(statements: LeasedStatements, moment: WriterMoment) {
    this.#statements = statements;
    this.#moment = moment;
  }

  /** Ends the rows with some keys that began before a stamp: each end is a row of its own. */
  async endApart(table: Table, rows: readonly Row[], stamp: number): Promise<void> {
    const keys = rows.map((row) => table.key.map((column) => row[column] ?? null));
    if (keys.length > 0) this.#moment.layout.ends[table.name] = this.#moment.change;
    for (let at = 0; at < keys.length; at += keysAtOnce) {
      const among = keys.slice(at, at + keysAtOnce);
      const named = sql`${condition(table, { columns: table.key, among }, 't')} AND _since < ${integer(stamp)}`;
      const ended = sql`SELECT ${text(this.#moment.organisationId)}, ${ourText(table.name)}, ${integer(stamp)}, _since, _n FROM ${tableAsOf(table, this.#moment, named, raw('_since, _n'))}${await this.#inTurn('WHERE')}`;
      await this.#statements.run(
        statementFor(sql`INSERT INTO ends (organisation, of_table, _ended, _since, _n) ${ended}`),
      );
    }
  }

  /**
   * Ends the rows whose keys begin again with a stamp: each is written once more, with its end. An end that came after a
   * row was cleaned away would bring the row back.
   */
  async endByCopies(table: Table, stamp: number): Promise<void> {
    const key = listed(table.key.map((name) => clickhouseDialect.identifier(name)));
    const name = clickhouseDialect.identifier(table.name);
    const isOurs = isOfOrganisation(this.#moment);
    const begun = sql`SELECT ${key} FROM ${name} WHERE ${isOurs} AND _since = ${integer(stamp)}`;
    const before = sql`${tableAsOf(table, this.#moment, sql`(${key}) IN (${begun})`)} WHERE _since < ${integer(stamp)}${await this.#inTurn('AND')}`;
    // Chosen first, stamped then: a condition on _ended would mean the new one.
    const ended = sql`SELECT * REPLACE (toUInt64(${integer(stamp)}) AS _ended) FROM (SELECT * FROM ${before})`;
    await this.#statements.run(statementFor(sql`INSERT INTO ${name} ${ended}`));
  }

  async #inTurn(after: 'WHERE' | 'AND'): Promise<Sql> {
    const until = await this.#statements.leaseEndsThereAt();
    if (until === undefined) return raw('');
    return sql` ${raw(after)} NOT throwIf(toUnixTimestamp(now()) >= ${integer(Math.floor(until / 1_000))})`;
  }
}
