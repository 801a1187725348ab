import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { isLong, threadsForFewRows } from '../setup/how-long.ts';
import { madeOnce } from '../setup/made-once.ts';
import { type FreshDatabase, freshDatabase, postgresAvailable, storeDatabase } from '../setup/postgres.ts';
import { throwAway } from '../setup/thrown-away.ts';

export { directoryOf, noon, someOrganisation } from './some-organisation.ts';

/** Somewhere a store can live; empty at first. */
export interface StoreHome {
  readonly folder: string;
  readonly databaseUrl?: string;
  /** Of the engine of its tables, for whoever opens it by its place. */
  readonly threads?: number | undefined;
  remove(): Promise<void>;
}

export interface TestedStore {
  readonly name: 'embedded' | 'PostgreSQL';
  readonly isAvailable: boolean;
  place(): Promise<StoreHome>;
  /** A place with the tables of a store. Copying them takes less than half of the time of making them. */
  placeWithTables(): Promise<StoreHome>;
}

export function freshFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'plumb-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const embedded: TestedStore = {
  name: 'embedded',
  isAvailable: true,
  async place() {
    const folder = freshFolder();
    return { folder: folder.path, threads: threadsForFewRows, remove: async () => folder.remove() };
  },
  async placeWithTables() {
    const made = await madeOnce('store-folder', async (folder) => {
      const store = await openStore({ folder });
      await store.close();
      return null;
    });
    const place = await embedded.place();
    cpSync(made.folder, place.folder, { recursive: true });
    return place;
  },
};

export const postgres: TestedStore = {
  name: 'PostgreSQL',
  isAvailable: postgresAvailable,
  place: async () => homeOf(await freshDatabase()),
  placeWithTables: async () => homeOf(await storeDatabase()),
};

function homeOf(database: FreshDatabase): StoreHome {
  const folder = freshFolder();
  return {
    folder: folder.path,
    databaseUrl: database.url,
    threads: threadsForFewRows,
    async remove() {
      folder.remove();
      await database.drop();
    },
  };
}

/**
 * For very many small changes, whatever they are stored in: a statement takes PostgreSQL a fifth of the processor time
 * that it takes the embedded engine, which the long run has.
 */
export const quickStore: TestedStore = isLong || !postgresAvailable ? embedded : postgres;

const everyStore = [embedded, postgres];

/** The same tests on every engine; where one is missing they count as skipped. */
export function describeOnEveryStore(
  title: string,
  define: (engine: TestedStore) => void,
  engines: readonly TestedStore[] = everyStore,
): void {
  for (const engine of engines) {
    describe.skipIf(!engine.isAvailable)(`${title} (${engine.name})`, () => define(engine));
  }
}

/** For what hardly depends on the engine: on the one that is named in the ordinary run, on every one in the long run. */
export function describeOnOneStore(title: string, usual: TestedStore, define: (engine: TestedStore) => void): void {
  const engine = usual.isAvailable ? usual : embedded;
  describeOnEveryStore(title, define, isLong ? everyStore : [engine]);
}

/** One open store for all tests of a suite, each of which makes organisations of its own. */
export function sharedStore(engine: TestedStore): () => Store {
  let place: StoreHome | undefined;
  let store: Store | undefined;
  beforeAll(async () => {
    place = await engine.placeWithTables();
    store = await openStore(place);
  });
  afterAll(async () => {
    if (place) await throwAway(place.folder);
    await store?.close();
    await place?.remove();
  });
  return () => {
    if (!store) throw new Error('the store is open only while tests run');
    return store;
  };
}
