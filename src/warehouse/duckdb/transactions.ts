import type { Engine } from './engine.ts';
import type { Lanes } from './lanes.ts';
import { Task, type TaskTerms } from './task.ts';

/** Work inside one transaction on a connection of its own: all of it is kept, or none. */
export async function inTransaction<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => Promise<T>,
): Promise<T> {
  const connection = await engine.take();
  const task = new Task(connection, lanes, terms);
  let isClean = false;
  try {
    await task.begin();
    const result = await work(task);
    await task.commit();
    isClean = true;
    return result;
  } finally {
    if (!isClean) isClean = await task.rollBack();
    await engine.giveBack(connection, isClean);
  }
}

/** The same for what comes bit by bit. It also ends when whoever takes the bits stops early. */
export async function* streamInTransaction<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const connection = await engine.take();
  const task = new Task(connection, lanes, terms);
  try {
    await task.begin();
    yield* work(task);
  } finally {
    await engine.giveBack(connection, await task.rollBack());
  }
}
