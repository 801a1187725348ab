import pg from 'pg';
import { nothingPublished, type PublishedData, type RowsLayout } from '../writer-turns.ts';
import type { StoreLock } from './store-lock.ts';

export const channel = 'plumb_changes';
/** Says in which organisation a change of tables was published. */
export const dataChannel = 'plumb_data';
const pollMs = 250;
/** Older than this, what is known here is not good enough to answer from. */
const freshMs = 750;

/** The columns of `data_versions` that statements return. */
export interface DataRow {
  readonly published: string;
  readonly dead: readonly string[];
  readonly layout: RowsLayout | null;
}

export const publishedIn = ({ published, dead, layout }: DataRow): PublishedData => ({
  version: Number(published),
  dead: dead.map(Number),
  ...(layout === null ? {} : { layout }),
});

/**
 * What this replica knows of every organisation's version, and of that of its data. Commits announce themselves, and every quarter of a second
 * all versions are read as well, so that a lost connection can only make the knowledge old, never wrong: then
 * `versionOf` says nothing, caches miss, and every request asks the database itself.
 */
export class VersionWatch {
  readonly #url: string;
  readonly #lock: StoreLock | undefined;
  readonly #versions = new Map<string, number>();
  readonly #published = new Map<string, PublishedData>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #seenAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  readonly #listeners: ((organisationId: string) => void)[] = [];

  /** Without the lock nothing is known, where this process works only while it holds one. */
  constructor(url: string, lock?: StoreLock) {
    this.#url = url;
    this.#lock = lock;
  }

  async start(): Promise<void> {
    await this.#poll();
    this.#schedule();
  }

  versionOf(organisationId: string): number | undefined {
    return this.#isFresh ? this.#versions.get(organisationId) : undefined;
  }

  publishedOf(organisationId: string): PublishedData | undefined {
    return this.#isFresh ? (this.#published.get(organisationId) ?? nothingPublished) : undefined;
  }

  /** However old that knowledge is. */
  lastPublishedOf(organisationId: string): PublishedData {
    return this.#published.get(organisationId) ?? nothingPublished;
  }

  get #isFresh(): boolean {
    return performance.now() - this.#seenAt <= freshMs && (this.#lock?.isHeld ?? true);
  }

  onRaise(listener: (organisationId: string) => void): void {
    this.#listeners.push(listener);
  }

  learn(organisationId: string, version: number): void {
    if (version <= (this.#versions.get(organisationId) ?? 0)) return;
    this.#versions.set(organisationId, version);
    for (const listener of this.#listeners) listener(organisationId);
  }

  /** A version that was read earlier may come later, and knows less. */
  learnData(organisationId: string, data: PublishedData): void {
    const known = this.#published.get(organisationId) ?? nothingPublished;
    if (data.version > known.version || (data.version === known.version && data.dead.length >= known.dead.length)) {
      this.#published.set(organisationId, data);
    }
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
    const askedAt = performance.now();
    const { rows } = await client.query<{ id: string; version: string }>('SELECT id, version FROM organisations');
    for (const { id, version } of rows) this.learn(id, Number(version));
    // Of a deleted organisation nothing is known any more, whether or not its deletion was announced.
    const there = new Set(rows.map(({ id }) => id));
    for (const id of this.#versions.keys()) if (!there.has(id)) this.#versions.delete(id);
    await this.#readData(client, 'TRUE', []);
    this.#seenAt = askedAt;
  }

  async #readData(client: pg.Client, where: string, values: readonly string[]): Promise<void> {
    const { rows } = await client.query<DataRow & { id: string }>(
      `SELECT organisation_id AS id, published::text, dead::text[], layout::jsonb FROM data_versions WHERE ${where}`,
      [...values],
    );
    for (const row of rows) this.learnData(row.id, publishedIn(row));
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'plumb-watch',
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    });
    client.on('error', () => this.#drop());
    client.on('notification', ({ channel: heard, payload }) => {
      // The notification only says that something changed: the list of dead changes need not fit into a notification.
      if (heard === dataChannel) {
        this.#readData(client, 'organisation_id = $1', [payload ?? '']).catch(() => this.#drop());
        return;
      }
      const [organisationId, version] = payload?.split(' ') ?? [];
      if (organisationId && version) this.learn(organisationId, Number(version));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      await client.query(`LISTEN ${dataChannel}`);
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
