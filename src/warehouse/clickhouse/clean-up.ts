import type { Table } from '../../catalogue/table.ts';
import type { PublishedData, WriterTurns } from '../../store/writer-turns.ts';
import { storedTables } from '../schema.ts';
import { integer, integers, joined, listed, raw, type Sql, sql } from '../sql/sql.ts';
import { changeOf, isDead, isOfOrganisation, stampOf } from './as-of.ts';
import { clickhouseDialect } from './dialect.ts';
import { type ClickHouseEngine, maxSeconds } from './engine.ts';
import { deleteRows, holding, type Place } from './layout.ts';
import { statementFor } from './statement.ts';

interface CleanUpTerms {
  /** How long rows are kept that ended: longer than anybody reads one state, and than a lost writer can still write. */
  readonly endedMs: number;
  /** How long rows of dead changes are kept. */
  readonly deadMs: number;
}

const defaultTerms: CleanUpTerms = { endedMs: 15 * 60_000, deadMs: 24 * 3_600_000 };

interface Sighting extends PublishedData {
  readonly at: number;
}

/** The state of one organisation. */
interface Observed {
  /** What was published, each time that it was something else. */
  readonly seen: readonly Sighting[];
  /** Up to where it was cleaned. */
  readonly cleaned?: { readonly settled: Sighting; readonly buried: Sighting | undefined } | undefined;
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
  readonly #observed = new Map<string, Observed>();

  constructor(
    engine: ClickHouseEngine,
    place: Place,
    turns: Pick<WriterTurns, 'forgetDead'>,
    terms: CleanUpTerms = defaultTerms,
  ) {
    this.#engine = engine;
    this.#place = place;
    this.#turns = turns;
    this.#terms = terms;
  }

  /** Says whether nothing is left that has to wait for its time. */
  async run(organisationId: string, published: PublishedData, now: number): Promise<boolean> {
    const { endedMs, deadMs } = this.#terms;
    const { seen: before, cleaned } = this.#observed.get(organisationId) ?? { seen: [] };
    const seen = isSame(before.at(-1), published) ? before : [...before, { ...published, at: now }];
    const settled = seen.findLast(({ at }) => now - at >= endedMs);
    const buried = seen.findLast(({ at }) => now - at >= deadMs);
    const kept = seen.slice(buried ? seen.indexOf(buried) : 0);
    this.#observed.set(organisationId, { seen: kept, cleaned });
    if (!settled) return false;
    if (settled !== cleaned?.settled || buried !== cleaned.buried) {
      await this.#clean(organisationId, published.dead, settled.version, buried?.dead ?? []);
      this.#observed.set(organisationId, { seen: kept, cleaned: { settled, buried } });
    }
    return settled.version === published.version && published.dead.every((change) => buried?.dead.includes(change));
  }

  async #clean(
    organisationId: string,
    dead: readonly number[],
    settledVersion: number,
    buried: readonly number[],
  ): Promise<void> {
    const isOver = sql`(_ended > 0 AND _ended < ${integer(stampOf(settledVersion + 1, 0))} AND NOT ${isDead(raw('_ended'), dead)})`;
    const isLost = isDead(raw('_since'), buried);
    for (const { table, over, lost } of await this.#count(organisationId, isOver, isLost)) {
      if (over > 0) await this.#removeOver(organisationId, table, isOver);
      if (lost > 0) await this.#delete(organisationId, table.name, isLost);
    }
    await this.#removeChanges(organisationId, settledVersion);
    await this.#forget(organisationId, buried);
  }

  /** The last one says what the older ones did, unless copies of the directory were changed beside it. */
  async #removeChanges(organisationId: string, settledVersion: number): Promise<void> {
    const last = sql`${isOfOrganisation({ organisationId })} AND change = ${integer(settledVersion)}`;
    const statement = statementFor(sql`SELECT max(directory_version) FROM changes WHERE ${last}`);
    const [shown] = await this.#engine.lines(statement, { seconds: maxSeconds });
    const isOlder = sql`change < ${integer(settledVersion)} AND directory_version <= ${integer(Number(shown))}`;
    await this.#delete(organisationId, 'changes', isOlder);
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
    const found = new Set((await this.#engine.lines(statement, { seconds: maxSeconds })).map(Number));
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
    const lines = await this.#engine.lines(statementFor(joined(each, '\nUNION ALL ')), { seconds: maxSeconds });
    return lines.flatMap((line) => {
      const [i, over, lost] = JSON.parse(line) as [number, number, number];
      const table = storedTables[i];
      return table ? [{ table, over, lost }] : [];
    });
  }

  /** First the copies that do not know of the end, then those that do: the other way round would bring rows back. */
  async #removeOver(organisationId: string, table: Table, isOver: Sql): Promise<void> {
    const life = listed([...table.key.map((column) => clickhouseDialect.identifier(column)), raw('_since')]);
    // Each server looks at the rows that it holds itself: those of an organisation lie together.
    const over = sql`SELECT ${life} FROM ${raw(holding(table.name, this.#place))} WHERE ${isOfOrganisation({ organisationId })} AND ${isOver}`;
    await this.#delete(organisationId, table.name, sql`NOT ${isOver} AND (${life}) IN (${over})`);
    await this.#delete(organisationId, table.name, isOver);
  }

  async #delete(organisationId: string, name: string, where: Sql): Promise<void> {
    const said = statementFor(sql`${isOfOrganisation({ organisationId })} AND ${where}`);
    await this.#engine.run({ ...said, sql: `${deleteRows(name, this.#place)} ${said.sql}` });
  }
}

const isSame = (one: PublishedData | undefined, other: PublishedData): boolean =>
  one?.version === other.version && one.dead.join() === other.dead.join();
