import { cpSync } from 'node:fs';
import { openStore } from '../../src/store/open.ts';
import { embedded, postgres, type StoreHome, type TestedStore } from '../conformance/stores.ts';
import { threadsForFewRows, times } from '../setup/how-long.ts';
import { madeOnce } from '../setup/made-once.ts';
import { databaseLike, freshDatabase } from '../setup/postgres.ts';
import { fill } from './filled-store.ts';

/** People of a filled home, beside its Owner. */
export const peopleFilled = times(60, 6_000);

interface FilledOrganisation {
  readonly id: string;
  readonly ownerId: string;
}

export interface FilledHome extends FilledOrganisation {
  readonly place: StoreHome;
}

/** A store with one organisation of `fill`: filled once in the run for each engine, and copied for whoever asks. */
export const filledHome = (engine: TestedStore): Promise<FilledHome> =>
  engine === postgres ? filledDatabase() : filledFolder();

async function filledFolder(): Promise<FilledHome> {
  const { folder, value } = await madeOnce('filled-home', (folder) => fillStore({ folder }));
  const place = await embedded.place();
  cpSync(folder, place.folder, { recursive: true });
  return { ...value, place };
}

async function filledDatabase(): Promise<FilledHome> {
  const { value } = await madeOnce('filled-database', async (folder) => {
    const { url } = await freshDatabase();
    return { url, ...(await fillStore({ folder, databaseUrl: url })) };
  });
  const { url, ...organisation } = value;
  const { folder, remove } = await embedded.place();
  const copy = await databaseLike(url);
  const place = {
    folder,
    databaseUrl: copy.url,
    threads: threadsForFewRows,
    async remove() {
      await remove();
      await copy.drop();
    },
  };
  return { ...organisation, place };
}

async function fillStore(place: Pick<StoreHome, 'folder' | 'databaseUrl'>): Promise<FilledOrganisation> {
  const store = await openStore(place);
  try {
    return await fill(store, peopleFilled);
  } finally {
    await store.close();
  }
}
