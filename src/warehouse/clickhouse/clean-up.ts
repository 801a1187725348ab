import type { Table } from '../../catalogue/table.ts';
import type { PublishedData, WriterTurns } from '../../store/writer-turns.ts';
import { storedTables } from '../schema.ts';
import { integer, integers, joined, listed, raw, type Sql, sql } from '../sql/sql.ts';
import { changeOf, isDead, isOfOrganisation, stampOf } from './as-of.ts';
import { clickhouseDialect } from './dialect.ts';
import { type ClickHouseEngine, secondsMost } from './engine.ts';
import { deleteRows, type Place } from './layout.ts';
import { statementFor } from './statement.ts';

interface CleanUpTerms {
  /** How long rows are kept that ended: longer than anybody reads one state, and than a lost writer can still write. */
  readonly endedMs: number;
  /** How long rows of dead changes are kept. */
  readonly deadMs: number;
}

const usualTerms: CleanUpTerms = { endedMs: 15 * 60_000, deadMs: 24 * 3_600_000 };

interface Sighting extends PublishedData {
  readonly at: number;
}

/**
 * Removes rows that nobody can see any more. What was published long ago is known from having seen it then, so a process
 * removes nothing in its first minutes. Several processes may do the same at once: it is removed only once.
 */
export class CleanUp {
  readonly #engine: ClickHouseEngine;
  readonly #place: Place;
  readonly #turns: Pick<WriterTurns, 'forgetDead'>;
  readonly #terms: CleanUpTerms;
  readonly #seen = new Map<string, Sighting[]>();

  constructor(
    engine: ClickHouseEngine,
    place: Place,
    turns: Pick<WriterTurns, 'forgetDead'>,
    terms: CleanUpTerms = usualTerms,
  ) {
    this.#engine = engine;
    this.#place = place;
    this.#turns = turns;
    this.#terms = terms;
  }

  async run(organisationId: string, published: PublishedData, now: number): Promise<void> {
    const { endedMs, deadMs } = this.#terms;
    const seen = [...(this.#seen.get(organisationId) ?? []), { ...published, at: now }];
    const settled = seen.findLast(({ at }) => now - at >= endedMs);
    const buried = seen.findLast(({ at }) => now - at >= deadMs);
    this.#seen.set(organisationId, seen.slice(buried ? seen.indexOf(buried) : 0));
    if (!settled) return;
    const isOver = sql`(_ended > 0 AND _ended < ${integer(stampOf(settled.version + 1, 0))} AND NOT ${isDead(raw('_ended'), published.dead)})`;
    const isLost = isDead(raw('_since'), buried?.dead ?? []);
    for (const { table, over, lost } of await this.#count(organisationId, isOver, isLost)) {
      if (over > 0) await this.#removeOver(organisationId, table, isOver);
      if (lost > 0) await this.#delete(organisationId, table.name, isLost);
    }
    await this.#delete(organisationId, 'changes', sql`change < ${integer(settled.version)}`);
    await this.#forget(organisationId, buried?.dead ?? []);
  }

  /** A row that a lost writer ended lives on because that change is dead, until the row itself is changed. */
  async #forget(organisationId: string, dead: readonly number[]): Promise<void> {
    if (dead.length === 0) return;
    const ours = isOfOrganisation({ organisationId });
    const [since, ended] = [changeOf(raw('_since')), changeOf(raw('_ended'))];
    const each = storedTables.map(
      ({ name }) =>
        sql`SELECT arrayJoin([${since}, ${ended}]) AS change FROM ${clickhouseDialect.identifier(name)} WHERE ${ours}`,
    );
    const all = joined([sql`SELECT toInt64(change) AS change FROM changes WHERE ${ours}`, ...each], '\nUNION ALL ');
    const statement = statementFor(sql`SELECT DISTINCT change FROM (${all}) WHERE has(${integers(dead)}, change)`);
    const found = new Set((await this.#engine.lines(statement, { seconds: secondsMost })).map(Number));
    const gone = dead.filter((change) => !found.has(change));
    if (gone.length > 0) await this.#turns.forgetDead(organisationId, gone);
  }

  /** How much there is to remove of each table, in one statement: mostly it is nothing. */
  async #count(
    organisationId: string,
    isOver: Sql,
    isLost: Sql,
  ): Promise<{ readonly table: Table; readonly over: number; readonly lost: number }[]> {
    const each = storedTables.map(
      ({ name }, i) =>
        sql`SELECT toJSONString(tuple(${raw(String(i))}, countIf(${isOver}), countIf(${isLost}))) FROM ${clickhouseDialect.identifier(name)} WHERE ${isOfOrganisation({ organisationId })}`,
    );
    const lines = await this.#engine.lines(statementFor(joined(each, '\nUNION ALL ')), { seconds: secondsMost });
    return lines.flatMap((line) => {
      const [i, over, lost] = JSON.parse(line) as [number, number, number];
      const table = storedTables[i];
      return table ? [{ table, over, lost }] : [];
    });
  }

  /** First the copies that do not know of the end, then those that do: the other way round would bring rows back. */
  async #removeOver(organisationId: string, table: Table, isOver: Sql): Promise<void> {
    const life = listed([...table.key.map((column) => clickhouseDialect.identifier(column)), raw('_since')]);
    const over = sql`SELECT ${life} FROM ${clickhouseDialect.identifier(table.name)} WHERE ${isOfOrganisation({ organisationId })} AND ${isOver}`;
    await this.#delete(organisationId, table.name, sql`NOT ${isOver} AND (${life}) IN (${over})`);
    await this.#delete(organisationId, table.name, isOver);
  }

  async #delete(organisationId: string, name: string, where: Sql): Promise<void> {
    const said = statementFor(sql`${isOfOrganisation({ organisationId })} AND ${where}`);
    await this.#engine.run({ ...said, sql: `${deleteRows(name, this.#place)} ${said.sql}` });
  }
}
