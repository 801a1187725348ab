import pg from 'pg';

export const channel = 'plumb_changes';
const pollMs = 250;
/** Older than this, what is known here is not good enough to answer from. */
const freshMs = 750;

/**
 * What this replica knows of every organisation's version. Commits announce themselves, and every quarter of a second
 * all versions are read as well, so that a lost connection can only make the knowledge old, never wrong: then
 * `versionOf` says nothing, caches miss, and every request asks the database itself.
 */
export class VersionWatch {
  readonly #url: string;
  readonly #now: () => number;
  readonly #versions = new Map<string, number>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #seenAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  #raised: (organisationId: string) => void = () => {};

  constructor(url: string, now: () => number = () => performance.now()) {
    this.#url = url;
    this.#now = now;
  }

  async start(): Promise<void> {
    await this.#poll();
    this.#schedule();
  }

  versionOf(organisationId: string): number | undefined {
    return this.#now() - this.#seenAt > freshMs ? undefined : this.#versions.get(organisationId);
  }

  onRaise(listener: (organisationId: string) => void): void {
    this.#raised = listener;
  }

  learn(organisationId: string, version: number): void {
    if (version <= (this.#versions.get(organisationId) ?? 0)) return;
    this.#versions.set(organisationId, version);
    this.#raised(organisationId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#poll()
        .catch(() => this.#drop())
        .finally(() => this.#schedule());
    }, pollMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const client = this.#client ?? (await this.#connect());
    const askedAt = this.#now();
    const { rows } = await client.query<{ id: string; version: string }>('SELECT id, version FROM organisations');
    for (const { id, version } of rows) this.learn(id, Number(version));
    this.#seenAt = askedAt;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'plumb-watch',
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    });
    client.on('error', () => this.#drop());
    client.on('notification', ({ payload }) => {
      const [organisationId, version] = payload?.split(' ') ?? [];
      if (organisationId && version) this.learn(organisationId, Number(version));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      if (this.#closed) throw new Error('closed while connecting');
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.removeAllListeners();
    client?.on('error', () => {});
    client?.end().catch(() => {});
  }
}
