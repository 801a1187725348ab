import type { Engine } from './engine.ts';
import type { Lanes } from './lanes.ts';
import { Task, type TaskTerms } from './task.ts';

/** The outcome of a transaction. */
export interface TransactionOutcome<T> {
  readonly result: T;
  /** When its connection is free again. Readers need not wait for that. */
  readonly ended: Promise<void>;
}

/** Work inside one transaction on a connection of its own: all of it is kept, or none. */
export async function inTransaction<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => Promise<T>,
): Promise<TransactionOutcome<T>> {
  const task = new Task(engine, lanes, terms);
  const undo = () => undone(engine, task);
  try {
    task.begin();
    const result = await work(task);
    const committed = task.commit();
    if (terms.lane === 'writing') await committed;
    const { connection } = task;
    if (!connection) return { result, ended: committed };
    // Ending what only read loses nothing, even where it goes wrong.
    return { result, ended: committed.then(() => engine.giveBack(connection, true)).catch(undo) };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Statements on a connection of their own, each a transaction by itself. */
export async function withoutTransaction<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => Promise<T>,
): Promise<TransactionOutcome<T>> {
  const task = new Task(engine, lanes, terms);
  try {
    const result = await work(task);
    const { connection } = task;
    return { result, ended: connection ? engine.giveBack(connection, true) : Promise.resolve() };
  } catch (error) {
    await undone(engine, task);
    throw error;
  }
}

/** A transaction for a stream of values. It also ends when the consumer stops early. */
export async function* streamInTransaction<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const task = new Task(engine, lanes, terms);
  try {
    task.begin();
    yield* work(task);
  } finally {
    await undone(engine, task);
  }
}

async function undone(engine: Engine, task: Task): Promise<void> {
  const isClean = await task.rollBack();
  if (task.connection) await engine.giveBack(task.connection, isClean);
}
