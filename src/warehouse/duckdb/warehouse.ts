import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serviceTicket } from '../../admission/ticket.ts';
import type { Table } from '../../catalogue/table.ts';
import type { FlatColumn } from '../../query/answer-columns.ts';
import type { AnswerRow, Query, QuerySession } from '../../query/plan.ts';
import { type ExplainedSql, type QuestionOptions, UnreadableTables } from '../../query/question-port.ts';
import { Refusal } from '../../refusal.ts';
import { MemoryWriterTurns, type WriterTurns } from '../../store/writer-turns.ts';
import type { ChangeOptions, ReadOptions, StreamOptions, TableReader, TableWriter } from '../intake-port.ts';
import type { Scratch, ScratchOwner, Stoppable, TableCopy, TableDigest } from '../maintenance-port.ts';
import { SpoolSpace } from '../spool-space.ts';
import { type AnswerPart, objectOf, renderAnswer, renderRows } from '../sql/query-sql.ts';
import type { EmbeddedWarehouse } from '../warehouse.ts';
import { readObjects, readRows, type SpooledPart, type Spooling, spooledParts } from './answer-spool.ts';
import { temporaryFolder } from './engine.ts';
import { MemoryTurns } from './engine-failures.ts';
import { digestTables, examineFile } from './file-check.ts';
import { FileUpkeep } from './file-upkeep.ts';
import { defaultStatementSeconds, defaultTuning, type Tuning, type WarehouseLimits } from './limits.ts';
import { MovingFiles } from './moved-rows.ts';
import { copyPrefix, organisationOf, pathOf, schemaOf, warehouseFolder } from './organisation-file.ts';
import { OrganisationTransactions } from './organisation-transactions.ts';
import { copyTables, refuseOutside, takeInTables } from './parquet-copies.ts';
import { boundStatement, LeftOutPeople, sqlContextOf, taskQuerySession } from './query-session.ts';
import { streamRows } from './row-stream.ts';
import { KeptTableSizes, Session } from './table-session.ts';
import { lowPriority } from './transaction-terms.ts';

export type { WarehouseLimits } from './limits.ts';

/** Opens the warehouse in a data folder that this process owns: one file for each organisation, all in one instance. */
export async function openEmbeddedWarehouse(
  folder: string,
  limits: WarehouseLimits = {},
  tuning: Tuning = defaultTuning,
  turns: WriterTurns = new MemoryWriterTurns(),
): Promise<EmbeddedWarehouse> {
  const place = resolve(folder, warehouseFolder);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  removeLeftovers(place);
  const warehouse = new DuckdbWarehouse(place, limits, tuning, turns);
  await warehouse.open();
  return warehouse;
}

/** Files that a killed process was sorting or copying are of no use to anyone. */
function removeLeftovers(place: string): void {
  rmSync(temporaryFolder(place), { recursive: true, force: true });
  for (const name of readdirSync(place)) {
    if (name.startsWith(copyPrefix)) rmSync(join(place, name), { recursive: true, force: true });
  }
}

/** How long removing an organisation waits for its readers. */
const removalPatienceMs = 10_000;

class DuckdbWarehouse implements EmbeddedWarehouse {
  readonly moving: MovingFiles;
  readonly #place: string;
  readonly #limits: WarehouseLimits;
  readonly #tuning: Tuning;
  readonly #memoryTurns = new MemoryTurns();
  readonly #space: SpoolSpace;
  readonly #leftOut = new LeftOutPeople();
  readonly #sizes = new KeptTableSizes();
  readonly #transactions: OrganisationTransactions;
  readonly #upkeep: FileUpkeep;

  constructor(place: string, limits: WarehouseLimits, tuning: Tuning, turns: WriterTurns) {
    this.#transactions = new OrganisationTransactions(place, limits, turns);
    this.moving = new MovingFiles(this.#transactions, () => this.makeCopyFolder());
    this.#place = place;
    this.#limits = limits;
    this.#tuning = tuning;
    this.#space = new SpoolSpace(place, limits.spoolBytes);
    this.#upkeep = new FileUpkeep(this.#transactions, place, tuning, () => this.makeCopyFolder());
  }

  async open(): Promise<void> {
    await this.#transactions.open();
  }

  async read<T>(
    organisationId: string,
    work: (reader: TableReader) => Promise<T>,
    { lane = 'light', ticket = serviceTicket(organisationId) }: ReadOptions = {},
  ): Promise<T> {
    const seconds = this.#limits.statementSeconds ?? defaultStatementSeconds;
    return this.#transactions.visit({ organisationId, ticket, lane, seconds }, (task, schema) =>
      work(new Session(task, schema, this.#tuning)),
    );
  }

  async change<T>(
    organisationId: string,
    work: (writer: TableWriter) => Promise<T>,
    options: ChangeOptions = {},
  ): Promise<T> {
    let keepSizes = () => {};
    const result = await this.#transactions.change(
      organisationId,
      (task, schema) => {
        const { sizes, keep } = this.#sizes.take(organisationId, this.#transactions.commitsOf(organisationId));
        keepSizes = keep;
        return work(new Session(task, schema, this.#tuning, sizes));
      },
      options,
    );
    keepSizes();
    return result;
  }

  ask<T>(
    organisationId: string,
    work: (session: QuerySession) => Promise<T>,
    { lane = 'light', ticket = serviceTicket(organisationId) }: QuestionOptions = {},
  ): Promise<T> {
    const seconds = this.#limits.statementSeconds ?? defaultStatementSeconds;
    const terms = { organisationId, ticket, lane, seconds };
    return this.#memoryTurns.attempt(async () => {
      const answer = await this.#transactions.visitWithoutTransaction(terms, async (task, schema, since) => {
        const isAnyoneLeftOut = await this.#leftOut.isAnyone(organisationId, since, task, schema);
        const leavers = isAnyoneLeftOut ? undefined : [];
        return work(taskQuerySession(task, { ...sqlContextOf(schema), leavers }));
      });
      if (answer) return answer.result;
      return this.#transactions.visit(terms, (task, schema) => work(taskQuerySession(task, sqlContextOf(schema))));
    });
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
    const { sql, values } = boundStatement(renderAnswer(sqlContextOf(schemaOf(organisationId)), query));
    const parameters = values.map((value) => (typeof value === 'function' ? value() : value));
    return { sql, parameters: parameters.map((value) => (value instanceof Date ? value.toISOString() : value)) };
  }

  versionOf(organisationId: string): number {
    return this.#transactions.versionOf(organisationId);
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

  stream(
    organisationId: string,
    table: Table,
    columns: readonly string[],
    { signal, batchRows = 5_000 }: StreamOptions = {},
  ): AsyncGenerator<never[]> {
    return this.#transactions.stream(lowPriority(organisationId, signal), (task, schema) =>
      streamRows(task, table, columns, schema, batchRows),
    ) as AsyncGenerator<never[]>;
  }

  async organisations(): Promise<string[]> {
    const ids = (await readdir(this.#place)).flatMap((file) => organisationOf(file) ?? []);
    return ids.sort();
  }

  /** Its files are in the folder of this process. */
  async ready(): Promise<void> {}

  holds(organisationId: string): boolean {
    return existsSync(pathOf(this.#place, organisationId));
  }

  recluster(organisationId: string, options?: Stoppable): Promise<boolean> {
    return this.#upkeep.recluster(organisationId, options);
  }

  compact(organisationId: string, options?: Stoppable): Promise<void> {
    return this.#upkeep.compact(organisationId, options);
  }

  async remove(organisationId: string): Promise<void> {
    const path = pathOf(this.#place, organisationId);
    const isDone = await this.#transactions.changeAlone(organisationId, removalPatienceMs, async () => {
      await (await this.#transactions.open()).detach(organisationId);
      this.#upkeep.forget(organisationId);
      await rm(path, { force: true });
      await rm(`${path}.wal`, { force: true });
    });
    if (!isDone) throw inUse();
  }

  checksum(organisationId: string): Promise<TableDigest[]> {
    return this.#transactions.visit(lowPriority(organisationId), digestTables);
  }

  async check(organisationId: string): Promise<string[]> {
    try {
      return await this.#transactions.visit(lowPriority(organisationId), (task) => examineFile(task, organisationId));
    } catch (error) {
      if (!(error instanceof UnreadableTables)) throw error;
      return [`The file cannot be opened: ${error.problem}`];
    }
  }

  makeCopyFolder(): Promise<string> {
    return mkdtemp(join(this.#place, copyPrefix));
  }

  makeScratch(organisationId: string, owner: ScratchOwner = {}): Promise<Scratch> {
    return this.#space.makeScratch(organisationId, owner, () => this.makeCopyFolder());
  }

  get spooledBytes(): number {
    return this.#space.used;
  }

  async copyOut(organisationId: string, folder: string, { signal }: Stoppable = {}): Promise<TableCopy[]> {
    refuseOutside(this.#place, folder);
    return this.#transactions.visit(lowPriority(organisationId, signal), (task, schema) =>
      copyTables(task, schema, resolve(folder)),
    );
  }

  async copyIn(organisationId: string, folder: string): Promise<TableCopy[]> {
    refuseOutside(this.#place, folder);
    return this.#transactions.change(organisationId, (task, schema) => takeInTables(task, schema, resolve(folder)));
  }

  close(): Promise<void> {
    return this.#transactions.close();
  }

  #spooled(
    organisationId: string,
    asked: Pick<Spooling, 'context' | 'query' | 'say'>,
    { lane = 'heavy', ticket = serviceTicket(organisationId) }: QuestionOptions,
  ): AsyncGenerator<SpooledPart> {
    const seconds = this.#limits.statementSeconds ?? defaultStatementSeconds;
    return spooledParts({
      ...asked,
      ticket,
      seconds,
      tuning: this.#tuning,
      space: this.#space,
      memoryTurns: this.#memoryTurns,
      makeFolder: () => this.makeCopyFolder(),
      visit: (work, signal) =>
        this.#transactions.visit({ organisationId, ticket: { ...ticket, signal }, lane, seconds }, work),
    });
  }
}

const inUse = (): Refusal =>
  new Refusal('unavailable', 'The organisation is being read. Try again in a moment.', { retryAfterSeconds: 5 });
