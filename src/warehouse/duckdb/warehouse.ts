import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../catalogue/table.ts';
import type { AnswerRow, Query, QuerySession } from '../../query/plan.ts';
import { type ExplainedSql, type QuestionOptions, UnreadableTables } from '../../query/question-port.ts';
import type { FlatColumn } from '../../query/shape/rows.ts';
import { Refusal } from '../../refusal.ts';
import type { Turn } from '../../turns/turn.ts';
import type { Scratch, TableCopy, TableDigest } from '../embedded-port.ts';
import type { ChangeOptions, ReadOptions, StreamOptions, TableReader, TableWriter } from '../intake-port.ts';
import { type AnswerPart, objectOf, renderAnswer, renderRows } from '../sql/query-sql.ts';
import type { EmbeddedWarehouse } from '../warehouse.ts';
import { readObjects, readRows, type SpooledPart, type Spooling, spooledParts, type Visit } from './answer-spool.ts';
import type { Release } from './attached-files.ts';
import { copyPrefix, copyTables, refuseOutside, takeInTables } from './copies.ts';
import { digestTables } from './digests.ts';
import { Engine, temporaryFolder } from './engine.ts';
import { lossOf, notAttached, openedAnew, understood } from './engine-failures.ts';
import { examineFile } from './file-check.ts';
import { Lanes } from './lanes.ts';
import { LeftOutPeople } from './left-out-people.ts';
import { statementSecondsUsual, type WarehouseLimits, writingSeconds } from './limits.ts';
import { MemoryTurns } from './memory-turns.ts';
import { organisationOf, pathOf, schemaOf } from './organisation-file.ts';
import { OrganisationLock } from './organisation-lock.ts';
import { sqlContextOf, statementFor, TaskQuerySession } from './query-session.ts';
import { orderedTables, tidySome, touchTable, wasteOf } from './recluster.ts';
import { streamRows } from './row-stream.ts';
import { Session } from './session.ts';
import { noRoom, SpoolSpace } from './spool-space.ts';
import { beingClosed, Task, type TaskTerms } from './task.ts';
import { inTransaction, type Outcome, streamInTransaction, withoutTransaction } from './transactions.ts';
import { type Tuning, usualTuning } from './tuning.ts';

export type { WarehouseLimits } from './limits.ts';

/** Opens the warehouse in a data folder that this process owns: one file for each organisation, all in one instance. */
export async function openEmbeddedWarehouse(
  folder: string,
  limits: WarehouseLimits = {},
  tuning: Tuning = usualTuning,
): Promise<EmbeddedWarehouse> {
  const place = resolve(folder, 'warehouse');
  mkdirSync(place, { recursive: true, mode: 0o700 });
  removeLeftovers(place);
  const warehouse = new DuckdbWarehouse(place, limits, tuning);
  await warehouse.open();
  return warehouse;
}

/** What a killed process was sorting or copying is of no use to anyone. */
function removeLeftovers(place: string): void {
  rmSync(temporaryFolder(place), { recursive: true, force: true });
  for (const name of readdirSync(place)) {
    if (name.startsWith(copyPrefix)) rmSync(join(place, name), { recursive: true, force: true });
  }
}

/** How long whoever removes an organisation waits for those who read it. */
const removalPatienceMs = 10_000;

/** How long whoever gives space back keeps newcomers waiting for those who are still reading. */
const reclaimingPatienceMs = 2_000;
const headStartMs = 100;
/** Half a million rows each. */
const tidyingsMost = 200;

class DuckdbWarehouse implements EmbeddedWarehouse {
  readonly #place: string;
  readonly #limits: WarehouseLimits;
  readonly #tuning: Tuning;
  readonly #memoryTurns = new MemoryTurns();
  readonly #space: SpoolSpace;
  readonly #lanes = new Lanes();
  readonly #leftOut = new LeftOutPeople();
  readonly #locks = new Map<string, OrganisationLock>();
  /** Deleted rows that giving space back did not get rid of, by organisation and table. */
  readonly #versions = new Map<string, number>();
  readonly #wasteLeft = new Map<string, ReadonlyMap<string, number>>();
  #opened: Promise<Engine> | undefined;
  /** The instance before this one must have let go of its files. */
  #closing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(place: string, limits: WarehouseLimits, tuning: Tuning) {
    this.#place = place;
    this.#limits = limits;
    this.#tuning = tuning;
    this.#space = new SpoolSpace(place, limits.spoolBytes);
  }

  open(): Promise<Engine> {
    if (this.#opened) return this.#opened;
    const opening = this.#closing.then(() => Engine.open(this.#place, this.#limits));
    this.#opened = opening;
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return opening;
  }

  async read<T>(
    organisationId: string,
    work: (reader: TableReader) => Promise<T>,
    { signal, lane = 'light', turn }: ReadOptions = {},
  ): Promise<T> {
    const seconds = this.#limits.statementSeconds ?? statementSecondsUsual;
    return this.#visit({ organisationId, turn, lane, seconds, signal }, (task, schema) =>
      work(this.#session(task, schema)),
    );
  }

  async change<T>(
    organisationId: string,
    work: (writer: TableWriter) => Promise<T>,
    options: ChangeOptions = {},
  ): Promise<T> {
    const result = await this.#write(organisationId, (task, schema) => work(this.#session(task, schema)), options);
    this.#changed(organisationId);
    return result;
  }

  ask<T>(
    organisationId: string,
    work: (session: QuerySession) => Promise<T>,
    { signal, lane = 'light', turn }: QuestionOptions = {},
  ): Promise<T> {
    const seconds = this.#limits.statementSeconds ?? statementSecondsUsual;
    const terms = { organisationId, turn, lane, seconds, signal };
    return this.#memoryTurns.attempt(async () => {
      const answer = await this.#askWithoutTransaction(terms, work);
      if (answer) return answer.result;
      return this.#visit(terms, (task, schema) => work(new TaskQuerySession(task, sqlContextOf(schema))));
    });
  }

  /** Undefined where a commit came between, so that statements may have seen different states. */
  async #askWithoutTransaction<T>(
    terms: Terms,
    work: (session: QuerySession) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const { commits } = this.#lockOf(terms.organisationId);
    const since = commits.now();
    if (!since) return undefined;
    return this.#visit(
      terms,
      async (task, schema) => {
        const isAnyoneLeftOut = await this.#leftOut.isAnyone(terms.organisationId, since, task, schema);
        const result = await work(new TaskQuerySession(task, { ...sqlContextOf(schema), isAnyoneLeftOut }));
        const isOneState = task.statements > 1 ? commits.isSameState(since) : commits.isSameDirectory(since);
        return isOneState ? { result } : undefined;
      },
      withoutTransaction,
    );
  }

  answers(organisationId: string, query: Query, options: QuestionOptions = {}): AsyncGenerator<AnswerRow[]> {
    const context = sqlContextOf(schemaOf(organisationId));
    const say = (part: AnswerPart) => renderAnswer(context, query, part);
    return readRows(this.#spooled(organisationId, { context, query, say }, options));
  }

  lines(
    organisationId: string,
    query: Query,
    columns: readonly FlatColumn[],
    options: QuestionOptions = {},
  ): AsyncGenerator<Buffer> | undefined {
    const context = sqlContextOf(schemaOf(organisationId));
    const object = objectOf(context, query, columns);
    if (!object) return undefined;
    const say = (part: AnswerPart) => renderRows(context, query, object, part);
    return readObjects(this.#spooled(organisationId, { context, query, say }, options));
  }

  explainSql(organisationId: string, query: Query): ExplainedSql {
    const { sql, values } = statementFor(renderAnswer(sqlContextOf(schemaOf(organisationId)), query));
    const parameters = values.map((value) => (typeof value === 'function' ? value() : value));
    return { sql, parameters: parameters.map((value) => (value instanceof Date ? value.toISOString() : value)) };
  }

  versionOf(organisationId: string): number {
    return this.#versions.get(organisationId) ?? 0;
  }

  async changedAt(organisationId: string): Promise<Date | undefined> {
    const path = pathOf(this.#place, organisationId);
    const times = await Promise.all(
      [path, `${path}.wal`].map((file) =>
        stat(file).then(
          ({ mtime }) => [mtime],
          () => [],
        ),
      ),
    );
    return times.flat().sort((a, b) => b.getTime() - a.getTime())[0];
  }

  async *stream(
    organisationId: string,
    table: Table,
    columns: readonly string[],
    { signal, batchRows = 5_000 }: StreamOptions = {},
  ): AsyncGenerator<never[]> {
    if (this.#isClosed) throw beingClosed();
    const leave = await this.#lockOf(organisationId).enter({ signal });
    try {
      const engine = await this.open();
      const terms = this.#shared(unhurried(organisationId, signal));
      const release = await this.#hold(engine, terms);
      try {
        yield* streamInTransaction(engine, this.#lanes, terms, (task) =>
          streamRows(task, table, columns, schemaOf(organisationId), batchRows),
        ) as AsyncGenerator<never[]>;
      } catch (error) {
        throw await this.#understood(engine, { organisationId, lane: 'heavy' }, error);
      } finally {
        release();
      }
    } finally {
      leave();
    }
  }

  async organisations(): Promise<string[]> {
    const ids = (await readdir(this.#place)).flatMap((file) => organisationOf(file) ?? []);
    return ids.sort();
  }

  holds(organisationId: string): boolean {
    return existsSync(pathOf(this.#place, organisationId));
  }

  async recluster(
    organisationId: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    for (const table of orderedTables) {
      let isMore = true;
      // Sorting can make room for more sorting, but not without end.
      for (let i = 0; isMore && i < tidyingsMost; i++) {
        signal?.throwIfAborted();
        // Whoever was removed meanwhile is not to be made anew.
        if (!this.holds(organisationId)) return;
        isMore = await this.#write(organisationId, (task, schema) => tidySome(task, table, schema, this.#tuning));
      }
    }
    const measure = (left: ReadonlyMap<string, number>) =>
      this.#visit(unhurried(organisationId), (task, schema) => wasteOf(task, schema, this.#tuning, left));
    const wasteful = await measure(this.#wasteLeft.get(organisationId) ?? new Map());
    if (wasteful.length === 0) return;
    await this.#reclaim(
      organisationId,
      wasteful.map(({ table }) => table),
    );
    const left = await measure(new Map());
    this.#wasteLeft.set(organisationId, new Map(left.map(({ table, deleted }) => [table.name, deleted])));
  }

  async remove(organisationId: string): Promise<void> {
    if (this.#isClosed) throw beingClosed();
    const path = pathOf(this.#place, organisationId);
    const outcome = await this.#lockOf(organisationId).alone(removalPatienceMs, async () => {
      await (await this.open()).detach(organisationId);
      this.#wasteLeft.delete(organisationId);
      await rm(path, { force: true });
      await rm(`${path}.wal`, { force: true });
    });
    this.#changed(organisationId);
    if (outcome === 'occupied') throw inUse();
  }

  checksum(organisationId: string): Promise<TableDigest[]> {
    return this.#visit(unhurried(organisationId), digestTables);
  }

  async check(organisationId: string): Promise<string[]> {
    try {
      return await this.#visit(unhurried(organisationId), (task) => examineFile(task, organisationId));
    } catch (error) {
      if (!(error instanceof UnreadableTables)) throw error;
      return [`The file cannot be opened: ${error.problem}`];
    }
  }

  makeCopyFolder(): Promise<string> {
    return mkdtemp(join(this.#place, copyPrefix));
  }

  async makeScratch(organisationId: string, { keyId, signal }: QuestionOptions = {}): Promise<Scratch> {
    const reservation = await this.#space.reserve(ownerOf(organisationId, keyId), 0, signal);
    const folder = await this.makeCopyFolder();
    return {
      folder,
      bytesMost: this.#space.keyBytes,
      take: async (bytes) => {
        if (await this.#space.isShort()) throw noRoom();
        await reservation.grow(bytes, signal);
      },
      giveBack: (bytes) => reservation.shrinkTo(reservation.bytes - bytes),
      remove: async () => {
        await rm(folder, { recursive: true, force: true });
        reservation.release();
      },
    };
  }

  get spooledBytes(): number {
    return this.#space.used;
  }

  async copyOut(organisationId: string, folder: string, { signal }: QuestionOptions = {}): Promise<TableCopy[]> {
    refuseOutside(this.#place, folder);
    return this.#visit(unhurried(organisationId, signal), (task, schema) => copyTables(task, schema, resolve(folder)));
  }

  async copyIn(organisationId: string, folder: string): Promise<TableCopy[]> {
    refuseOutside(this.#place, folder);
    const copies = await this.#write(organisationId, (task, schema) => takeInTables(task, schema, resolve(folder)));
    this.#changed(organisationId);
    return copies;
  }

  /** Writers finish; readers are stopped. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([...this.#locks.values()].map((lock) => lock.written()));
    const engine = await this.#opened?.catch(() => undefined);
    await this.#closing;
    await engine?.close();
  }

  /** Begins without readers, or not at all when they do not leave soon; the next reclustering tries again. */
  async #reclaim(organisationId: string, tables: readonly Table[]): Promise<void> {
    const terms = writing(organisationId);
    let reclaiming: Promise<void> = Promise.resolve();
    const engine = await this.open();
    // The file must not be closed under a checkpoint that goes on when everyone has left.
    const release = await this.#hold(engine, terms);
    try {
      await this.#lockOf(organisationId).alone(reclaimingPatienceMs, async () => {
        await this.#transaction(terms, async (task, schema) => {
          for (const table of tables) await touchTable(task, table, schema);
        });
        reclaiming = engine.use((connection) =>
          new Task({ take: async () => connection }, this.#lanes, this.#shared(terms)).run(checkpoint(organisationId)),
        );
        // It goes on for a while, but whoever comes once it has begun does not disturb it.
        await Promise.race([reclaiming, sleep(headStartMs)]);
      });
      await reclaiming.catch(async (error: unknown) => {
        throw await this.#understood(engine, terms, error);
      });
    } finally {
      release();
    }
  }

  async *#spooled(
    organisationId: string,
    spooling: Pick<Spooling, 'context' | 'query' | 'say'>,
    { signal, keyId, lane = 'heavy', turn }: QuestionOptions,
  ): AsyncGenerator<SpooledPart> {
    const seconds = this.#limits.statementSeconds ?? statementSecondsUsual;
    const { sortedRows: partRows, sortedBytes: partBytes, aheadBytes } = this.#tuning;
    const folder = await this.makeCopyFolder();
    try {
      const visit: Visit = (work, stop) => this.#visit({ organisationId, turn, lane, seconds, signal: stop }, work);
      const owner = ownerOf(organisationId, keyId);
      const [space, memoryTurns] = [this.#space, this.#memoryTurns];
      const terms = { ...spooling, folder, partRows, partBytes, aheadBytes, space, memoryTurns, owner };
      for await (const part of spooledParts(visit, terms, signal)) {
        // The caller gets this part: what follows may be late, but cannot be refused any more.
        turn?.waiting.lift(seconds * 1_000);
        yield part;
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #changed(organisationId: string): void {
    this.#versions.set(organisationId, this.versionOf(organisationId) + 1);
  }

  #session(task: Task, schema: string): Session {
    return new Session(task, schema, this.#tuning);
  }

  #shared(terms: Terms): TaskTerms {
    const { statements: gate, commits } = this.#lockOf(terms.organisationId);
    return { ...terms, gate, commits };
  }

  #lockOf(organisationId: string): OrganisationLock {
    const known = this.#locks.get(organisationId);
    if (known) return known;
    const lock = new OrganisationLock();
    this.#locks.set(organisationId, lock);
    return lock;
  }

  /** Whoever came before the warehouse was closed still finishes. */
  async #visit<T>(terms: Terms, work: Work<T>, run: Run = inTransaction): Promise<T> {
    if (this.#isClosed) throw beingClosed();
    const { signal, turn } = terms;
    const leave = await this.#lockOf(terms.organisationId).enter({ signal, waiting: turn?.waiting });
    try {
      const { result, ended } = await this.#transaction(terms, work, run);
      void ended.then(leave, leave);
      return result;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #write<T>(
    organisationId: string,
    work: Work<T>,
    { signal, turn, isFirst, begun }: ChangeOptions = {},
  ): Promise<T> {
    if (this.#isClosed) throw beingClosed();
    const write = async () => {
      begun?.();
      const { result } = await this.#transaction(writing(organisationId, turn), work);
      return result;
    };
    const caller = turn ?? { organisationId: '', keyId: '' };
    return this.#lockOf(organisationId).write(write, { caller, signal, waiting: turn?.waiting, isFirst });
  }

  async #transaction<T>(terms: Terms, work: Work<T>, run: Run = inTransaction): Promise<Outcome<T>> {
    const engine = await this.open();
    const release = await this.#hold(engine, terms);
    try {
      const outcome = await run(engine, this.#lanes, this.#shared(terms), (task) =>
        work(task, schemaOf(terms.organisationId)),
      );
      void outcome.ended.then(release, release);
      return outcome;
    } catch (error) {
      release();
      throw await this.#understood(engine, terms, error);
    }
  }

  /** Whoever holds a file of an organisation must give it back once nothing of theirs is under way there. */
  async #hold(engine: Engine, terms: Terms): Promise<Release> {
    const { organisationId, seconds, signal } = terms;
    try {
      return await engine.hold(organisationId, { patienceMs: seconds * 1_000, signal });
    } catch (error) {
      throw notAttached(organisationId, await this.#understood(engine, terms, error));
    }
  }

  async #understood(
    engine: Engine,
    { organisationId, lane }: Pick<Terms, 'organisationId' | 'lane'>,
    error: unknown,
  ): Promise<unknown> {
    const loss = lossOf(error, { isWriting: lane === 'writing' });
    if (!loss) return understood(organisationId, error);
    if (loss === 'file') await engine.detach(organisationId);
    else await this.#giveUp(engine);
    return openedAnew(error);
  }

  async #giveUp(engine: Engine): Promise<void> {
    if ((await this.#opened) !== engine) return;
    this.#opened = undefined;
    this.#closing = engine.close();
  }
}

/** Whose share of the disk an answer takes: that of a key, or of the organisation where no key asks. */
const ownerOf = (organisationId: string, keyId: string | undefined): string => keyId || organisationId;

/** What a task is told, but for the gate that it shares with others. */
type Terms = Omit<TaskTerms, 'gate' | 'commits'>;
type Run = typeof inTransaction;
type Work<T> = (task: Task, schema: string) => Promise<T>;

/** For what reads everything. It lets everyone else go first, and takes as long as it takes. */
const unhurried = (organisationId: string, signal?: AbortSignal): Terms => ({
  organisationId,
  lane: 'heavy',
  seconds: writingSeconds,
  signal,
});

const writing = (organisationId: string, turn?: Turn): Terms => ({
  organisationId,
  turn,
  lane: 'writing',
  seconds: writingSeconds,
});

const checkpoint = (organisationId: string) => ({ sql: `CHECKPOINT ${schemaOf(organisationId)}`, values: [] });

const inUse = (): Refusal =>
  new Refusal('unavailable', 'The organisation is being read. Try again in a moment.', { retryAfterSeconds: 5 });
