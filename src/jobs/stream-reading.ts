import { AsyncLocalStorage } from 'node:async_hooks';
import { orderColumn } from '../catalogue/table.ts';
import { factTables, isFactTable } from '../catalogue/tables/tables.ts';
import { Refusal } from '../refusal.ts';
import type { Clock } from '../sources/http/clock.ts';
import { pauseMs, RetryBudget } from '../sources/http/retries.ts';
import { type Page, SourceProblem, type Stream, type StreamPosition } from '../sources/source.ts';
import type { PageIntake } from './page-intake.ts';
import type { StoredStream, StreamStates } from './stored-streams.ts';
import type { Urgency } from './stream-queue.ts';
import { afterPage, nextStep, type Step, type WalkName } from './stream-state.ts';

/** While a long history is read, changes are read every hour as well. */
const changesEveryMs = 3_600_000;

const budgets = new AsyncLocalStorage<RetryBudget>();

/** The retries of the stream that is being read just now; those of the source where none is. */
export const budgetOr = (other: RetryBudget): RetryBudget => budgets.getStore() ?? other;

export interface ReadingParts {
  readonly states: StreamStates;
  readonly intake: Pick<PageIntake, 'take'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told of failures that are nobody's to put right but ours. */
  readonly troubled: (error: unknown) => void;
}

/** One stream while a sync reads it: page by page, each stored before it is remembered that it was read. */
export class StreamReading {
  readonly #parts: ReadingParts;
  readonly #stream: Stream;
  readonly #budget = new RetryBudget();
  #stored: StoredStream;
  #step: Step | undefined;
  /** Where pages of the present walk began. A page that leads back to one of them leads in a circle. */
  readonly #seen: Record<WalkName, Set<string>> = { changes: new Set(), history: new Set() };
  /** What could not be read of the present walk. */
  #problems: { readonly first: string; readonly count: number } | undefined;
  #changesReadAt: number | undefined;
  #readHere = 0;
  #hasFailed = false;

  constructor(parts: ReadingParts, stream: Stream, stored: StoredStream | undefined) {
    const { id, name, scope } = stream;
    this.#parts = parts;
    this.#stream = stream;
    this.#stored = { ...(stored ?? { state: {}, readCount: 0 }), id, name, scope };
    this.#step = this.#next();
  }

  get stored(): StoredStream {
    return this.#stored;
  }

  /** How many things this sync has read of it. */
  get readHere(): number {
    return this.#readHere;
  }

  /** Whether this sync could not read it to the end. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** What is read next, where anything is. */
  get walk(): WalkName | undefined {
    return this.#step?.walk;
  }

  get urgency(): Urgency {
    return this.#step?.isRecent ? 'recent' : 'history';
  }

  /** Reads and stores the next page. Whether there is another one; a stream that has failed has none. */
  async readPage(): Promise<boolean> {
    const step = this.#step;
    if (!step) return false;
    try {
      const page = await budgets.run(this.#budget, () => this.#read(step));
      await this.#store(step, page);
    } catch (error) {
      this.#parts.signal.throwIfAborted();
      this.#hasFailed = true;
      await this.#fail(error);
      return false;
    }
    this.#step = this.#next();
    return this.#step !== undefined;
  }

  #next(): Step | undefined {
    const now = this.#parts.clock.now();
    const areChangesDue = this.#changesReadAt === undefined || now - this.#changesReadAt >= changesEveryMs;
    return nextStep(this.#stored.state, this.#stream, areChangesDue);
  }

  /** A page that leads back to one before it is read again: pages that move while they are read do that once. */
  async #read({ walk, position }: Step): Promise<Page> {
    const { clock, random, signal } = this.#parts;
    const seen = this.#seen[walk];
    if (position.next === undefined) seen.clear();
    else seen.add(keyOf(position));
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const page = await this.#stream.read(position);
      if (page.next === undefined || !seen.has(keyOf(page))) return page;
      if (!this.#budget.take()) {
        throw new SourceProblem(
          'The pages lead in a circle',
          'It is read again with the next sync. If it stays like this, ask whoever runs the host or a proxy before it.',
          { mayPass: true },
        );
      }
      await clock.sleep(pauseMs(tries, random), signal);
    }
  }

  /** The rows first, then how far they reach. */
  async #store(step: Step, page: Page): Promise<void> {
    const rejected = await this.#take(page);
    const problems = [...(page.problems ?? []), ...rejected];
    const given = page.records.reduce((sum, { records }) => sum + records.length, page.directory ? 1 : 0);
    if (problems.length > 0 && given === rejected.length) throw unknownShape(problems);
    const [first] = problems;
    if (first !== undefined) {
      this.#problems = { first: this.#problems?.first ?? first, count: (this.#problems?.count ?? 0) + problems.length };
    }
    const state = afterPage(this.#stored.state, step, page);
    const isWalked = state[step.walk] === undefined;
    // The first page of everything holds the latest changes as well.
    const areChangesRead = step.walk === 'changes' ? isWalked : step.position.next === undefined;
    if (areChangesRead) this.#changesReadAt = this.#parts.clock.now();
    await this.#save({
      ...withoutError(this.#stored),
      state,
      ...this.#counts(step, page, isWalked),
      ...newestOf(page, this.#stored.newestRecordAt),
      ...(isWalked ? { succeededAt: this.#parts.clock.now(), ...this.#problemsOfWalk() } : {}),
    });
    this.#readHere += page.count;
  }

  /** Tables that another process writes, or that are opened anew, are free again in a moment. */
  async #take(page: Page): Promise<readonly string[]> {
    const { intake, clock, signal } = this.#parts;
    for (;;) {
      try {
        return await intake.take(page);
      } catch (error) {
        const seconds = error instanceof Refusal ? error.hints.retryAfterSeconds : undefined;
        if (seconds === undefined || !this.#budget.take()) throw error;
        await clock.sleep(seconds * 1_000, signal);
      }
    }
  }

  /** History is counted as it is read; so is a stream that is read as a whole, each time anew. */
  #counts(
    { walk, position }: Step,
    { count, total, isUnchanged }: Page,
    isWalked: boolean,
  ): Pick<StoredStream, 'readCount' | 'estimatedCount'> {
    const { readCount, estimatedCount } = this.#stored;
    const isCounted = walk === 'history' || this.#stream.rereadSeconds === undefined;
    const estimated = total ?? estimatedCount;
    if (!isCounted || isUnchanged)
      return { readCount, ...(estimated === undefined ? {} : { estimatedCount: estimated }) };
    const read = (position.next === undefined ? 0 : readCount) + count;
    // Things that were moved onto two pages are counted twice: there are no more of them than the provider says.
    const done = total === undefined ? read : Math.min(read, total);
    return {
      readCount: done,
      ...(isWalked ? { estimatedCount: done } : estimated === undefined ? {} : { estimatedCount: estimated }),
    };
  }

  #problemsOfWalk(): Pick<StoredStream, 'error' | 'toDo'> {
    const problems = this.#problems;
    this.#problems = undefined;
    if (!problems) return {};
    return { error: `${problems.count} could not be taken, the first because ${problems.first}`, toDo: howToReport };
  }

  async #fail(error: unknown): Promise<void> {
    const known = error instanceof SourceProblem || error instanceof Refusal;
    if (!known) this.#parts.troubled(error);
    await this.#save({
      ...this.#stored,
      failedAt: this.#parts.clock.now(),
      error: known ? error.message : 'Reading it failed in an unexpected way',
      toDo: error instanceof SourceProblem ? error.toDo : error instanceof Refusal ? tryAgain : howToReport,
    });
  }

  async #save(stored: StoredStream): Promise<void> {
    await this.#parts.states.save(stored);
    this.#stored = stored;
  }
}

const tryAgain = 'It is tried again with the next sync.';
const howToReport = 'The log of the server says more. If it stays like this, report it with the version of the host.';

const unknownShape = (problems: readonly string[]): SourceProblem =>
  new SourceProblem(`Nothing of a page could be taken: ${problems[0]}`, howToReport);

const keyOf = ({ next }: Pick<StreamPosition, 'next'>): string => JSON.stringify(next);

function withoutError({ error: _, toDo: __, ...stored }: StoredStream): StoredStream {
  return stored;
}

/** The latest of the times that the rows of a table are kept in the order of. */
function newestOf(page: Page, before: number | undefined): Pick<StoredStream, 'newestRecordAt'> {
  let newest = before ?? Number.NEGATIVE_INFINITY;
  for (const { table, records } of page.records) {
    const column = isFactTable(table) ? orderColumn(factTables[table]) : undefined;
    if (column === undefined) continue;
    for (const record of records) {
      const ms = Date.parse(String(record[column]));
      if (ms > newest) newest = ms;
    }
  }
  return newest === Number.NEGATIVE_INFINITY ? {} : { newestRecordAt: newest };
}
