import type { Store } from '../store/store.ts';

const flushEveryMs = 5_000;

/** Remembers when each key was last used, and writes it every few seconds rather than with every request. */
export class LastUsed {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, Date>();

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), flushEveryMs);
    this.#timer.unref();
  }

  note(keyId: string, at: Date): void {
    this.#pending.set(keyId, at);
  }

  /** A failure costs no request: what could not be written waits for the next time. */
  async flush(): Promise<void> {
    const pending = this.#pending;
    if (pending.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#store.note((session) =>
        session.run(
          `UPDATE api_keys SET last_used_at = used.used_at
           FROM (SELECT unnest($1::text[]) AS id, unnest($2::timestamptz[]) AS used_at) AS used
           WHERE api_keys.id = used.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.used_at)`,
          [[...pending.keys()], [...pending.values()].map((at) => at.toISOString())],
        ),
      );
    } catch (error) {
      this.#pending = new Map([...pending, ...this.#pending]);
      this.#failed(error);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
