import { setTimeout as sleep } from 'node:timers/promises';
import { WaitingTime } from '../../admission/ticket.ts';
import type { Writer, WriterTurn, WriterTurns } from '../../store/writer-turns.ts';
import type { ChangeOptions } from '../intake-port.ts';
import type { Release } from './attached-files.ts';
import { Engine, inTask, streamInTransaction, type TaskOutcome } from './engine.ts';
import { EngineError, isBeingWritten, lossOf, notAttached, reopened, understood } from './engine-failures.ts';
import { Lanes } from './lanes.ts';
import type { WarehouseLimits } from './limits.ts';
import { schemaOf } from './organisation-file.ts';
import { type CommitsSeen, type CommitWatch, OrganisationLock } from './organisation-lock.ts';
import { beingClosed, Task, type TaskTerms } from './task.ts';
import { type FileReplacement, type TransactionTerms, type TransactionWork, writing } from './transaction-terms.ts';

/** How long newcomers wait for a checkpoint to begin. */
const headStartMs = 100;

/** Transactions in the files of organisations: who may read and write them when, and what becomes of a failed engine. */
export class OrganisationTransactions {
  readonly #place: string;
  readonly #limits: WarehouseLimits;
  readonly #lanes = new Lanes();
  readonly #locks = new Map<string, OrganisationLock>();
  readonly #turns: WriterTurns;
  readonly #writes = new Set<Promise<unknown>>();
  /**
   * The change of each organisation that was committed last. The store knows of a change before it is committed here;
   * an answer of that moment must not pass for one of the new state.
   */
  readonly #versions = new Map<string, number>();
  #opened: Promise<Engine> | undefined;
  /** The instance before this one must have let go of its files. */
  #closing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(place: string, limits: WarehouseLimits, turns: WriterTurns) {
    this.#place = place;
    this.#limits = limits;
    this.#turns = turns;
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

  /** The change that was committed last; 0 where none was since the start. */
  versionOf(organisationId: string): number {
    return this.#versions.get(organisationId) ?? 0;
  }

  /** The commits in the file of an organisation. */
  commitsOf(organisationId: string): CommitWatch {
    return this.#lockOf(organisationId).commits;
  }

  /** Writers finish; readers are stopped. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#writes);
    const engine = await this.#opened?.catch(() => undefined);
    await this.#closing;
    await engine?.close();
  }

  /** A transaction that began before the warehouse was closed still finishes. */
  async visit<T>(terms: TransactionTerms, work: TransactionWork<T>, isTransaction = true): Promise<T> {
    if (this.#isClosed) throw beingClosed();
    const leave = await this.#lockOf(terms.organisationId).enter(terms.ticket);
    try {
      const { result, ended } = await this.#task(terms, work, isTransaction);
      void ended.then(leave, leave);
      return result;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Reads without a transaction. Undefined where a commit came between, so that two states may have been read. */
  async visitWithoutTransaction<T>(
    terms: TransactionTerms,
    work: (task: Task, schema: string, since: CommitsSeen) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const { commits } = this.#lockOf(terms.organisationId);
    const since = commits.now();
    if (!since) return undefined;
    const read = async (task: Task, schema: string) => {
      const result = await work(task, schema, since);
      return commits.isSameState(since) ? { result } : undefined;
    };
    try {
      return await this.visit(terms, read, false);
    } catch (error) {
      // A commit may also make a statement fail that was planned before it.
      if (error instanceof EngineError && !commits.isSameState(since)) return undefined;
      throw error;
    }
  }

  /** A task whose values come bit by bit. */
  async *stream<T>(
    terms: TransactionTerms,
    work: (task: Task, schema: string) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    if (this.#isClosed) throw beingClosed();
    const leave = await this.#lockOf(terms.organisationId).enter(terms.ticket);
    try {
      const engine = await this.open();
      const release = await this.#hold(engine, terms);
      try {
        yield* streamInTransaction(engine, this.#lanes, this.#shared(terms), (task) =>
          work(task, schemaOf(terms.organisationId)),
        );
      } catch (error) {
        throw await this.#understood(engine, terms, error);
      } finally {
        release();
      }
    } finally {
      leave();
    }
  }

  /**
   * A change that readers see. It is published before it is committed, so a writer that has lost the turn commits
   * nothing. A change that writes nothing, such as records that are stored already, leaves the data version as it is.
   */
  change<T>(organisationId: string, work: TransactionWork<T>, options: ChangeOptions = {}): Promise<T> {
    const { ticket, isFirst } = options;
    const change = async ({ change, publish }: WriterTurn) => {
      let isPublished = false;
      try {
        return await this.#written(organisationId, options, async (task, schema) => {
          const result = await work(task, schema);
          if (!task.hasChanged) return result;
          await publish();
          isPublished = true;
          return result;
        });
      } finally {
        // Also where the engine failed: then it is not known whether the change was committed.
        if (isPublished) this.#versions.set(organisationId, change);
      }
    };
    return this.#inTurn(organisationId, change, { ticket, isFirst });
  }

  /** Writes rows again that stay what they are. */
  rewrite<T>(organisationId: string, work: TransactionWork<T>): Promise<T> {
    return this.#inTurn(organisationId, () => this.#written(organisationId, {}, work));
  }

  #written<T>(organisationId: string, options: ChangeOptions, work: TransactionWork<T>): Promise<T> {
    return this.#lockOf(organisationId).visit(async () => {
      const { result } = await this.#task(writing(organisationId, options), work);
      return result;
    });
  }

  /** Changes the file itself once all readers have left it; newcomers wait meanwhile. Whether they left in time. */
  changeAlone(organisationId: string, patienceMs: number, work: () => Promise<void>): Promise<boolean> {
    return this.#inTurn(organisationId, async ({ change, publish }) => {
      const outcome = await this.#lockOf(organisationId).alone(patienceMs, async () => {
        await publish();
        await work();
        this.#versions.set(organisationId, change);
      });
      return outcome !== 'occupied';
    });
  }

  /**
   * Puts another file with the same rows in the place of this one. It is written while others read and nobody writes, and
   * takes the place once all readers have left; not at all where they do not leave soon. Whether it took the place.
   */
  replaceFile(
    terms: TransactionTerms,
    patienceMs: number,
    { isThere, write, replace }: FileReplacement,
  ): Promise<boolean> {
    const { organisationId } = terms;
    return this.#inTurn(organisationId, async () => {
      const { commits } = this.#lockOf(organisationId);
      const since = commits.now();
      // An organisation that was removed meanwhile must not be created again.
      if (!since || !isThere()) return false;
      await this.visit(terms, write, false);
      // Changes of the directory's copies may be committed beside the turn: what they brought is not in the copy.
      const replaceUnchanged = async () => commits.isSameState(since) && (await replace());
      return (await this.#closed(organisationId, patienceMs, replaceUnchanged)) === true;
    });
  }

  /** Closes a file until it is needed again, unless its readers do not leave soon. */
  async letGo(organisationId: string, patienceMs: number): Promise<void> {
    await this.#inTurn(organisationId, () => this.#closed(organisationId, patienceMs, async () => {}));
  }

  #closed<T>(organisationId: string, patienceMs: number, work: () => Promise<T>): Promise<T | 'occupied'> {
    return this.#lockOf(organisationId).alone(patienceMs, async () => {
      await (await this.open()).detach(organisationId);
      return work();
    });
  }

  /**
   * Brings the write-ahead log into the file, with what is written before. Begins without readers, or not at all when
   * they do not leave soon.
   */
  async checkpoint(organisationId: string, patienceMs: number, before: TransactionWork<void>): Promise<void> {
    const terms = writing(organisationId);
    const statement = { sql: `CHECKPOINT ${schemaOf(organisationId)}`, values: [] };
    let checkpointing: Promise<void> = Promise.resolve();
    const engine = await this.open();
    let release: Release = () => {};
    try {
      await this.#inTurn(organisationId, () =>
        this.#lockOf(organisationId).alone(patienceMs, async () => {
          // The file must not be closed under a checkpoint that goes on when everyone has left. It is opened here and not
          // before: another file may just be put in its place.
          release = await this.#hold(engine, terms);
          await this.#task(terms, before);
          checkpointing = engine
            .use((connection) =>
              new Task({ take: async () => connection }, this.#lanes, this.#shared(terms)).run(statement),
            )
            // Another time: a writer began before it, or one before it is not yet cleaned up after.
            .catch((error: unknown) => {
              if (!isBeingWritten(error)) throw error;
            });
          // The checkpoint goes on for a while, but transactions that come after it has begun do not disturb it.
          await Promise.race([checkpointing, sleep(headStartMs)]);
        }),
      );
      await checkpointing.catch(async (error: unknown) => {
        throw await this.#understood(engine, terms, error);
      });
    } finally {
      release();
    }
  }

  async #inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer = {}): Promise<T> {
    if (this.#isClosed) throw beingClosed();
    const write = this.#turns.inTurn(organisationId, work, { ...writer, isUndone: true });
    this.#writes.add(write);
    try {
      return await write;
    } finally {
      this.#writes.delete(write);
    }
  }

  #shared(terms: TransactionTerms): TaskTerms {
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

  async #task<T>(terms: TransactionTerms, work: TransactionWork<T>, isTransaction = true): Promise<TaskOutcome<T>> {
    const engine = await this.open();
    const release = await this.#hold(engine, terms);
    try {
      const inSchema = (task: Task) => work(task, schemaOf(terms.organisationId));
      const outcome = await inTask(engine, this.#lanes, this.#shared(terms), inSchema, isTransaction);
      void outcome.ended.then(release, release);
      return outcome;
    } catch (error) {
      release();
      throw await this.#understood(engine, terms, error);
    }
  }

  /** A transaction that holds an organisation's file must give it back once it has no work under way there. */
  async #hold(engine: Engine, terms: TransactionTerms): Promise<Release> {
    const { organisationId, seconds, ticket } = terms;
    try {
      return await engine.hold(organisationId, { ...ticket, waiting: new WaitingTime(seconds * 1_000) });
    } catch (error) {
      throw notAttached(organisationId, await this.#understood(engine, terms, error));
    }
  }

  async #understood(
    engine: Engine,
    { organisationId, lane }: Pick<TransactionTerms, 'organisationId' | 'lane'>,
    error: unknown,
  ): Promise<unknown> {
    const loss = lossOf(error, { isWriting: lane === 'writing' });
    if (!loss) return understood(organisationId, error);
    if (loss === 'file') await engine.detach(organisationId);
    else await this.#giveUp(engine);
    const lost = loss === 'file' ? [this.#lockOf(organisationId)] : this.#locks.values();
    for (const { commits } of lost) commits.markUndecided();
    return reopened(error);
  }

  async #giveUp(engine: Engine): Promise<void> {
    if ((await this.#opened) !== engine) return;
    this.#opened = undefined;
    this.#closing = engine.close();
  }
}
