import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FactTable, factTables } from '../../src/catalogue/tables/all-tables.ts';
import { DataExtents } from '../../src/data-extent/data-extents.ts';
import type { StreamNews } from '../../src/jobs/sync-progress.ts';
import type { App } from '../../src/main.ts';
import { Refusal } from '../../src/refusal.ts';
import { type SourceKind, SourceProblem, type Stream } from '../../src/sources/source.ts';
import { listStreams, listSyncs, removeSource, type SourceStreamRow } from '../../src/store/source-rows.ts';
import { quickStore } from '../conformance/stores.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';
import { type ToyOptions, ToyProvider, toyToken } from './toy-provider.ts';
import { toyKind } from './toy-source.ts';
import { addToySource, syncToTheEnd, toySyncs, virtualClock } from './toy-sync.ts';
import { type ToyRepository, toyNow, toyWorld } from './toy-world.ts';

let app: App;
beforeAll(async () => {
  app = await openTemporaryApp({ store: quickStore });
});
afterAll(() => app.close());

async function start(world: readonly ToyRepository[], options: ToyOptions = {}): Promise<ToyProvider> {
  const provider = await ToyProvider.start(world, options);
  onTestFinished(() => provider.close());
  return provider;
}

const rowsOf = (organisationId: string, table: FactTable): Promise<readonly unknown[]> =>
  app.warehouse.read(organisationId, (session) => session.select(factTables[table] as never, ['source'] as never));
const always = () => new AbortController().signal;
const streamsOf = (sourceId: string): Promise<SourceStreamRow[]> =>
  app.store.read((session) => listStreams(session, sourceId));
const streamOf = async (sourceId: string, id: string): Promise<SourceStreamRow | undefined> =>
  (await streamsOf(sourceId)).find(({ stream_id }) => stream_id === id);

/** A source of streams that a test makes up. */
const kindOf = (...streams: readonly Stream[]): SourceKind => ({
  ...toyKind,
  open: () => ({ check: async () => ({ sees: [], missing: [] }), streams: () => streams }),
});
const prepared = (kind: SourceKind) => async () => ({ kind, settings: {}, mayBePrivate: () => true });

describe('a sync', () => {
  test('A sync brings everything, and its progress is never ahead of the store; a second one without news writes nothing and asks little', async () => {
    const provider = await start(toyWorld());
    const { organisationId, sourceId } = await addToySource(app);
    const clock = virtualClock();
    const syncs = toySyncs(app, provider.baseUrl, { clock });
    const checks: Promise<void>[] = [];
    const tell = ({ stream }: StreamNews) => {
      // Read right away: what it says must be in the store already.
      const check = async () => {
        const stored = await streamOf(sourceId, stream.id);
        expect(stream.done).toBeLessThanOrEqual(Number(stored?.read_count));
      };
      checks.push(check());
    };
    expect(await syncToTheEnd(syncs, sourceId, tell)).toBe(1);
    await Promise.all(checks);
    expect(checks.length).toBeGreaterThan(8);
    expectProgress(syncs, sourceId, clock);
    expect(await rowsOf(organisationId, 'pull_requests')).toHaveLength(24);
    expect(await rowsOf(organisationId, 'pull_request_reviews')).toHaveLength(48);
    expect(await rowsOf(organisationId, 'issues')).toHaveLength(12);
    const read = { feeds: '["pull_requests"]', complete_at: expect.any(Date), read_back_to: null, failing_since: null };
    expect(await streamOf(sourceId, 'pull_requests@acme/toy-1')).toMatchObject(read);
    const versions = () => [app.warehouse.versionOf(organisationId), app.store.versionOf(organisationId)];
    const [asked, before] = [provider.requests, versions()];
    expect(await syncToTheEnd(syncs, sourceId)).toBe(1);
    expect(versions()).toEqual(before);
    // The list, and one page of each of the four streams, two of them conditional.
    expect(provider.requests - asked).toBe(5);
    expect(provider.unchanged).toBe(2);
    expect([...provider.tokens]).toEqual([`Bearer ${toyToken}`]);
  });

  test('A sync goes on with the others where one repository fails, says why, and makes up for it later', async () => {
    const world = toyWorld({ repositories: 2, pullRequests: 4, issues: 1 });
    const hidden = 'pull_requests@acme/toy-1';
    const provider = await start(world);
    const { organisationId, sourceId } = await addToySource(app);
    let isHidden = true;
    const broken: SourceKind = {
      ...toyKind,
      open: (opening) => {
        const source = toyKind.open(opening);
        return {
          ...source,
          check: () => source.check(),
          async *streams() {
            for await (const stream of source.streams()) {
              const read: Stream['read'] = async (from) => {
                if (isHidden && stream.id === hidden)
                  throw new SourceProblem('gone (404)', 'look', { isRefused: true });
                return stream.read(from);
              };
              yield { ...stream, read };
            }
          },
        };
      },
    };
    const prepare = async () => ({
      kind: broken,
      settings: { base_url: provider.baseUrl, token: toyToken },
      mayBePrivate: () => true,
    });
    const syncs = toySyncs(app, provider.baseUrl, { prepare });
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'partial' });
    expect(await rowsOf(organisationId, 'pull_requests')).toHaveLength(4);
    const failed = await streamOf(sourceId, hidden);
    expect(failed).toMatchObject({ error: 'gone (404)', to_do: 'look', succeeded_at: null });
    expect(failed).toMatchObject({ is_refused: true, failing_since: failed?.failed_at, complete_at: null });
    const { missing } = await app.dataExtents.of(organisationId, ['pull_requests']);
    expect(missing).toEqual([expect.stringContaining('pull_requests of acme/toy-1')]);
    expect(syncs.progressOf(sourceId)).toMatchObject({ phase: 'partial' });
    isHidden = false;
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'complete' });
    expect(await rowsOf(organisationId, 'pull_requests')).toHaveLength(8);
    const healed = await streamOf(sourceId, hidden);
    expect(healed).toMatchObject({ error: null, to_do: null, is_refused: null, failing_since: null });
    app.dataExtents.forgetReads(organisationId);
    const { through, missing: none } = await app.dataExtents.of(organisationId, ['pull_requests']);
    const ends = [healed, await streamOf(sourceId, 'pull_requests@acme/toy-0')].map((one) => Number(one?.complete_at));
    expect({ through, none }).toEqual({ through: Math.floor(Math.min(...ends) / 1_000), none: [] });
  });

  test('A sync says of the whole source what keeps it from being read at all', async () => {
    const provider = await start(toyWorld());
    const { sourceId } = await addToySource(app);
    const settings = { base_url: provider.baseUrl, token: 'expired' };
    const prepare = async () => ({ kind: toyKind, settings, mayBePrivate: () => true });
    const result = await toySyncs(app, provider.baseUrl, { prepare }).sync(sourceId, { signal: always() });
    expect(result).toMatchObject({ outcome: 'failed', problem: { message: expect.stringContaining('401') } });
    const rows = await app.store.read((session) => listSyncs(session));
    const row = rows.find(({ source_id }) => source_id === sourceId);
    expect(row).toMatchObject({ outcome: 'failed', error: expect.stringContaining('401'), holder: null });
    expect(row?.to_do).toContain('token');
  });

  test('A sync forgets the errors of what is no longer listed, and keeps how far it was read', async () => {
    const { sourceId } = await addToySource(app);
    const page = { records: [], count: 1, at: toyNow, reachedDownTo: toyNow };
    const stream = (id: string, read: Stream['read']): Stream => ({
      id,
      name: id,
      scope: '',
      feeds: [],
      rereadSeconds: 60,
      read,
    });
    const broken = () => Promise.reject(new SourceProblem('It is gone', 'Leave it out.'));
    const sync = (...streams: readonly Stream[]) =>
      toySyncs(app, '', { prepare: prepared(kindOf(...streams)) }).sync(sourceId, { signal: always() });
    const good = stream('good', async () => page);
    await sync(
      good,
      stream('never read', broken),
      stream('read before', async () => page),
    );
    await sync(good, stream('never read', broken), stream('read before', broken));
    expect((await streamsOf(sourceId)).filter(({ error }) => error !== null)).toHaveLength(2);
    expect(await sync(good)).toEqual({ outcome: 'complete' });
    const left = await streamsOf(sourceId);
    expect(left.map(({ stream_id, error }) => [stream_id, error])).toEqual([
      ['good', null],
      ['read before', null],
    ]);
    expect(JSON.parse(left[1]?.state ?? '{}')).toMatchObject({ hasHistory: true });
  });

  test('A sync that fails as nobody could foresee is told, and waits for its hour', async () => {
    const { sourceId } = await addToySource(app);
    const syncs = toySyncs(app, '', { prepare: () => Promise.reject(new Error('no such table')) });
    await expect(syncs.sync(sourceId, { signal: always() })).rejects.toThrow('no such table');
    const [sync] = (await app.store.read((session) => listSyncs(session))).filter((row) => row.source_id === sourceId);
    expect(sync).toMatchObject({ outcome: 'failed', error: 'Reading it failed in an unexpected way', holder: null });
    expect(sync?.finished_at?.getTime()).toBeGreaterThanOrEqual(sync?.started_at?.getTime() ?? Number.NaN);
  });

  test('A sync remembers a page only once its rows are stored', async () => {
    const provider = await start(toyWorld({ repositories: 1, pullRequests: 8, issues: 1 }));
    const { organisationId, sourceId } = await addToySource(app);
    let isFull = true;
    const ingest = {
      repositoriesOf: (organisation: string) => app.ingest.repositoriesOf(organisation),
      put: (...given: Parameters<App['ingest']['put']>) => {
        if (isFull) throw new SourceProblem('the disk is full', 'make room');
        return app.ingest.put(...given);
      },
    };
    const syncs = toySyncs(app, provider.baseUrl, { ingest });
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'failed' });
    for (const { state, read_count, error } of await streamsOf(sourceId)) {
      expect({ state, read_count: Number(read_count), error }).toEqual({
        state: '{}',
        read_count: 0,
        error: 'the disk is full',
      });
    }
    isFull = false;
    await syncToTheEnd(syncs, sourceId);
    expect(await rowsOf(organisationId, 'pull_requests')).toHaveLength(8);
  });

  test('A sync waits for tables that somebody else is writing', async () => {
    const provider = await start(toyWorld({ repositories: 1, pullRequests: 1, issues: 0 }));
    const { organisationId, sourceId } = await addToySource(app);
    let refusals = 3;
    const ingest = {
      repositoriesOf: (organisation: string) => app.ingest.repositoriesOf(organisation),
      put: (...given: Parameters<App['ingest']['put']>) => {
        refusals -= 1;
        if (refusals >= 0) throw new Refusal('unavailable', 'in a moment', { retryAfterSeconds: 5 });
        return app.ingest.put(...given);
      },
    };
    const clock = virtualClock();
    expect(await syncToTheEnd(toySyncs(app, provider.baseUrl, { ingest, clock }), sourceId)).toBe(1);
    expect(clock.waitedMs()).toBe(15_000);
    expect(await rowsOf(organisationId, 'pull_requests')).toHaveLength(1);
  });

  test('A sync that is stopped stops at once, and the next one goes on where it was', async () => {
    const stop = new AbortController();
    const world = toyWorld({ repositories: 1, pullRequests: 24, issues: 1 });
    const provider = await start(world, { asked: (request) => request === 6 && stop.abort(new Error('stopped')) });
    const { organisationId, sourceId } = await addToySource(app);
    const syncs = toySyncs(app, provider.baseUrl);
    await expect(syncs.sync(sourceId, { signal: stop.signal })).rejects.toThrow('stopped');
    expect(provider.requests).toBe(6);
    await syncToTheEnd(syncs, sourceId);
    expect(await rowsOf(organisationId, 'pull_requests')).toHaveLength(24);
    // Eight of a whole sync, the one that was cut off, the list again, and a look for changes of both streams.
    expect(provider.requests).toBe(8 + 1 + 1 + 2);
  });

  test('A sync of a source that is removed meanwhile ends with the next page, and says why', async () => {
    const world = toyWorld({ repositories: 4, pullRequests: 40, issues: 1 });
    const { organisationId, sourceId } = await addToySource(app);
    let removal: Promise<unknown> | undefined;
    const remove = () => app.store.change(organisationId, (session) => removeSource(session, sourceId));
    // From the eighth on, no request is answered before the source is gone.
    const asked = (request: number) => {
      if (request >= 8) removal ??= remove();
      return removal;
    };
    const provider = await start(world, { asked });
    const result = await toySyncs(app, provider.baseUrl).sync(sourceId, { signal: always() });
    expect(result).toEqual({
      outcome: 'failed',
      problem: { message: 'The source was removed while it was read', toDo: 'What it has brought stays.' },
    });
    // Four streams are read at a time, each by five pages at most: all of them take some fifty requests.
    expect(provider.requests).toBeLessThan(8 + 4 * 5);
    expect(await streamsOf(sourceId)).toEqual([]);
  });

  test('A sync reads the newest month of every repository before the history of any', async () => {
    const [large, small] = toyWorld({ repositories: 2, pullRequests: 60, issues: 0 }) as [ToyRepository, ToyRepository];
    small.pullRequests.splice(8);
    const provider = await start([large, small]);
    const { sourceId } = await addToySource(app);
    const phases: string[] = [];
    const tell = ({ stream }: StreamNews) => {
      if (stream.stream === 'pull_requests') phases.push(`${stream.scope} ${stream.phase}`);
    };
    await syncToTheEnd(toySyncs(app, provider.baseUrl), sourceId, tell);
    const lastRecent = phases.findLastIndex((phase) => phase.endsWith('newest'));
    expect(phases.indexOf(`${small.name} complete`)).toBeLessThan(lastRecent);
    expect(phases.indexOf(`${large.name} history`)).toBeGreaterThan(phases.indexOf(`${small.name} complete`));
    expect(phases.at(-1)).toBe(`${large.name} complete`);
  });
});

describe('the moment up to which data are complete', () => {
  test('The moment up to which data are complete waits for the newest thirty days of a first read, and for 24 hours for a stream that fails', async () => {
    const { organisationId, sourceId } = await addToySource(app);
    const clock = virtualClock();
    const [hour, day] = [3_600_000, 86_400];
    const begins = clock.now() / 1_000;
    let brokenFrom = 1;
    const pagesOf = (scope: string, pages: number): Stream => ({
      id: `pull_requests@${scope}`,
      name: 'pull requests',
      scope,
      feeds: ['pull_requests'],
      rereadSeconds: 60,
      async read({ next = 0 }) {
        const at = Number(next);
        if (pages > 1 && at >= brokenFrom) throw new SourceProblem('away', 'wait');
        const pr_created_at = new Date(clock.now()).toISOString();
        const records = [{ pr_id: `${scope}${at}`, source: 'github', pr_created_at }];
        return {
          records: [{ table: 'pull_requests', records }],
          count: 1,
          at: clock.now() / 1_000,
          reachedDownTo: begins - (at + 1) * 10 * day,
          ...(at + 1 < pages ? { next: at + 1 } : {}),
        };
      },
    });
    const kind = kindOf(pagesOf('short', 1), pagesOf('long', 9));
    const syncs = toySyncs(app, '', { prepare: prepared(kind), clock });
    const isBehind = async () => {
      const now = () => new Date(clock.now());
      const extents = new DataExtents({ store: app.store, warehouse: app.warehouse, now });
      const { through, missing } = await extents.of(organisationId, ['pull_requests']);
      const [short, long] = [
        await streamOf(sourceId, 'pull_requests@short'),
        await streamOf(sourceId, 'pull_requests@long'),
      ];
      const ends = { short: Number(short?.complete_at) / 1_000, long: Number(long?.complete_at) / 1_000 };
      return { isThrough: Object.entries(ends).flatMap(([name, end]) => (end === through ? name : [])), missing };
    };
    const read = async () => {
      await clock.sleep(hour, always());
      await syncs.sync(sourceId, { signal: always() });
      await clock.sleep(1_000, always());
    };
    const missing = ['pull requests of long (Toy)'];
    // Ten days are not enough for it to count.
    await read();
    expect(await isBehind()).toEqual({ isThrough: ['short'], missing });
    brokenFrom = 3;
    await read();
    expect((await isBehind()).missing).toEqual([]);
    brokenFrom = 0;
    await clock.sleep(21 * hour, always());
    await read();
    expect(await isBehind()).toEqual({ isThrough: ['long'], missing: [] });
    await clock.sleep(2 * hour, always());
    expect(await isBehind()).toEqual({ isThrough: ['short'], missing });
  });
});

describe('a stream', () => {
  const page = { records: [], count: 1, at: toyNow };

  test('A stream of which nothing can be converted has failed, with the field', async () => {
    const { sourceId } = await addToySource(app);
    const read = async () => ({ ...page, problems: ['pull request 7: merged_at is no time'] });
    const syncs = toySyncs(app, '', { prepare: prepared(kindOf({ id: 'x', name: 'x', scope: '', feeds: [], read })) });
    expect(await syncs.sync(sourceId, { signal: always() })).toMatchObject({ outcome: 'failed' });
    expect((await streamOf(sourceId, 'x'))?.error).toContain('merged_at is no time');
  });

  test('A stream has failed where any page of its history is of an unknown shape, and keeps what came before', async () => {
    const { sourceId } = await addToySource(app);
    const read: Stream['read'] = async ({ next }) =>
      next === 3 ? { ...page, problems: ['run 9: status is missing'] } : { ...page, next: Number(next ?? 0) + 1 };
    const stream: Stream = { id: 'x', name: 'x', scope: '', feeds: [], rereadSeconds: 60, read };
    const syncs = toySyncs(app, '', { prepare: prepared(kindOf(stream)) });
    expect(await syncs.sync(sourceId, { signal: always() })).toMatchObject({ outcome: 'failed' });
    const stored = await streamOf(sourceId, 'x');
    expect(stored).toMatchObject({ error: expect.stringContaining('status is missing'), read_count: 3 });
    expect(JSON.parse(stored?.state ?? '')).toMatchObject({ history: { next: 3 } });
  });

  test('A stream of which some records cannot be taken keeps the others, and says how many it left out', async () => {
    const { organisationId, sourceId } = await addToySource(app);
    const records = [
      { issue_id: 'a', created_at: '2024-05-01T00:00:00Z' },
      { issue_id: 'b', created_at: 'yesterday' },
    ];
    const read = async () => ({ ...page, records: [{ table: 'issues' as const, records }] });
    const syncs = toySyncs(app, '', { prepare: prepared(kindOf({ id: 'x', name: 'x', scope: '', feeds: [], read })) });
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'complete' });
    expect(await rowsOf(organisationId, 'issues')).toHaveLength(1);
    const stored = await streamOf(sourceId, 'x');
    expect(stored?.error).toMatch(/^1 could not be taken, the first because .*created_at/);
    expect(stored?.newest_record_at?.toISOString()).toBe('2024-05-01T00:00:00.000Z');
  });

  test('A stream keeps what it has read of its history where a later page fails, and goes on behind it', async () => {
    const { sourceId } = await addToySource(app);
    const read: Stream['read'] = async ({ next }) => {
      if (next === 4 && isBroken) throw new SourceProblem('broken', 'wait', { mayPass: true });
      pages.push(Number(next ?? 0));
      return Number(next ?? 0) < 6 ? { ...page, next: Number(next ?? 0) + 1 } : page;
    };
    let isBroken = true;
    const pages: number[] = [];
    const stream: Stream = { id: 'x', name: 'x', scope: '', feeds: [], rereadSeconds: 60, read };
    const syncs = toySyncs(app, '', { prepare: prepared(kindOf(stream)) });
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'failed' });
    expect(await streamOf(sourceId, 'x')).toMatchObject({ error: 'broken', read_count: 4 });
    isBroken = false;
    pages.length = 0;
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'complete' });
    // What has changed since first, and then the rest of history.
    expect(pages.slice(-3)).toEqual([4, 5, 6]);
    expect(await streamOf(sourceId, 'x')).toMatchObject({ error: null, read_count: 7 });
  });

  test('A stream whose pages lead in a circle is given up, and says so', async () => {
    const { sourceId } = await addToySource(app);
    let reads = 0;
    const read: Stream['read'] = async ({ next }) => {
      reads += 1;
      return { ...page, next: next === 'b' ? 'a' : next === 'a' ? 'b' : 'a' };
    };
    const syncs = toySyncs(app, '', { prepare: prepared(kindOf({ id: 'x', name: 'x', scope: '', feeds: [], read })) });
    expect(await syncs.sync(sourceId, { signal: always() })).toMatchObject({ outcome: 'failed' });
    expect((await streamOf(sourceId, 'x'))?.error).toContain('circle');
    // Three pages, the last of them read again for each retry.
    expect(reads).toBe(3 + 10);
  });

  test('A stream with a long history is read for changes every hour meanwhile', async () => {
    const { sourceId } = await addToySource(app);
    const clock = virtualClock();
    const walks: string[] = [];
    const read: Stream['read'] = async ({ next, downTo }) => {
      walks.push(downTo === undefined ? `history ${next ?? 0}` : 'changes');
      await clock.sleep(25 * 60_000, always());
      if (downTo !== undefined) return page;
      const number = Number(next ?? 0) + 1;
      return number < 5 ? { ...page, next: number } : page;
    };
    const stream: Stream = { id: 'x', name: 'x', scope: '', feeds: [], rereadSeconds: 60, read };
    const syncs = toySyncs(app, '', { clock, prepare: prepared(kindOf(stream)) });
    expect(await syncs.sync(sourceId, { signal: always() })).toEqual({ outcome: 'complete' });
    expect(walks).toEqual(['history 0', 'history 1', 'history 2', 'history 3', 'changes', 'history 4']);
  });
});

/** What is told at the end of a sync of `toyWorld`, stream by stream. */
function expectProgress(syncs: ReturnType<typeof toySyncs>, sourceId: string, clock: ReturnType<typeof virtualClock>) {
  const progress = syncs.progressOf(sourceId);
  expect(progress).toMatchObject({ sourceId, phase: 'complete', done: 36, estimated: 36 });
  expect(progress?.limits).toContainEqual({
    interface: 'rest',
    limit: 5_000,
    remaining: 4_000,
    resetAt: expect.any(String),
  });
  expect(progress?.streams.find(({ id }) => id === 'issues@acme/toy-0')).toMatchObject({
    scope: 'acme/toy-0',
    stream: 'issues',
    phase: 'complete',
    done: 6,
    estimated: 6,
    lastSuccess: new Date(clock.now()).toISOString(),
    newestRecord: new Date((toyNow - 864_000) * 1_000).toISOString(),
  });
}
