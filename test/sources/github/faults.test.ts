import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.ts';
import type { StreamNews } from '../../../src/jobs/sync-progress.ts';
import { github } from '../../../src/sources/github/github.ts';
import type { HostDirectory } from '../../../src/sources/source.ts';
import { quickStore, type StoreHome } from '../../conformance/stores.ts';
import { SeededFaults, timeouts } from '../../jobs/faults.ts';
import { openMemoryApp, type SyncedApp } from '../../jobs/memory-app.ts';
import { tableChecksums } from '../../jobs/table-checksums.ts';
import { addToySource, syncToTheEnd, toySyncs, virtualClock } from '../../jobs/toy-sync.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';
import { ReplayedApp } from './replay/app.ts';
import { moveOn, worldOfPages } from './replay/moving-world.ts';
import { memoryInMap } from './replay/read-source.ts';
import { type SeenRequest, startReplay } from './replay/server.ts';
import type { World } from './replay/world.ts';

const runs = times(2, 300);
/** Some are of an app, whose tokens end meanwhile. */
const appEvery = 2;
/** More of them in fewer runs meet as many kinds. */
const faultShare = isLong ? 0.1 : 0.3;
const hourMs = 3_600_000;
/** Requests for what does not fit onto a page of pull requests. */
const longLists = 20;
const providerTime = Date.UTC(2024, 0, 15) / 1_000;

let app: SyncedApp;
let place: StoreHome;
/** Made once: each one made has ids of its own. */
const world = worldOfPages();
const pullRequests = world.repositories.reduce((sum, { pulls }) => sum + pulls.length, 0);
beforeAll(async () => {
  place = await quickStore.placeWithTables();
  app = await openMemoryApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

interface Run {
  readonly state: unknown;
  readonly directories: readonly HostDirectory[];
  readonly requests: number;
  readonly faults: SeededFaults | undefined;
  readonly syncs: number;
  /** For limits: changes are looked for every hour while history is read. */
  readonly hoursWaited: number;
  /** Pull requests on the smallest page that was asked for. */
  readonly smallestPage: number;
  /** News of pull requests that were not stored when it was told. */
  readonly ahead: readonly StreamNews[];
}

/** A first sync, during which pull requests change, and another one for what was missed. */
async function run(random?: SeededRandom, isOfApp = false): Promise<Run> {
  const faults = random ? new SeededFaults(random, faultShare, timeouts) : undefined;
  const here = structuredClone(world);
  const server = await startReplay(here, {
    answered: movingOnce(here),
    now: () => providerTime,
    ...(faults ? { faults } : {}),
    ...(isOfApp ? { app: new ReplayedApp({ now: () => providerTime }) } : {}),
  });
  try {
    const { organisationId, sourceId } = await addToySource(app, randomUUID());
    const access = isOfApp ? ReplayedApp.settings : { token: 'replay-token' };
    const settings = { base_url: server.url, ...access, repositories: ['acme/web', 'acme/api'] };
    const memory = memoryInMap();
    const directories: HostDirectory[] = [];
    const storing = new StoredPullRequests(app);
    // Our clock may be days away from the provider's.
    const skewMs = random ? Math.floor(random.between(-72, 72)) * hourMs : 0;
    const clock = virtualClock(providerTime * 1_000 + skewMs);
    const syncs = toySyncs({ directory: app.directory, ingest: storing as never }, server.url, {
      prepare: async () => ({ kind: github, settings, mayBePrivate: () => true, memory }),
      takeHostDirectory: async (_, directory) => {
        if ('people' in directory) directories.push(directory);
        return {};
      },
      clock,
      ...(random ? { random: () => random.next() } : {}),
    });
    const ahead: StreamNews[] = [];
    const tell = (news: StreamNews) => {
      if (news.stream.stream === 'pull requests' && news.stream.done > storing.countOf(news.stream.scope)) {
        ahead.push(news);
      }
    };
    const taken = (await syncToTheEnd(syncs, sourceId, tell)) + (await syncToTheEnd(syncs, sourceId, tell));
    return {
      state: await tableChecksums(app.warehouse, organisationId),
      directories,
      requests: server.seen.filter(({ path }) => !path.endsWith('/access_tokens')).length,
      faults,
      syncs: taken,
      hoursWaited: Math.floor(clock.waitedMs() / hourMs),
      smallestPage: Math.min(...server.seen.flatMap(({ variables }) => Number(variables?.size ?? 25))),
      ahead,
    };
  } finally {
    await server.close();
  }
}

/** The world changes after the first page that goes on behind another one. */
function movingOnce(here: World): (request: SeenRequest) => void {
  let hasMoved = false;
  return ({ variables }) => {
    if (hasMoved || variables?.name !== 'api' || typeof variables.after !== 'string') return;
    hasMoved = true;
    moveOn(here);
  };
}

/** The way into the tables, which knows what has arrived there. */
class StoredPullRequests {
  readonly #ingest: SyncedApp['ingest'];
  readonly #ids = new Set<string>();

  constructor({ ingest }: SyncedApp) {
    this.#ingest = ingest;
  }

  readonly put: SyncedApp['ingest']['put'] = async (organisationId, batch, options) => {
    const outcomes = await this.#ingest.put(organisationId, batch, options);
    for (const { table, lines } of batch) {
      if (table !== 'pull_requests') continue;
      for (const { value } of lines) this.#ids.add(String((value as { pr_id: string }).pr_id));
    }
    return outcomes;
  };

  readonly repositoriesOf: SyncedApp['ingest']['repositoriesOf'] = (organisationId) =>
    this.#ingest.repositoriesOf(organisationId);

  countOf(repository: string): number {
    return [...this.#ids].filter((id) => id.startsWith(`github:${repository}#`)).length;
  }
}

test(`Whatever goes wrong at GitHub, the tables are the same in the end, and progress is never ahead of them (${runs} runs, seed ${seed})`, async () => {
  const smooth = await run();
  expect(smooth).toMatchObject({ syncs: 2, smallestPage: 25, ahead: [] });
  const seen = new Set<string>();
  for (let i = 0; i < runs; i += 1) {
    const rough = await run(new SeededRandom(`github faults ${seed} ${i}`), i % appEvery === 1);
    const { faults } = rough;
    const runName = `run ${i} with ${JSON.stringify([...(faults?.injected ?? [])])}`;
    expect(rough.state, runName).toEqual(smooth.state);
    expect(rough.directories.at(-1), runName).toEqual(smooth.directories.at(-1));
    expect(rough.ahead, runName).toEqual([]);
    expect(rough.syncs, runName).toBe(2);
    // One more for each fault; and smaller pages, after one that took GitHub too long, with the rest of long lists.
    const smallerPages = rough.smallestPage < 25 ? 2 * Math.ceil(pullRequests / rough.smallestPage) + longLists : 0;
    const looks = rough.hoursWaited * world.repositories.length;
    expect(rough.requests, runName).toBeLessThanOrEqual(smooth.requests + (faults?.count ?? 0) + smallerPages + looks);
    for (const fault of faults?.injected.keys() ?? []) seen.add(fault);
  }
  // Most kinds have been there, or this says nothing about them.
  expect(seen.size).toBeGreaterThanOrEqual(times(8, 13));
});
