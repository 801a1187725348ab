import { endsWithin } from '../../admission/ticket.ts';
import { UnreadableTables } from '../../query/question-port.ts';
import { Refusal } from '../../refusal.ts';
import { noRoom } from '../spool-space.ts';

/** The part to reopen: the file of one organisation, or everything. */
type Loss = 'file' | 'instance';

export const isFullDisk = (error: Error): boolean => /no space left/i.test(error.message);

/**
 * A full disk makes DuckDB declare a file that it writes to invalid until it is attached again, which brings every
 * commit back; a fatal error does the same to the whole instance. A reader loses nothing by a full disk: only sorting
 * and spooling its answer fail, and the file stays valid.
 */
export function lossOf(error: unknown, { isWriting }: { readonly isWriting: boolean }): Loss | undefined {
  if (!(error instanceof EngineError)) return undefined;
  if (/fatal error/i.test(error.message)) return 'instance';
  if (/invalidated|failed to commit/i.test(error.message)) return 'file';
  return isWriting && isFullDisk(error) ? 'file' : undefined;
}

/** The outcome is undecided, and the caller may simply ask again: every write here can be repeated. */
export const reopened = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'The warehouse had to be reopened. Send the request again.', {
    retryAfterSeconds: 1,
    cause,
  });

/** Whether the engine's memory was too small for something, also where the caller was told so already. */
function isOutOfMemory(error: unknown): boolean {
  const own = error instanceof Refusal ? error.cause : error;
  return own instanceof EngineError && /^Out of Memory Error/i.test(own.message);
}

/** The refusal for an engine's error that the caller can put right, if any. */
export function understood(organisationId: string, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  if (isOutOfMemory(error)) {
    return new Refusal(
      'unavailable',
      'This needs more memory than there is just now. Ask again, or for less at once.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
  if (isFullDisk(error)) return noRoom(error);
  // Readers that began before a file was given up still hold it.
  if (isStillOpen(error)) return reopened(error);
  return isUnreadable(error) ? new UnreadableTables(organisationId, error) : error;
}

/** Whether a file cannot be attached because a reader still holds it after it was detached. */
export const isStillOpen = (error: unknown): boolean =>
  error instanceof EngineError && /Unique file handle conflict/i.test(error.message);

/** Whether a checkpoint was refused because a writer began before it. */
export const isBeingWritten = (error: unknown): boolean =>
  error instanceof EngineError && /Cannot CHECKPOINT: there are other write transactions/.test(error.message);

/** Blocks that do not match their checksums, or that the operating system does not give. */
const isUnreadable = ({ message }: EngineError): boolean =>
  /^(IO|Serialization) Error|checksum|corrupt|could not read|cannot read/i.test(message);

/** The same for what came of attaching a file: whatever the engine says then, the file is of no use to anyone. */
export function notAttached(organisationId: string, error: unknown): unknown {
  return error instanceof EngineError ? new UnreadableTables(organisationId, error) : error;
}

/**
 * Something that the engine itself reported, in its own words. Apart from every other error, so that a full disk of a
 * caller, who writes a file of his own while he reads, is not taken for that of the warehouse.
 */
export class EngineError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'EngineError';
  }
}

/** Another answer may have a slow reader. */
const maxWaitMs = 30_000;

/**
 * Further tries for what did not fit into the engine's memory beside everything else: such work is then done one after
 * another, each time that something else has ended. Measured with 1 GB: six answers of 240 MB at once did not fit, and
 * each of them did by itself.
 */
export class MemoryTurns {
  /** Work that does not wait for its turn: it is done at once, and may fit. */
  readonly #firstTries = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** For work that can be done again from its beginning, unless it is said that it cannot any more. */
  async attempt<T>(work: () => Promise<T>, isRepeatable = () => true): Promise<T> {
    const first = work();
    const ended = first.catch(() => {});
    this.#firstTries.add(ended);
    try {
      return await first;
    } catch (error) {
      if (!isOutOfMemory(error) || !isRepeatable()) throw error;
    } finally {
      this.#firstTries.delete(ended);
    }
    const turn = this.#last.then(() => this.#repeat(work, isRepeatable));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #repeat<T>(work: () => Promise<T>, isRepeatable: () => boolean): Promise<T> {
    for (;;) {
      const others = [...this.#firstTries];
      try {
        return await work();
      } catch (error) {
        if (others.length === 0 || !isOutOfMemory(error) || !isRepeatable()) throw error;
        if (!(await endsWithin(maxWaitMs, Promise.race(others)))) throw error;
      }
    }
  }
}
