import { cpSync, rmSync } from 'node:fs';
import { openStore } from '../../src/store/open.ts';
import { freshFolder, type StoreHome, type TestedStore } from '../conformance/stores.ts';
import { times } from '../setup/how-long.ts';
import { databaseLike } from '../setup/postgres.ts';
import { fill } from './filled-store.ts';

export interface FilledHome {
  readonly place: StoreHome;
  readonly id: string;
  readonly ownerId: string;
}

const originals = new Map<string, Promise<FilledHome>>();

/** A store with one organisation of `fill`: filled once in this process for each engine, and copied for whoever asks. */
export async function filledHome(engine: TestedStore): Promise<FilledHome> {
  const filling = originals.get(engine.name) ?? fillHome(engine);
  originals.set(engine.name, filling);
  const { place, ...organisation } = await filling;
  const folder = freshFolder();
  cpSync(place.folder, folder.path, { recursive: true });
  if (place.databaseUrl === undefined) {
    return { ...organisation, place: { folder: folder.path, remove: async () => folder.remove() } };
  }
  const database = await databaseLike(place.databaseUrl);
  const remove = async () => {
    folder.remove();
    await database.drop();
  };
  return { ...organisation, place: { folder: folder.path, databaseUrl: database.url, remove } };
}

async function fillHome(engine: TestedStore): Promise<FilledHome> {
  const place = await engine.place();
  process.once('exit', () => rmSync(place.folder, { recursive: true, force: true }));
  const store = await openStore(place);
  try {
    return { place, ...(await fill(store, times(200, 6_000))) };
  } finally {
    await store.close();
  }
}
