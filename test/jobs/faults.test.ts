import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.ts';
import { openApp } from '../../src/main.ts';
import { quickStore, type StoreHome } from '../conformance/stores.ts';
import { isLong, times } from '../setup/how-long.ts';
import { seed } from '../setup/seed.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { SeededFaults } from './faults.ts';
import { openMemoryApp, type SyncedApp } from './memory-app.ts';
import { tableChecksums } from './table-checksums.ts';
import { ToyProvider } from './toy-provider.ts';
import { addToySource, syncToTheEnd, toySyncs, virtualClock } from './toy-sync.ts';
import { toyWorld } from './toy-world.ts';

const runs = times(8, 800);
/** Each in an organisation of its own: most of their time is the store's. */
const atOnce = 4;
const faultShare = 0.2;
const hourMs = 3_600_000;

let app: SyncedApp;
let place: StoreHome;
beforeAll(async () => {
  place = await quickStore.placeWithTables();
  // What can go wrong lies before the tables. Those of the engine are in the long run, and in the run that is killed.
  app = isLong ? await openApp({ folder: place.folder, databaseUrl: undefined }) : await openMemoryApp(place);
});
afterAll(async () => {
  await throwAway(place.folder);
  await app.close();
  await place.remove();
});

interface Run {
  readonly state: unknown;
  readonly requests: number;
  readonly injected: number;
  readonly syncs: number;
}

/** A first sync, during which the pages move, and another one for what was missed. */
async function run(random?: SeededRandom): Promise<Run> {
  const faults = random ? new SeededFaults(random, faultShare) : undefined;
  const provider = await ToyProvider.start(toyWorld(), { isMoving: true, ...(faults ? { faults } : {}) });
  try {
    const { organisationId, sourceId } = await addToySource(app);
    // Our clock may be days away from the provider's.
    const skewMs = random ? Math.floor(random.between(-72, 72)) * hourMs : 0;
    const clock = virtualClock(Date.UTC(2024, 5, 1) + skewMs);
    const syncs = toySyncs(app, provider.baseUrl, { clock, ...(random ? { random: () => random.next() } : {}) });
    const taken = (await syncToTheEnd(syncs, sourceId)) + (await syncToTheEnd(syncs, sourceId));
    const state = await tableChecksums(app.warehouse, organisationId);
    return { state, requests: provider.requests, injected: faults?.count ?? 0, syncs: taken };
  } finally {
    await provider.close();
  }
}

test(`Whatever goes wrong on the way, the tables are the same in the end, for one more request each time at most (${runs} runs, seed ${seed})`, async () => {
  const smooth = await run();
  expect(smooth).toMatchObject({ injected: 0, syncs: 2 });
  let injected = 0;
  const tryOne = async (i: number) => {
    const rough = await run(new SeededRandom(`faults ${seed} ${i}`));
    const runName = `run ${i} with ${rough.injected} faults`;
    expect(rough.state, runName).toEqual(smooth.state);
    expect(rough.syncs, runName).toBe(2);
    expect(rough.requests, runName).toBeLessThanOrEqual(smooth.requests + rough.injected);
    injected += rough.injected;
  };
  for (let first = 0; first < runs; first += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, i) => tryOne(first + i)));
  }
  expect(injected).toBeGreaterThan(runs);
});
