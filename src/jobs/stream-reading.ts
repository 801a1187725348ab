import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '../refusal.ts';
import type { Clock } from '../sources/http/clock.ts';
import { pauseMs, RetryBudget } from '../sources/http/refused-answers.ts';
import { type Page, SourceProblem, type Stream, type StreamPosition } from '../sources/source.ts';
import { isUnreadable, joinPages, newestRecordAt, type PageIntake } from './page-intake.ts';
import {
  afterPage,
  hasRecent,
  NotSeenByWalks,
  nextStep,
  readBackTo,
  type Step,
  type StoredNotSeen,
  type StoredStream,
  type StreamState,
  type StreamStates,
  type WalkName,
} from './stored-streams.ts';

/** Decides which of two readings goes first: everybody waits for the newest month, nobody for older history. */
export type Urgency = 'recent' | 'history';

/** While a long history is read, changes are read every hour as well. */
const changesEveryMs = 3_600_000;

/** The pages of older history that are read before they are stored: memory holds them, and a crash loses them. */
const maxHistoryPages = 5;
const historyTurnMs = 20_000;

const budgets = new AsyncLocalStorage<RetryBudget>();
let underWay = 0;

/** The retries of the stream that is being read just now; those of the source where none is. */
export const budgetOr = (other: RetryBudget): RetryBudget => budgets.getStore() ?? other;

/**
 * Reads with the retries of one stream. Where nothing is read any more, Node.js no longer follows who began what: that
 * would make every promise of the server take twice as long from the first sync on.
 */
async function withBudget(budget: RetryBudget, read: () => Promise<void>): Promise<void> {
  underWay += 1;
  try {
    await budgets.run(budget, read);
  } finally {
    underWay -= 1;
    if (underWay === 0) budgets.disable();
  }
}

export interface StreamReadingParts {
  readonly states: StreamStates;
  readonly intake: Pick<PageIntake, 'take'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Called with failures that are nobody's to put right but ours. */
  readonly onError: (error: unknown) => void;
}

/** One stream while a sync reads it: page by page, each stored before it is remembered that it was read. */
export class StreamReading {
  readonly #parts: StreamReadingParts;
  readonly #stream: Stream;
  readonly #budget = new RetryBudget();
  #stored: StoredStream;
  #step: Step | undefined;
  /** Where pages of the present walk began. A page that leads back to one of them leads in a circle. */
  readonly #seen: Record<WalkName, Set<string>> = { changes: new Set(), history: new Set() };
  /** The problems of the present walk. */
  #problems: { readonly first: string; readonly count: number } | undefined;
  readonly #notSeen = new NotSeenByWalks();
  #changesReadAt: number | undefined;
  #readHere = 0;
  #hasFailed = false;

  constructor(parts: StreamReadingParts, stream: Stream, stored: StoredStream | undefined) {
    const { id, name, scope, feeds, isDaily = false } = stream;
    this.#parts = parts;
    this.#stream = stream;
    const notSeen = { ofStream: stream.notSeen ?? [], ofPages: stored?.notSeen?.ofPages ?? [] };
    this.#stored = { ...(stored ?? { state: {}, readCount: 0 }), id, name, scope, feeds, isDaily, notSeen };
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

  /** The next page to read, if there is one. */
  get walk(): WalkName | undefined {
    return this.#step?.walk;
  }

  get urgency(): Urgency {
    return this.#step?.isRecent ? 'recent' : 'history';
  }

  /** Reads and stores what comes next. Whether there is more; a stream that has failed has none. */
  async readOn(): Promise<boolean> {
    const step = this.#step;
    if (!step) return false;
    try {
      await withBudget(this.#budget, () => this.#readTurn(step));
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

  /**
   * One page of what is recent, so that it is seen soon. Several of older history: a repository is attributed from there on
   * whenever some of it is stored, which takes the longer the more of it there is.
   */
  async #readTurn(first: Step): Promise<void> {
    const pages: Page[] = [];
    let state = this.#stored.state;
    let failure: unknown;
    let step: Step | undefined = first;
    const { clock, signal } = this.#parts;
    const endsAt = clock.now() + historyTurnMs;
    const isFull = () => pages.length === (first.isRecent ? 1 : maxHistoryPages) || clock.now() > endsAt;
    while (step && (pages.length === 0 || !isFull())) {
      try {
        const page: Page = await this.#read(step);
        pages.push(page);
        state = afterPage(state, step, page);
        step = nextStep(state, this.#stream, false);
      } catch (error) {
        if (pages.length === 0 || signal.aborted) throw error;
        failure = error;
        break;
      }
    }
    await this.#store(first, joinPages(pages), state);
    if (failure !== undefined) throw failure;
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
      if (isUnreadable(page)) throw unknownShape(page.problems ?? []);
      if (page.next === undefined || !seen.has(keyOf(page))) return page;
      if (!this.#budget.take()) {
        throw new SourceProblem(
          'The pages lead in a circle',
          'It is read again with the next sync. If it stays like this, ask the administrator of the host, or of a proxy in front of it.',
          { mayPass: true },
        );
      }
      await clock.sleep(pauseMs(tries, random), signal);
    }
  }

  /** The rows first, then how far they reach. */
  async #store(step: Step, page: Page, state: StreamState): Promise<void> {
    const rejected = await this.#take(page);
    const problems = [...(page.problems ?? []), ...rejected];
    const given = page.records.reduce((sum, { records }) => sum + records.length, page.directory ? 1 : 0);
    if (rejected.length > 0 && given === rejected.length) throw unknownShape(rejected);
    const [first] = problems;
    if (first !== undefined) {
      this.#problems = { first: this.#problems?.first ?? first, count: (this.#problems?.count ?? 0) + problems.length };
    }
    const isWalked = state[step.walk] === undefined;
    // The first page of everything holds the latest changes as well.
    const areChangesRead = step.walk === 'changes' ? isWalked : step.position.next === undefined;
    if (areChangesRead) this.#changesReadAt = this.#parts.clock.now();
    const newest = newestRecordAt(page, this.#stored.newestRecordAt);
    await this.#save({
      ...withoutError(this.#stored),
      state,
      ...this.#completeness(step, state, isWalked),
      ...this.#counts(step, page, isWalked),
      notSeen: this.#notSeenAfter(step, page, isWalked),
      ...(newest === undefined ? {} : { newestRecordAt: newest }),
      ...(isWalked ? { succeededAt: this.#parts.clock.now(), ...this.#problemsOfWalk() } : stillFailing(this.#stored)),
    });
    this.#readHere += page.count;
  }

  /**
   * Changes that are read to their end are complete, once the newest thirty days are there. The end of a long history
   * brings nothing new: changes have been read each hour meanwhile.
   */
  #completeness({ walk }: Step, state: StreamState, isWalked: boolean): Partial<StoredStream> {
    const isWhole = this.#stream.rereadSeconds === undefined;
    const isReached = isWhole || hasRecent(state);
    const isFirst = this.#stored.completeAt === undefined;
    const isComplete = walk === 'changes' ? isWalked && isReached : isFirst && isReached;
    const at = this.#parts.clock.now();
    const backTo = readBackTo(state);
    return {
      ...(isComplete ? { completeAt: at } : {}),
      ...(backTo === undefined ? {} : { readBackTo: backTo * 1_000 }),
    };
  }

  #notSeenAfter(step: Step, page: Page, isWalked: boolean): StoredNotSeen {
    const { ofPages = [] } = this.#stored.notSeen ?? {};
    const isWhole = this.#stream.rereadSeconds === undefined;
    const known = this.#notSeen.afterPage(ofPages, step, page, { isWalked, isWhole });
    return { ofStream: this.#stream.notSeen ?? [], ofPages: known };
  }

  /** Tables that another process writes, or that are reopened, are free again in a moment. */
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

  /** History is counted as it is read; so is a stream that is read as a whole, again each time. */
  #counts({ walk, position }: Step, { count, total, isUnchanged }: Page, isWalked: boolean): Partial<StoredStream> {
    const isCounted = walk === 'history' || this.#stream.rereadSeconds === undefined;
    if (!isCounted || isUnchanged) return {};
    const read = (position.next === undefined ? 0 : this.#stored.readCount) + count;
    // Things that were moved onto two pages are counted twice: there are no more of them than the provider says.
    const readCount = total === undefined ? read : Math.min(read, total);
    const estimated = isWalked ? readCount : total;
    return { readCount, ...(estimated === undefined ? {} : { estimatedCount: estimated }) };
  }

  #problemsOfWalk(): Pick<StoredStream, 'error' | 'toDo'> {
    const problems = this.#problems;
    this.#problems = undefined;
    if (!problems) return {};
    return { error: `${problems.count} could not be taken, the first because ${problems.first}`, toDo: howToReport };
  }

  async #fail(error: unknown): Promise<void> {
    const known = error instanceof SourceProblem || error instanceof Refusal;
    if (!known) this.#parts.onError(error);
    await this.#save({
      ...this.#stored,
      failedAt: this.#parts.clock.now(),
      failingSince: this.#stored.failingSince ?? this.#parts.clock.now(),
      isRefused: error instanceof SourceProblem && error.isRefused,
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

/** Without the leftovers of the last read, and without fields that each page repeats. */
function withoutError(stored: StoredStream): StoredStream {
  const { error: _, toDo: __, isRefused: ___, failingSince: ____, readBackTo: _____, ...others } = stored;
  return others;
}

/** A stream that fails after its first page fails all the same. */
const stillFailing = ({ failingSince }: StoredStream): Partial<StoredStream> =>
  failingSince === undefined ? {} : { failingSince };
