import type { Store } from '../store/store.ts';
import type { Principal } from './principal.ts';

const flushEveryMs = 5_000;

type UsedTable = 'api_keys' | 'sessions';

/** Remembers when each key and each session was last used, and writes it every few seconds rather than with every request. */
export class LastUsed {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #pending = nothingUsed();

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), flushEveryMs);
    this.#timer.unref();
  }

  note({ keyId, session }: Pick<Principal, 'keyId' | 'session'>, at: Date): void {
    if (session) this.#pending.sessions.set(session.id, at);
    else this.#pending.api_keys.set(keyId, at);
  }

  /** A failure costs no request: what could not be written waits for the next time. */
  async flush(): Promise<void> {
    const pending = this.#pending;
    if (pending.api_keys.size + pending.sessions.size === 0) return;
    this.#pending = nothingUsed();
    try {
      await this.#store.note(async (session) => {
        for (const [table, used] of Object.entries(pending)) {
          if (used.size === 0) continue;
          await session.run(
            `UPDATE ${table} SET last_used_at = used.used_at
             FROM (SELECT unnest($1::text[]) AS id, unnest($2::timestamptz[]) AS used_at) AS used
             WHERE ${table}.id = used.id AND (${table}.last_used_at IS NULL OR ${table}.last_used_at < used.used_at)`,
            [[...used.keys()], [...used.values()].map((at) => at.toISOString())],
          );
        }
      });
    } catch (error) {
      const merged = (table: UsedTable) => new Map([...pending[table], ...this.#pending[table]]);
      this.#pending = { api_keys: merged('api_keys'), sessions: merged('sessions') };
      this.#failed(error);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

const nothingUsed = (): Readonly<Record<UsedTable, Map<string, Date>>> => ({
  api_keys: new Map(),
  sessions: new Map(),
});
