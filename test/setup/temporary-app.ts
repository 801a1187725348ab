import { cpSync } from 'node:fs';
import { type EmbeddedApp, openApp } from '../../src/main.ts';
import { embedded, type TestedStore } from '../conformance/stores.ts';
import { threadsForFewRows } from './how-long.ts';
import { throwAway } from './thrown-away.ts';

interface TemporaryAppOptions {
  /** The folder of another app with an embedded store, which this one begins as a copy of. */
  readonly copyOf?: string;
  readonly store?: TestedStore;
}

/** An app with tables in a folder of its own and an embedded store unless another is given, both gone when it closes. */
export async function openTemporaryApp({
  copyOf,
  store = embedded,
}: TemporaryAppOptions = {}): Promise<EmbeddedApp & { readonly folder: string }> {
  const { folder, databaseUrl, remove } = await (copyOf === undefined ? store.placeWithTables() : store.place());
  if (copyOf !== undefined) cpSync(copyOf, folder, { recursive: true });
  const app = await openApp({ folder, databaseUrl, threads: threadsForFewRows });
  return {
    ...app,
    folder,
    async close() {
      await throwAway(folder);
      await app.close();
      await remove();
    },
  };
}
