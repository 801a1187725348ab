import { endsWithin, serviceTicket, type Ticket, waitFor } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';

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

/** A gate that is closed for a moment now and then: those inside finish, those outside wait. */
export class ReadGate {
  #inside = 0;
  #closed: Promise<void> | undefined;
  readonly #onEmpty = new Set<() => void>();

  /** Enters, unless the gate is closed. Each entry must be followed by a leave. */
  tryEnter(): (() => void) | undefined {
    if (this.#closed) return undefined;
    this.#inside += 1;
    return () => {
      this.#inside -= 1;
      if (this.#inside === 0) for (const tell of this.#onEmpty) tell();
    };
  }

  /** Waits while the gate is closed, for as long as the caller is willing to. */
  async enter(ticket: Ticket = serviceTicket()): Promise<() => void> {
    for (;;) {
      const leave = this.tryEnter();
      if (leave) return leave;
      await waitFor(this.opened(), ticket, beingChanged);
    }
  }

  /** Resolves as soon as the gate is open. */
  async opened(): Promise<void> {
    while (this.#closed) await this.#closed;
  }

  /**
   * Does something while nobody is inside. For a while it waits for such a moment to come by itself; then it closes the
   * gate, and gives up, without having done anything, when those inside stay for longer than it is willing to wait.
   */
  async alone<T>(
    { politeMs, patienceMs }: { readonly politeMs: number; readonly patienceMs: number },
    work: () => Promise<T>,
  ): Promise<T | 'occupied'> {
    await this.#isEmptyWithin(politeMs);
    while (this.#closed) await this.#closed;
    let open = () => {};
    this.#closed = new Promise((resolve) => {
      open = resolve;
    });
    try {
      return (await this.#isEmptyWithin(patienceMs)) ? await work() : 'occupied';
    } finally {
      this.#closed = undefined;
      open();
    }
  }

  async #isEmptyWithin(patienceMs: number): Promise<boolean> {
    if (this.#inside === 0) return true;
    let tell = () => {};
    const empty = new Promise<void>((resolve) => {
      tell = resolve;
      this.#onEmpty.add(tell);
    });
    await endsWithin(patienceMs, empty);
    this.#onEmpty.delete(tell);
    return this.#inside === 0;
  }
}

export const beingChanged = (): Refusal =>
  new Refusal('unavailable', 'The tables are being put in order. Ask again in a moment.', { retryAfterSeconds: 2 });

/** The last commit at a moment when no commit was under way. */
export interface CommitsSeen {
  readonly commits: number;
  readonly directoryCommits: number;
}

/**
 * Counts the commits in the file of an organisation. A reader that finds the same count before its first statement and
 * after its last one knows that all of them saw one state, without a transaction: beginning and ending one costs a
 * third of a small statement.
 */
export class CommitWatch {
  #commits = 0;
  #directoryCommits = 0;
  #underWay = 0;

  /** Undefined while something is being committed: a statement may then see it or not. */
  now(): CommitsSeen | undefined {
    if (this.#underWay > 0) return undefined;
    return { commits: this.#commits, directoryCommits: this.#directoryCommits };
  }

  /** Whether no commit has begun since. */
  isSameState(since: CommitsSeen): boolean {
    return this.#commits === since.commits;
  }

  /** The engine was opened again: a commit that failed may have been made all the same. */
  markUndecided(): void {
    this.#commits += 1;
    this.#directoryCommits += 1;
  }

  async during<T>(commit: () => Promise<T>, isDirectoryChange: boolean): Promise<T> {
    this.#commits += 1;
    if (isDirectoryChange) this.#directoryCommits += 1;
    this.#underWay += 1;
    try {
      return await commit();
    } finally {
      this.#underWay -= 1;
    }
  }
}
