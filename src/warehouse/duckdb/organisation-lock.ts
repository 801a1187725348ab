import { Refusal } from '../../refusal.ts';
import type { Caller, Patience } from '../../turns/turn.ts';
import { Turns } from '../../turns/turns.ts';
import { CommitWatch } from './commit-watch.ts';
import { ReadGate } from './read-gate.ts';

/** Who writes, and how patiently. */
export interface Writer extends Patience {
  readonly caller: Caller;
  /** Readers wait for what it writes, so it goes before records that wait. */
  readonly isFirst?: boolean | undefined;
}

/**
 * Who is at work in the file of an organisation: any number of readers, writers one after another, or somebody who
 * needs it alone for a moment.
 */
export class OrganisationLock {
  /** Whole transactions pass here. */
  readonly #gate = new ReadGate();
  /** Single statements of readers pass here. */
  readonly statements = new ReadGate();
  readonly commits = new CommitWatch();
  /** One after another: DuckDB would refuse the second of two that touch the same row. */
  readonly #writers = new Turns({
    places: { all: 1, organisation: 1, key: 1 },
    waiting: { organisation: 32, key: 16 },
    crowded: tooManyWriters,
  });

  readonly #writes = new Set<Promise<unknown>>();

  /** Waits only while somebody has the file alone. Whoever enters must leave. */
  enter(patience: Patience = {}): Promise<() => void> {
    return this.#gate.enter(patience);
  }

  async visit<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Those who send records take turns, key by key, and with the service's own work. */
  write<T>(work: () => Promise<T>, writer: Writer = nobody): Promise<T> {
    return this.#inTurn(writer, () => this.visit(work));
  }

  /** After the writer before it, and once all readers have left; newcomers wait meanwhile. */
  alone<T>(patienceMs: number, work: () => Promise<T>): Promise<T | 'occupied'> {
    return this.#inTurn(nobody, () => this.#gate.alone({ politeMs: 0, patienceMs }, work));
  }

  /** Resolves when every writer that is here now is done. */
  async written(): Promise<void> {
    await Promise.allSettled(this.#writes);
  }

  #inTurn<T>(writer: Writer, work: () => Promise<T>): Promise<T> {
    const write = this.#writers.take(writer, work);
    this.#writes.add(write);
    const forget = () => void this.#writes.delete(write);
    write.then(forget, forget);
    return write;
  }
}

/** The service itself, which takes turns with those who send records. */
const nobody: Writer = { caller: { organisationId: '', keyId: '' } };

const tooManyWriters = (): Refusal =>
  new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
    retryAfterSeconds: 10,
  });
