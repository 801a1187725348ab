import { Refusal } from '../../refusal.ts';
import { type Patience, waitFor } from '../../turns/turn.ts';

/** How far a preparation is. */
export interface Progress {
  /** It waits for its turn among the writers of the organisation. */
  queued(): void;
  /** Its turn has come. */
  begun(): void;
}

/**
 * Bringing the tables of an organisation up to its directory, for everyone who asks meanwhile. Only the wait for its
 * turn among the writers uses up anybody's waiting time; the work itself is done for those who ask, however long it takes,
 * and goes on when they give up.
 */
export class Preparation {
  /** The version of the organisation that was known when it began. */
  readonly since: number | undefined;
  readonly #queued: Promise<void>;
  readonly #begun: Promise<void>;
  readonly #done: Promise<void>;

  constructor(since: number | undefined, work: (progress: Progress) => Promise<void>) {
    this.since = since;
    let [queued, begun] = [() => {}, () => {}];
    this.#queued = new Promise((resolve) => {
      queued = resolve;
    });
    this.#begun = new Promise((resolve) => {
      begun = resolve;
    });
    this.#done = Promise.resolve()
      .then(() => work({ queued, begun }))
      .finally(() => {
        queued();
        begun();
      });
    // Whoever waits gets the error. It is no unhandled one when nobody waits any more.
    this.#done.catch(() => {});
  }

  async wait({ signal, waiting }: Patience): Promise<void> {
    await waitFor(this.#queued, { signal }, behind);
    await waitFor(this.#begun, { signal, waiting }, behind);
    await waitFor(this.#done, { signal }, behind);
  }
}

const behind = (): Refusal =>
  new Refusal('unavailable', 'The tables are being brought up to the directory. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });
