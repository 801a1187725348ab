import { type Ticket, waitFor } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';
import { beingClosed } from './task.ts';

/** Attaching and detaching, as the engine does it. Neither is called for a file while the other is at it. */
interface FileHandling {
  attach(organisationId: string): Promise<void>;
  detach(organisationId: string): Promise<void>;
}

/** Gives a held file back. To be called once. */
export type Release = () => void;

interface AttachedFile {
  readonly organisationId: string;
  /** How many need the file, or wait for it. It stays attached while there are any. */
  users: number;
  /** Resolves when the file is attached. */
  attached: Promise<void>;
  isAttached: boolean;
  /** Resolves when the file is closed again. A caller that needs the file meanwhile waits, then attaches it again. */
  detaching: Promise<void> | undefined;
}

/**
 * The files of organisations that are attached, at most so many at once: every file takes one or two file descriptors
 * and some memory. A file stays attached until another one needs its place. Then the one goes that was not used for
 * longest, and only when nobody uses it: a reader never finds its file closed.
 */
export class AttachedFiles {
  readonly #handling: FileHandling;
  readonly #max: number;
  /** By organisation, the least recently used first. */
  readonly #entries = new Map<string, AttachedFile>();
  /** Files that are attached, or are being attached or detached. */
  #open = 0;
  #isClosed = false;
  #onChange: (() => void)[] = [];

  constructor(handling: FileHandling, max: number) {
    this.#handling = handling;
    this.#max = Math.max(1, max);
  }

  /** Attaches a file where it is not, once, however many need it at the same time. A failure is not remembered. */
  async hold(organisationId: string, ticket: Ticket): Promise<Release> {
    const entry = await this.#entryOf(organisationId);
    try {
      ticket.signal?.throwIfAborted();
      if (!entry.isAttached) await waitFor(entry.attached, ticket, tooManyInUse);
    } catch (error) {
      this.#giveBack(entry);
      throw error;
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(entry);
      isHeld = false;
    };
  }

  /**
   * Detaches a file even while it is used, because it is removed or no longer usable. The engine keeps it open for its
   * current readers, and refuses to attach it again before they have left.
   */
  async detach(organisationId: string): Promise<void> {
    const entry = this.#entries.get(organisationId);
    if (!entry) return;
    await entry.attached.catch(() => {});
    if (entry.isAttached) await this.#detach(entry);
  }

  /** Attaches nothing any more, and answers which files are attached. */
  async close(): Promise<string[]> {
    this.#isClosed = true;
    this.#tell();
    const entries = [...this.#entries.values()];
    await Promise.allSettled(entries.flatMap(({ attached, detaching }) => [attached, detaching]));
    return [...this.#entries.values()].filter(({ isAttached }) => isAttached).map((entry) => entry.organisationId);
  }

  async #entryOf(organisationId: string): Promise<AttachedFile> {
    for (;;) {
      const known = this.#entries.get(organisationId);
      if (known?.detaching) {
        await known.detaching.catch(() => {});
        continue;
      }
      const entry = known ?? this.#newEntry(organisationId);
      entry.users += 1;
      // The most recently used one is the last.
      this.#entries.delete(organisationId);
      this.#entries.set(organisationId, entry);
      return entry;
    }
  }

  #newEntry(organisationId: string): AttachedFile {
    const entry: AttachedFile = {
      organisationId,
      users: 0,
      attached: Promise.resolve(),
      isAttached: false,
      detaching: undefined,
    };
    entry.attached = Promise.resolve().then(() => this.#attach(entry));
    entry.attached.catch(() => this.#forget(entry));
    return entry;
  }

  async #attach(entry: AttachedFile): Promise<void> {
    while (this.#isClosed || this.#open >= this.#max) {
      if (this.#isClosed) throw beingClosed();
      // Everyone who waited for the file has given up.
      if (entry.users === 0) throw tooManyInUse();
      const idle = [...this.#entries.values()].find((one) => one.isAttached && one.users === 0 && !one.detaching);
      // A failure to detach does not concern the caller that needs the place: the place is free either way.
      if (idle) await this.#detach(idle).catch(() => {});
      else await this.#changed();
    }
    this.#open += 1;
    try {
      await this.#handling.attach(entry.organisationId);
      entry.isAttached = true;
    } catch (error) {
      this.#left();
      throw error;
    }
  }

  #detach(entry: AttachedFile): Promise<void> {
    entry.detaching ??= this.#handling.detach(entry.organisationId).finally(() => {
      entry.isAttached = false;
      this.#forget(entry);
      this.#left();
    });
    return entry.detaching;
  }

  #forget(entry: AttachedFile): void {
    if (this.#entries.get(entry.organisationId) === entry) this.#entries.delete(entry.organisationId);
  }

  #left(): void {
    this.#open -= 1;
    this.#tell();
  }

  #giveBack(entry: AttachedFile): void {
    entry.users -= 1;
    if (entry.users === 0) this.#tell();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange.push(resolve);
    });
  }

  /** Everyone who waits looks again, in the order in which they came. */
  #tell(): void {
    const waiting = this.#onChange;
    this.#onChange = [];
    for (const look of waiting) look();
  }
}

const tooManyInUse = (): Refusal =>
  new Refusal('unavailable', 'The files of too many organisations are in use at once. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });
