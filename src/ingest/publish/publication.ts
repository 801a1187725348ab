import { Refusal } from '../../refusal.ts';
import { type Patience, waitFor } from '../../turns/turn.ts';

/** How far a publication is. */
export interface Progress {
  /** It waits for its turn among the writers of the organisation. */
  queued(): void;
  /** Its turn has come. */
  begun(): void;
}

/**
 * One publication of a directory, which several callers may wait for. It goes on when they give up. Only its wait for a
 * turn among the writers uses up the waiting time of callers; the work itself is waited for, however long it takes.
 */
export class Publication {
  /** The version of the organisation that was known when the publication began. */
  readonly since: number | undefined;
  readonly done: Promise<void>;
  readonly #queued: Promise<void>;
  readonly #begun: Promise<void>;

  constructor(since: number | undefined, work: (progress: Progress) => Promise<void>) {
    this.since = since;
    let [queued, begun] = [() => {}, () => {}];
    this.#queued = new Promise((resolve) => {
      queued = resolve;
    });
    this.#begun = new Promise((resolve) => {
      begun = resolve;
    });
    this.done = Promise.resolve()
      .then(() => work({ queued, begun }))
      .finally(() => {
        queued();
        begun();
      });
    // Every caller who waits gets the error; when nobody waits, nobody needs it.
    this.done.catch(() => {});
  }

  async wait({ signal, waiting }: Patience): Promise<void> {
    await waitFor(this.#queued, { signal }, notPublished);
    await waitFor(this.#begun, { signal, waiting }, notPublished);
    await waitFor(this.done, { signal }, notPublished);
  }
}

export const notPublished = (): Refusal =>
  new Refusal('unavailable', 'The tables are being brought up to the directory. Ask again in a moment.', {
    retryAfterSeconds: 2,
  });
