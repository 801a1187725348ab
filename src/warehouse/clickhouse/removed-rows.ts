import type { Table } from '../../catalogue/table.ts';
import type { WriterTurns } from '../../store/writer-turns.ts';
import { storedTables } from '../schema.ts';
import { integer, integers, joined, listed, ourText, raw, type Sql, sql } from '../sql/sql.ts';
import { changeOf, endsOf, isDead, isOfOrganisation, isStampOf, type Moment, stampAfter } from './as-of.ts';
import { clickhouseDialect } from './dialect.ts';
import { type ClickHouseEngine, maxSeconds } from './engine.ts';
import { deleteRows, holding, type Place } from './layout.ts';
import { endsApart } from './row-ends.ts';
import { statementFor } from './statement.ts';

const since = raw('_since');
const ended = raw('_ended');

/** Removes what nobody can see any more of an organisation: nobody reads a state before the moment. */
export class RemovedRows {
  readonly #engine: ClickHouseEngine;
  readonly #place: Place;
  readonly #turns: Pick<WriterTurns, 'forgetDead' | 'forgetEnds'>;
  readonly #moment: Moment;

  constructor(
    engine: ClickHouseEngine,
    place: Place,
    turns: Pick<WriterTurns, 'forgetDead' | 'forgetEnds'>,
    moment: Moment,
  ) {
    this.#engine = engine;
    this.#place = place;
    this.#turns = turns;
    this.#moment = moment;
  }

  /**
   * Removes rows that have ended, and those of dead changes. Where rows are said to be gone that ended up to a change, only
   * those that ended later are looked for. Says whether there are ends whose rows are gone now.
   */
  async removeRows(buried: readonly number[], gone = 0): Promise<boolean> {
    const isPast = sql`_ended >= ${stampAfter(gone)} AND ${isStampOf(this.#moment, ended)}`;
    const tables = await this.#count(buried, isPast);
    for (const { table, over, lost } of tables) {
      if (over > 0) await this.#removeOver(table, isPast);
      if (lost > 0) await this.#delete(table.name, isDead(since, buried));
    }
    await this.#removeChanges();
    await this.#forgetDead(buried);
    const apart = tables.filter(({ table }) => this.#isApart(table));
    if (apart.length === 0) return false;
    const { organisationId, change } = this.#moment;
    // Only now: a reader who is told that there are no ends would else see the rows.
    await this.#turns.forgetEnds(
      organisationId,
      apart.map(({ table }) => table.name),
      change,
    );
    return apart.some(({ over }) => over > 0);
  }

  /** Removes the ends of rows that are gone, once nobody reads who began before they went. */
  async removeEnds(version: number): Promise<void> {
    await this.#delete('ends', isStampOf({ ...this.#moment, change: version }, ended));
  }

  #isApart(table: Table): boolean {
    return endsApart(table, this.#moment.layout);
  }

  /** The last one says what the older ones did, unless copies of the directory were changed beside it. */
  async #removeChanges(): Promise<void> {
    const { change } = this.#moment;
    const last = sql`${isOfOrganisation(this.#moment)} AND change = ${integer(change)}`;
    const [shown] = await this.#lines(sql`SELECT max(directory_version) FROM changes WHERE ${last}`);
    const isOlder = sql`change < ${integer(change)} AND directory_version <= ${integer(Number(shown))}`;
    await this.#delete('changes', isOlder);
  }

  /** A row that a lost writer ended by a copy lives on because that change is dead, until the row itself is changed. */
  async #forgetDead(dead: readonly number[]): Promise<void> {
    if (dead.length === 0) return;
    await this.#delete('ends', isDead(ended, dead));
    const { organisationId } = this.#moment;
    const ours = isOfOrganisation({ organisationId });
    const each = storedTables.map((table) => {
      const stamps = this.#isApart(table) ? changeOf(since) : sql`arrayJoin([${changeOf(since)}, ${changeOf(ended)}])`;
      return sql`SELECT ${stamps} AS change FROM ${clickhouseDialect.identifier(table.name)} WHERE ${ours}`;
    });
    const all = joined([sql`SELECT toInt64(change) AS change FROM changes WHERE ${ours}`, ...each], '\nUNION ALL ');
    const lines = await this.#lines(sql`SELECT DISTINCT change FROM (${all}) WHERE has(${integers(dead)}, change)`);
    const found = new Set(lines.map(Number));
    const gone = dead.filter((change) => !found.has(change));
    if (gone.length > 0) await this.#turns.forgetDead(organisationId, gone);
  }

  /** How much there is to remove of each table, in one statement: mostly it is nothing. */
  async #count(
    buried: readonly number[],
    isPast: Sql,
  ): Promise<{ readonly table: Table; readonly over: number; readonly lost: number }[]> {
    const ours = isOfOrganisation(this.#moment);
    const each = storedTables.map((table, i) => {
      const over = this.#isApart(table)
        ? sql`(SELECT count() FROM ends WHERE ${ours} AND of_table = ${ourText(table.name)} AND ${isPast})`
        : sql`countIf(${this.#isOver()})`;
      return sql`SELECT toJSONString(tuple(${raw(String(i))}, ${over}, countIf(${isDead(since, buried)}))) FROM ${clickhouseDialect.identifier(table.name)} WHERE ${ours}`;
    });
    const lines = await this.#lines(joined(each, '\nUNION ALL '));
    return lines.flatMap((line) => {
      const [i, over, lost] = JSON.parse(line) as [number, number, number];
      const table = storedTables[i];
      return table ? [{ table, over, lost }] : [];
    });
  }

  async #removeOver(table: Table, isPast: Sql): Promise<void> {
    // Each server looks at the rows that it holds itself: those of an organisation lie together.
    const own = (name: string) => raw(holding(name, this.#place));
    if (this.#isApart(table)) {
      const over = endsOf(table, this.#moment, isPast, own('ends'));
      await this.#delete(table.name, sql`(_since, _n) IN (${over})`);
      return;
    }
    // First the copies that do not know of the end, then those that do: the other way round would bring rows back.
    const life = listed([...table.key.map((column) => clickhouseDialect.identifier(column)), since]);
    const isOver = this.#isOver();
    const over = sql`SELECT ${life} FROM ${own(table.name)} WHERE ${isOfOrganisation(this.#moment)} AND ${isOver}`;
    await this.#delete(table.name, sql`NOT ${isOver} AND (${life}) IN (${over})`);
    await this.#delete(table.name, isOver);
  }

  #isOver(): Sql {
    const { change, dead } = this.#moment;
    return sql`(_ended > 0 AND _ended < ${stampAfter(change)} AND NOT ${isDead(ended, dead)})`;
  }

  #lines(statement: Sql): Promise<string[]> {
    return this.#engine.lines(statementFor(statement), { seconds: maxSeconds });
  }

  async #delete(name: string, where: Sql): Promise<void> {
    const said = statementFor(sql`${isOfOrganisation(this.#moment)} AND ${where}`);
    await this.#engine.run({ ...said, sql: `${deleteRows(name, this.#place)} ${said.sql}` });
  }
}
