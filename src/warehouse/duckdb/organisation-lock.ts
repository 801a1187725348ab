import type { Ticket } from '../../admission/ticket.ts';
import { CommitWatch } from './commit-watch.ts';
import { ReadGate } from './read-gate.ts';

/**
 * Who is at work in the file of an organisation: any number of readers, beside them the one writer whose turn it is, or
 * a task that needs the file alone for a moment.
 */
export class OrganisationLock {
  /** Whole transactions pass here. */
  readonly #gate = new ReadGate();
  /** Single statements of readers pass here. */
  readonly statements = new ReadGate();
  readonly commits = new CommitWatch();

  /** Waits only while a task has the file alone. Each entry must be followed by a leave. */
  enter(ticket?: Ticket): Promise<() => void> {
    return this.#gate.enter(ticket);
  }

  async visit<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Runs the work once all readers have left; new readers wait meanwhile. For the process that has the turn to write.
   */
  alone<T>(patienceMs: number, work: () => Promise<T>): Promise<T | 'occupied'> {
    return this.#gate.alone({ politeMs: 0, patienceMs }, work);
  }
}
