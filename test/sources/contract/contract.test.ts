import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.ts';
import type { Syncs } from '../../../src/jobs/syncs.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { ChangedObject, SettingValues } from '../../../src/sources/source.ts';
import { quickStore, type StoreHome } from '../../conformance/stores.ts';
import { stateOf } from '../../ingest/state.ts';
import { SeededFaults } from '../../jobs/faults.ts';
import { openMemoryApp, type SyncedApp } from '../../jobs/memory-app.ts';
import { addToySource, syncToTheEnd, toySyncs, virtualClock } from '../../jobs/toy-sync.ts';
import { times } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';
import { memoryInMap } from '../github/replay/read-source.ts';
import type { ContractCase } from './contract-case.ts';
import { contractCases, nameOfCase } from './contract-cases.ts';
import { type AskedRequest, ReplayHost, type ReplayOptions } from './replay-host.ts';

const faultRuns = times(5, 100);
const faultShare = 0.2;
const recentSeconds = 30 * 86_400;
const hourMs = 3_600_000;

let app: SyncedApp;
let place: StoreHome;
beforeAll(async () => {
  place = await quickStore.placeWithTables();
  app = await openMemoryApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

interface TriedOptions {
  readonly random?: SeededRandom;
  /** Beside those of the case. */
  readonly settings?: SettingValues;
}

/** One organisation that reads one world by way of a provider on loopback. */
class Tried {
  readonly organisationId: string;
  readonly sourceId: string;
  readonly host: ReplayHost;
  readonly world: unknown;
  readonly clock: ReturnType<typeof virtualClock>;
  /** The times of the rows of each change, in the order in which they were stored. */
  readonly stored: (readonly number[])[] = [];
  /** Fails instead of storing, while it says so. */
  failure: (() => boolean) | undefined;
  readonly unexpected: unknown[] = [];
  readonly #memory = memoryInMap();
  readonly #case: ContractCase;
  readonly #random: SeededRandom | undefined;
  readonly #settings: SettingValues;

  private constructor(
    one: ContractCase,
    parts: Pick<Tried, 'organisationId' | 'sourceId' | 'host' | 'world' | 'clock'>,
    { random, settings = {} }: TriedOptions = {},
  ) {
    this.organisationId = parts.organisationId;
    this.sourceId = parts.sourceId;
    this.host = parts.host;
    this.world = parts.world;
    this.clock = parts.clock;
    this.#case = one;
    this.#random = random;
    this.#settings = settings;
  }

  static async start(
    one: ContractCase,
    { random, settings, answer, ...options }: Partial<ReplayOptions> & TriedOptions = {},
  ): Promise<Tried> {
    const world = one.makeWorld();
    const now = () => one.now;
    const host = await ReplayHost.start({
      now,
      answer: (asked) => answer?.(asked) ?? one.answer(world, asked),
      ...options,
    } as ReplayOptions);
    const { organisationId, sourceId } = await addToySource(app, randomUUID());
    // Our clock may be days away from the provider's.
    const skewMs = random ? Math.floor(random.between(-72, 72)) * hourMs : 0;
    return new Tried(
      one,
      { organisationId, sourceId, host, world, clock: virtualClock(one.now * 1_000 + skewMs) },
      { ...(random && { random }), ...(settings && { settings }) },
    );
  }

  get settings() {
    return { ...this.#case.settings, ...this.#settings, ...this.#case.secrets, base_url: this.host.url };
  }

  /** As a process that has just been started has it. */
  syncs(): Syncs {
    const { kind, table, orderedBy } = this.#case;
    const put: SyncedApp['ingest']['put'] = async (organisationId, batch, options) => {
      if (this.failure?.()) throw new Error('the tables are away');
      const outcomes = await app.ingest.put(organisationId, batch, options);
      const rows = batch.filter((some) => some.table === table).flatMap(({ lines }) => lines);
      this.stored.push(rows.flatMap(({ value }) => timeOf((value as Record<string, unknown>)[orderedBy])));
      return outcomes;
    };
    const ingest = { put, repositoriesOf: (id: string) => app.ingest.repositoriesOf(id) };
    const random = this.#random;
    return toySyncs({ directory: app.directory, ingest: ingest as never }, this.host.url, {
      prepare: async () => ({ kind, settings: this.settings, mayBePrivate: () => true, memory: this.#memory }),
      clock: this.clock,
      onError: (error) => void this.unexpected.push(error),
      ...(random ? { random: () => random.next() } : {}),
    });
  }

  sync(signal = new AbortController().signal) {
    return this.syncs().sync(this.sourceId, { signal });
  }

  async syncToTheEnd(): Promise<number> {
    const taken = await syncToTheEnd(this.syncs(), this.sourceId);
    expect(this.unexpected).toEqual([]);
    return taken;
  }

  async reread(object: ChangedObject): Promise<void> {
    const options = { mayBePrivate: () => true, signal: new AbortController().signal };
    const { source, close } = openSource(this.#case.kind, this.settings, options);
    const page = await source.reread?.(object).finally(close);
    const batch = (page?.records ?? []).map(({ table, records }) => ({
      table,
      lines: records.map((value, line) => ({ line, value })),
    }));
    expect(batch.some(({ lines }) => lines.length > 0)).toBe(true);
    await app.ingest.put(this.organisationId, batch as never, {});
  }

  /** Rows of each table that records may fill, as text. Ids may hold the host, which has another port each time. */
  async state(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { host } = new URL(this.host.url);
    const tables = Object.entries(await stateOf(app.warehouse, this.organisationId));
    const ofOrganisation = ['organisation', 'people', 'person_emails'];
    return Object.fromEntries(
      tables
        .filter(([table]) => !ofOrganisation.includes(table))
        .map(([table, rows]) => [table, rows.map((row) => row.replaceAll(host, 'host')).sort()]),
    );
  }

  async rows(): Promise<readonly string[]> {
    return (await this.state())[this.#case.table] ?? [];
  }

  get version(): unknown {
    return app.warehouse.versionOf(this.organisationId);
  }

  async streams(): Promise<readonly Record<string, unknown>[]> {
    return app.store.read((session) =>
      session.rows('SELECT * FROM source_streams WHERE source_id = $1', [this.sourceId]),
    );
  }
}

const timeOf = (value: unknown): number[] => (typeof value === 'string' ? [Date.parse(value) / 1_000] : []);

describe.each(contractCases.map((one) => [nameOfCase(one), one] as const))('%s', (_, one) => {
  const open: Tried[] = [];
  const start: typeof Tried.start = async (of, options) => {
    const tried = await Tried.start(of, options);
    open.push(tried);
    return tried;
  };
  afterAll(() => Promise.all(open.map(({ host }) => host.close())));

  /** What one smooth sync brings, how many requests that takes, and what it has left. */
  let smooth: { readonly state: unknown; readonly requests: number; readonly tried: Tried };
  beforeAll(async () => {
    const tried = await start(one);
    expect(await tried.syncToTheEnd()).toBe(1);
    smooth = { state: await tried.state(), requests: tried.host.seen.length, tried };
    expect(await tried.rows()).toHaveLength(one.rows);
  });

  test('The newest thirty days come first', () => {
    const isRecent = (at: number) => at > one.now - recentSeconds;
    const changes = smooth.tried.stored.filter((times) => times.length > 0);
    const lastRecent = changes.findLastIndex((times) => times.some(isRecent));
    const firstOld = changes.findIndex((times) => !times.some(isRecent));
    expect(firstOld).toBeGreaterThan(lastRecent);
  });

  test('A second sync without news writes nothing and asks little', async () => {
    const { tried } = smooth;
    const before = tried.host.seen.length;
    const version = tried.version;
    const notSeen = async () => (await tried.streams()).map((stream) => [stream.stream, stream.not_seen]);
    const saidBefore = await notSeen();
    await tried.syncToTheEnd();
    expect(await notSeen()).toEqual(saidBefore);
    expect(await tried.state()).toEqual(smooth.state);
    expect(tried.version).toEqual(version);
    expect(tried.host.seen.length - before).toBeLessThanOrEqual(one.maxQuietRequests);
  });

  test('A sync that is stopped at any request goes on where it was', async () => {
    const random = new SeededRandom(`stops ${seed} ${one.kind.kind}`);
    const at = 1 + Math.floor(random.next() * smooth.requests);
    const stop = new AbortController();
    const tried = await start(one, { asked: (requests) => requests === at && stop.abort(new Error('stopped')) });
    await expect(tried.sync(stop.signal)).rejects.toThrow('stopped');
    await tried.syncToTheEnd();
    expect(await tried.state(), `stopped at request ${at}`).toEqual(smooth.state);
  });

  test('What could not be stored is read again', async () => {
    const tried = await start(one);
    let puts = 0;
    tried.failure = () => puts++ % 2 === 0;
    for (let tries = 0; tries < 6; tries += 1) await tried.sync();
    tried.failure = undefined;
    expect(tried.unexpected.splice(0)).not.toEqual([]);
    await tried.syncToTheEnd();
    expect(puts).toBeGreaterThan(1);
    expect(await tried.state()).toEqual(smooth.state);
  });

  test.each(Object.entries(one.changes))(
    'What happens between two syncs arrives: %s',
    async (_name, { make, rows }) => {
      const tried = await start(one);
      await tried.syncToTheEnd();
      make(tried.world);
      await tried.syncToTheEnd();
      // A world that was so from the beginning has the same rows.
      const fresh = await start(one);
      make(fresh.world);
      await fresh.syncToTheEnd();
      expect(await tried.state()).toEqual(await fresh.state());
      expect(await tried.state()).not.toEqual(smooth.state);
      expect(await tried.rows()).toHaveLength(rows);
    },
  );

  test('A limit is waited for by the provider’s word', async () => {
    let isLimited = true;
    const limited = () => {
      if (!isLimited) return undefined;
      isLimited = false;
      return { status: 429, headers: { 'retry-after': '42' } };
    };
    const tried = await start(one, { answer: limited as never });
    await tried.syncToTheEnd();
    expect(tried.clock.waitedMs()).toBe(42_000);
    expect(await tried.state()).toEqual(smooth.state);
  });

  test('One that is refused does not stop the others, and says what to do', async () => {
    const refused = (asked: AskedRequest) =>
      one.broken.isAsked(asked) ? { status: 403, body: { error: 'secret words' } } : undefined;
    const tried = await start(one, { answer: refused as never });
    const outcome = (await tried.sync())?.outcome;
    // A source of one stream has no others that could go on; what that has read before stays.
    expect(outcome).toBe((await tried.streams()).length > 1 ? 'partial' : 'failed');
    expect((await tried.rows()).length).toBeGreaterThanOrEqual(one.broken.minRows);
    const errors = (await tried.streams()).filter(({ error }) => error !== null);
    expect(errors.length).toBeGreaterThan(0);
    for (const { error, to_do: toDo } of errors) {
      expect(error).toContain('403');
      expect(String(toDo).length).toBeGreaterThan(10);
      expect(`${error} ${toDo}`).not.toContain('secret words');
    }
  });

  test('Secrets are in no address, no row, no error and no state', async () => {
    const tried = await start(one, {
      answer: ((asked: AskedRequest) =>
        one.broken.isAsked(asked) ? { status: 401, body: asked.headers } : undefined) as never,
    });
    await tried.sync();
    const told = JSON.stringify([await tried.streams(), await tried.state()]);
    for (const secret of Object.values(one.secrets)) {
      expect(told).not.toContain(secret);
      for (const { path, query } of tried.host.seen) expect(`${path}?${query}`).not.toContain(secret);
      const spellings = [secret, Buffer.from(secret).toString('base64').slice(0, -4)];
      const knows = ({ headers, body }: AskedRequest) => {
        const basic = Buffer.from(String(headers.authorization).split(' ')[1] ?? '', 'base64').toString();
        return spellings.some((each) => JSON.stringify([headers, body, basic]).includes(each));
      };
      expect(tried.host.seen.every(knows)).toBe(true);
    }
  });

  const hasSince = one.kind.settings.some(({ name }) => name === 'since');
  if (hasSince)
    test('What a stream could not see is stored, such as what is older than the setting since', async () => {
      const since = '2026-01-01';
      const tried = await start(one, { settings: { since } });
      await tried.syncToTheEnd();
      const said = (await tried.streams()).flatMap(({ not_seen }) => (not_seen === null ? [] : [String(not_seen)]));
      expect(said.join()).toContain(`"why":"window"`);
      expect(said.join()).toContain(`"since":${Date.parse(since) / 1_000}`);
    });

  // What a kind does not have is no test of it, and none that is skipped.
  if (one.changed)
    test('A webhook brings the ids and rows of a sync, and takes away what is gone', async () => {
      const { object, remove } = one.changed as Required<ContractCase>['changed'];
      const tried = await start(one);
      await tried.syncToTheEnd();
      await tried.reread(object);
      expect(await tried.state()).toEqual(smooth.state);
      remove(tried.world as never);
      await tried.reread(object);
      expect(await tried.rows()).toHaveLength(one.rows - 1);
    });

  test(`Whatever goes wrong on the way, the tables are the same in the end (${faultRuns} runs, seed ${seed})`, async () => {
    let injected = 0;
    for (let run = 0; run < faultRuns; run += 1) {
      const random = new SeededRandom(`${one.kind.kind} faults ${seed} ${run}`);
      const faults = new SeededFaults(random, faultShare);
      const tried = await start(one, { faults, random });
      const taken = await tried.syncToTheEnd();
      expect(await tried.state(), `run ${run} with ${faults.count} faults`).toEqual(smooth.state);
      // While history is read, what is new is looked for every hour: limits make it wait for many.
      const looks = taken + Math.floor(tried.clock.waitedMs() / hourMs);
      const maxRequests = smooth.requests + faults.count + looks * one.maxQuietRequests;
      expect(tried.host.seen.length).toBeLessThanOrEqual(maxRequests);
      injected += faults.count;
    }
    expect(injected).toBeGreaterThan(0);
  });
});
