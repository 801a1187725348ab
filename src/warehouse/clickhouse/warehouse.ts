import { setTimeout as pause } from 'node:timers/promises';
import { serviceTicket, ticketOf } from '../../admission/ticket.ts';
import type { Row, Table } from '../../catalogue/table.ts';
import type { AnswerRow, Query, QuerySession } from '../../query/plan.ts';
import type { ExplainedSql, QuestionOptions } from '../../query/question-port.ts';
import { Refusal } from '../../refusal.ts';
import type { PublishedData, Writer, WriterTurn, WriterTurns } from '../../store/writer-turns.ts';
import type { ChangeOptions, ReadOptions, StreamOptions, TableReader, TableWriter } from '../intake-port.ts';
import { storedTables } from '../schema.ts';
import { renderAnswer } from '../sql/query-sql.ts';
import { sql, text } from '../sql/sql.ts';
import type { Warehouse } from '../warehouse.ts';
import { type Moment, momentOf, sqlContextOf } from './as-of.ts';
import { type ClickHouseEngine, maxSeconds } from './engine.ts';
import { away, removalTakesLong, stillWritten } from './engine-failures.ts';
import { deleteRows, type Place } from './layout.ts';
import { LeasedStatements, ServerClock } from './leased-statements.ts';
import { Leavers } from './leavers.ts';
import { MovingStatements } from './moving-statements.ts';
import { ReadingStatements } from './reading-statements.ts';
import { firstLayout, newestLayout } from './row-ends.ts';
import { type ClickHouseParts, type ClickHouseSettings, connect, type TablesFound } from './set-up.ts';
import { statementFor } from './statement.ts';
import type { WriterMoment } from './superseded-rows.ts';
import { ChangeWriter } from './table-changing.ts';
import { latestChangeTime, MomentReader, momentQuerySession, rowsOf, selectInOrder } from './table-reading.ts';

const defaultStatementSeconds = 30;
/** The same time as other waits of a request. */
const maxKnownMs = 2_000;
const knownRetryMs = 25;

/** How long a removal waits for a writer: longer than a writer that was killed keeps its turn. */
const removalWaitsMs = 45_000;

export const openClickHouseWarehouse = async (
  settings: ClickHouseSettings,
  writerTurns: WriterTurns,
): Promise<ClickHouseWarehouse> => new ClickHouseWarehouse(await connect(settings, writerTurns));

/** The tables of all organisations in one database of a server or a cluster, written by any number of processes. */
export class ClickHouseWarehouse implements Warehouse {
  readonly moving: MovingStatements;
  readonly #engine: ClickHouseEngine;
  readonly #writerTurns: WriterTurns;
  readonly #place: Place;
  readonly #seconds: number;
  readonly #tables: TablesFound;
  readonly #clock: ServerClock;
  readonly #readers: ReadingStatements;
  readonly #leavers = new Leavers();
  /** The versions at which organisations were removed here. */
  readonly #removed = new Map<string, number>();

  constructor({ engine, writerTurns, place, tables, statementSeconds = defaultStatementSeconds }: ClickHouseParts) {
    this.#engine = engine;
    this.#clock = new ServerClock(() => engine.now());
    this.#readers = new ReadingStatements(engine);
    this.#writerTurns = writerTurns;
    this.#place = place;
    this.#tables = tables;
    this.#seconds = statementSeconds;
    this.moving = new MovingStatements({
      engine,
      momentNow: (organisationId, signal) => this.#momentNow(organisationId, signal),
      change: (organisationId, work) => this.changeTables(organisationId, work),
    });
  }

  async read<T>(
    organisationId: string,
    work: (reader: TableReader) => Promise<T>,
    { ticket = serviceTicket(organisationId) }: ReadOptions = {},
  ): Promise<T> {
    const moment = await this.#momentNow(organisationId, ticket.signal);
    return work(new MomentReader(this.#readers.lines(ticket, { seconds: this.#seconds }), moment));
  }

  change<T>(
    organisationId: string,
    work: (writer: TableWriter) => Promise<T>,
    options: ChangeOptions = {},
  ): Promise<T> {
    return this.changeTables(organisationId, work, options);
  }

  /** The same with what only an engine can ask of its own writer. */
  protected changeTables<T>(
    organisationId: string,
    work: (writer: ChangeWriter) => Promise<T>,
    options: ChangeOptions = {},
  ): Promise<T> {
    let writing: ChangeWriter | undefined;
    const writer: Writer = {
      ...options,
      // Known only at the end, when it is asked for.
      get isUndone() {
        return !writing?.hasWritten;
      },
    };
    return this.#writerTurns.inTurn(
      organisationId,
      async (ownTurn) => {
        await this.publishedSoon(organisationId);
        const held = this.holds(organisationId);
        const moment = this.#momentOfWriter(organisationId, ownTurn);
        const statements = new LeasedStatements(this.#engine, ownTurn, this.#clock);
        writing = new ChangeWriter(statements, moment, () => ownTurn.leaveCopies());
        const result = await work(writing);
        if (held && !writing.hasChanged) return result;
        await writing.finish(new Date());
        await ownTurn.publish(writing.layout);
        return result;
      },
      writer,
    );
  }

  /** Nothing of an organisation is in an earlier layout where it has nothing yet, or all tables have the newest one. */
  #momentOfWriter(organisationId: string, { change, before }: WriterTurn): WriterMoment {
    const { version: published, dead, layout } = before;
    const isNew = published === 0 && this.#tables.layout === newestLayout.version;
    const { version, ends } = layout ?? (isNew ? newestLayout : firstLayout);
    return { organisationId, change, dead, layout: { version, ends: { ...ends } } };
  }

  async ask<T>(
    organisationId: string,
    work: (session: QuerySession) => Promise<T>,
    { ticket = serviceTicket(organisationId) }: QuestionOptions = {},
  ): Promise<T> {
    ticket.signal?.throwIfAborted();
    const moment = await this.#momentNow(organisationId, ticket.signal);
    const terms = { seconds: this.#seconds, isQuestion: true };
    // Looked up once for all questions of a state.
    const all = this.#readers.lines(serviceTicket(organisationId), { seconds: this.#seconds });
    const leavers = await this.#leavers.of(moment, all);
    const [lines, shortLines] = [this.#readers.lines(ticket, terms), this.#readers.shortLines(ticket, terms)];
    return work(momentQuerySession({ lines, shortLines, leavers }, moment));
  }

  async *answers(
    organisationId: string,
    query: Query,
    { ticket = serviceTicket(organisationId) }: QuestionOptions = {},
  ): AsyncGenerator<AnswerRow[]> {
    const moment = await this.#momentNow(organisationId, ticket.signal);
    const statement = statementFor(renderAnswer(sqlContextOf(moment), query));
    const terms = { seconds: this.#seconds, isQuestion: true };
    for await (const lines of this.#readers.stream(ticket, statement, terms)) {
      yield lines.map((line) => JSON.parse(line) as AnswerRow);
    }
  }

  lines(): undefined {
    return undefined;
  }

  explainSql(organisationId: string, query: Query): ExplainedSql {
    const moment = momentOf(organisationId, this.#published(organisationId));
    const { sql: said, values } = statementFor(renderAnswer(sqlContextOf(moment), query));
    const parameters = Object.values(values).map((value) =>
      typeof value === 'object' ? JSON.stringify(value) : value,
    );
    return { sql: said, parameters };
  }

  versionOf(organisationId: string): number | undefined {
    return this.#writerTurns.published(organisationId)?.version;
  }

  async changedAt(organisationId: string): Promise<Date | undefined> {
    const moment = await this.#momentNow(organisationId);
    const [seconds] = await this.#engine.lines(latestChangeTime(moment), { seconds: this.#seconds });
    return seconds === undefined ? undefined : new Date(Number(seconds) * 1_000);
  }

  async *stream(
    organisationId: string,
    table: Table,
    columns: readonly string[],
    { signal, batchRows = 5_000 }: StreamOptions = {},
  ): AsyncGenerator<never[]> {
    const moment = await this.#momentNow(organisationId, signal);
    const statement = selectInOrder(table, columns, moment);
    let batch: Row[] = [];
    const ticket = serviceTicket(organisationId, signal);
    for await (const lines of this.#readers.stream(ticket, statement, { seconds: maxSeconds })) {
      for (const row of rowsOf(table, columns, lines)) {
        batch.push(row);
        if (batch.length < batchRows) continue;
        yield batch as never[];
        batch = [];
      }
    }
    if (batch.length > 0) yield batch as never[];
  }

  async organisations(): Promise<string[]> {
    return (await this.#organisationsWithRows()).filter(({ id }) => this.holds(id)).map(({ id }) => id);
  }

  /**
   * Organisations with rows that this store neither published nor knows to be dead: they belong to another store. Where the
   * first writer of an organisation was killed, all that is there is dead.
   */
  async organisationsOfOthers(): Promise<string[]> {
    return (await this.#organisationsWithRows())
      .filter(({ id, change }) => !this.holds(id) && !this.#writerTurns.lastKnown(id).dead.includes(change))
      .map(({ id }) => id);
  }

  /** Each with the last change that wrote to it. */
  async #organisationsWithRows(): Promise<{ readonly id: string; readonly change: number }[]> {
    const statement = 'SELECT toJSONString(tuple(organisation, max(change))) FROM changes GROUP BY organisation';
    const terms = { seconds: this.#seconds, isOfAll: true };
    const lines = await this.#engine.lines({ sql: statement, values: {} }, terms);
    const found = lines.map((line) => JSON.parse(line) as [string, number]).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [id] of found) await this.publishedSoon(id);
    return found.map(([id, change]) => ({ id, change }));
  }

  holds(organisationId: string): boolean {
    const removed = this.#removed.get(organisationId) ?? 0;
    // Rows that were once stored are there until they are removed, also while nobody knows what is published now.
    return this.#writerTurns.lastKnown(organisationId).version > removed;
  }

  async remove(organisationId: string): Promise<void> {
    let hasBegun = false;
    const removing = async ({ change, publish }: WriterTurn) => {
      hasBegun = true;
      // A removal that was cut off is found by its changes, so these go last.
      const names = [...storedTables.map((table) => table.name), 'ends', 'changes'];
      const until = performance.now() + maxSeconds * 1_000;
      for (const name of names) await this.#removeRows(organisationId, name, until);
      await publish();
      this.#removed.set(organisationId, change);
    };
    // First of all that waits: what others want to write is removed anyway.
    const ticket = ticketOf(serviceTicket(organisationId), removalWaitsMs);
    await this.#writerTurns.inTurn(organisationId, removing, { ticket, isFirst: true }).catch((error: unknown) => {
      throw hasBegun || ticket.waiting.leftMs > removalWaitsMs / 10 ? error : stillWritten(error);
    });
  }

  /** All tables together have as long as one statement may take. */
  async #removeRows(organisationId: string, name: string, until: number): Promise<void> {
    const where = statementFor(sql`organisation = ${text(organisationId)}`);
    const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1_000));
    try {
      await this.#engine.run({ ...where, sql: `${deleteRows(name, this.#place)} ${where.sql}` }, seconds);
    } catch (error) {
      throw error instanceof Refusal && error.reason === 'too-slow' ? removalTakesLong(maxSeconds, error) : error;
    }
  }

  /** Takes no turn: where many questions wait the tables are there all the same. */
  async ready(): Promise<void> {
    await this.#engine.lines({ sql: 'SELECT 1', values: {} }, { seconds: 1 });
  }

  clock(): Promise<number> {
    return this.#engine.now();
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /**
   * What questions are answered from now. On a machine that is busy that may be known too late for a moment: that is
   * waited for, and no longer.
   */
  protected async publishedSoon(organisationId: string, signal?: AbortSignal): Promise<PublishedData> {
    const until = performance.now() + maxKnownMs;
    while (!this.#writerTurns.published(organisationId) && performance.now() < until) {
      await pause(knownRetryMs, undefined, signal ? { signal } : {});
    }
    return this.#published(organisationId);
  }

  #published(organisationId: string): PublishedData {
    const published = this.#writerTurns.published(organisationId);
    if (!published) throw away();
    return published;
  }

  async #momentNow(organisationId: string, signal?: AbortSignal): Promise<Moment> {
    return momentOf(organisationId, await this.publishedSoon(organisationId, signal));
  }
}
