import type { Table } from '../../catalogue/table.ts';
import type { RowsLayout } from '../../store/writer-turns.ts';
import { storedTables } from '../schema.ts';
import { joined, listed, ourText, raw, type Sql, sql, text } from '../sql/sql.ts';
import { isDead, isOfOrganisation, type Moment } from './as-of.ts';
import { clickhouseDialect } from './dialect.ts';
import { deleteRows, holding, mergeRows, type Place } from './layout.ts';
import type { LeasedStatements } from './leased-statements.ts';
import { hasEndsApart, newestLayout } from './row-ends.ts';
import { statementFor } from './statement.ts';

/**
 * Brings the rows of an organisation from the first layout, in which a row that ended was there twice, into the newest, in
 * which its end is apart. It is done in the turn of its writer, while readers go on in the first layout: nothing that they
 * see is touched. Each step may be done again.
 */
export async function separateEnds(statements: LeasedStatements, moment: Moment, place: Place): Promise<RowsLayout> {
  const rows = new RowsOfFirstLayout(statements, moment, place);
  const ends: Record<string, number> = {};
  for (const { table, over, spare } of await rows.count()) {
    if (spare > 0) await rows.leaveOneOfEach(table);
    if (over === 0) continue;
    await rows.copyEnds(table);
    ends[table.name] = moment.change;
  }
  return { version: newestLayout.version, ends };
}

const [since, ended] = [raw('_since'), raw('_ended')];

/** The columns that make two rows the same from beginning to end. */
const lifeOf = (table: Table): Sql =>
  listed([...table.key.map((column) => clickhouseDialect.identifier(column)), since]);

interface CountedRows {
  readonly table: Table;
  /** Rows with ends that live. */
  readonly over: number;
  /** Of the others, those that are there beside another that is the same row. */
  readonly spare: number;
}

class RowsOfFirstLayout {
  readonly #statements: LeasedStatements;
  readonly #moment: Moment;
  readonly #place: Place;
  readonly #isOurs: Sql;
  readonly #isOver: Sql;

  constructor(statements: LeasedStatements, moment: Moment, place: Place) {
    this.#statements = statements;
    this.#moment = moment;
    this.#place = place;
    this.#isOurs = isOfOrganisation(moment);
    this.#isOver = sql`(_ended > 0 AND NOT ${isDead(ended, moment.dead)})`;
  }

  async count(tables: readonly Table[] = storedTables.filter(hasEndsApart)): Promise<CountedRows[]> {
    const each = tables.map((table, i) => {
      const rows = sql`SELECT countIf(${this.#isOver}) AS over, countIf(NOT ${this.#isOver}) AS others`;
      const from = sql`FROM ${clickhouseDialect.identifier(table.name)} WHERE ${this.#isOurs}`;
      // In the order that rows lie in: a table of any length takes as little memory as a short one.
      const lives = sql`${rows} ${from} GROUP BY organisation, _at, ${lifeOf(table)} SETTINGS optimize_aggregation_in_order = 1`;
      return sql`SELECT toJSONString(tuple(${raw(String(i))}, sum(over), sum(greatest(others, 1) - 1))) FROM (${lives})`;
    });
    const lines = await this.#statements.lines(statementFor(joined(each, '\nUNION ALL ')));
    return lines.flatMap((line) => {
      const [i, over, spare] = JSON.parse(line) as [number, number, number];
      const table = tables[i];
      return table ? [{ table, over, spare }] : [];
    });
  }

  /**
   * A row that a lost writer ended lives on, and is there twice or more: once without the end. What was sent twice may be
   * there twice as well. Of each the one is left that the engine would leave if it merged them.
   */
  async leaveOneOfEach(table: Table): Promise<void> {
    const { dead } = this.#moment;
    const life = lifeOf(table);
    if (dead.length > 0) {
      // Each server looks at the rows that it holds itself: those of an organisation lie together.
      const own = raw(holding(table.name, this.#place));
      const lost = sql`SELECT ${life} FROM ${own} WHERE ${this.#isOurs} AND ${isDead(ended, dead)}`;
      const last = sql`SELECT ${life}, max(_ended) FROM ${own} WHERE ${this.#isOurs} AND (${life}) IN (${lost}) GROUP BY ${life}`;
      const isSpare = sql`(${life}) IN (${lost}) AND (${life}, _ended) NOT IN (${last})`;
      await this.#run(deleteRows(table.name, this.#place), sql`${this.#isOurs} AND ${isSpare}`);
    }
    const [left] = await this.count([table]);
    if (left && left.spare > 0) await this.#run(mergeRows(table.name, this.#place));
  }

  async copyEnds(table: Table): Promise<void> {
    const { organisationId } = this.#moment;
    const end = sql`${text(organisationId)}, ${ourText(table.name)}, _ended, _since, _n`;
    const from = sql`FROM ${clickhouseDialect.identifier(table.name)} WHERE ${this.#isOurs} AND ${this.#isOver}`;
    await this.#run('INSERT INTO ends (organisation, of_table, _ended, _since, _n) SELECT', sql`${end} ${from}`);
  }

  #run(what: string, said: Sql = raw('')): Promise<void> {
    const statement = statementFor(said);
    return this.#statements.run({ ...statement, sql: `${what} ${statement.sql}` });
  }
}
