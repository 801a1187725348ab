import { WriterQueue } from './store-turns.ts';
import { WriteGate } from './write-hold.ts';
import type { PublishedData, Writer, WriterTurn, WriterTurns } from './writer-turns.ts';

/** Where one process is all there is: nothing of it outlives the process, nor does any change that was not finished. */
export class MemoryWriterTurns implements WriterTurns {
  readonly #gate: WriteGate;
  readonly #queue = new WriterQueue();
  readonly #published = new Map<string, PublishedData>();
  readonly #changes = new Map<string, number>();

  constructor(gate: WriteGate = new WriteGate()) {
    this.#gate = gate;
  }

  inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer = {}): Promise<T> {
    return this.#queue.take(organisationId, writer, () =>
      this.#gate.enter(() => this.#work(organisationId, work, writer)),
    );
  }

  async #work<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer): Promise<T> {
    const change = (this.#changes.get(organisationId) ?? 0) + 1;
    this.#changes.set(organisationId, change);
    const publish = async () => {
      const { dead } = this.published(organisationId);
      this.#published.set(organisationId, { version: change, dead: writer.isUndone ? [] : dead });
    };
    try {
      const { dead } = this.published(organisationId);
      return await work({ change, dead, leaseEndsAt: () => undefined, leaveCopies: async () => {}, publish });
    } finally {
      const { version, dead } = this.published(organisationId);
      if (version !== change && !writer.isUndone) {
        this.#published.set(organisationId, { version, dead: [...dead, change] });
      }
    }
  }

  published(organisationId: string): PublishedData {
    return this.#published.get(organisationId) ?? nothing;
  }

  lastKnown(organisationId: string): PublishedData {
    return this.published(organisationId);
  }

  async forgetDead(organisationId: string, changes: readonly number[]): Promise<void> {
    const { version, dead } = this.published(organisationId);
    this.#published.set(organisationId, { version, dead: dead.filter((one) => !changes.includes(one)) });
  }
}

const nothing: PublishedData = { version: 0, dead: [] };
