import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SyncSchedule } from '../../src/jobs/schedule.ts';
import { defaultSyncLease, runSync, type SyncResult } from '../../src/jobs/sync-source.ts';
import { beginSync, finishSync, listSyncs, requestSync } from '../../src/store/source-rows.ts';
import { quickStore, type StoreHome } from '../conformance/stores.ts';
import { openMemoryApp, type SyncedApp } from './memory-app.ts';
import { addToySource } from './toy-sync.ts';

const minutes = 60_000;
let app: SyncedApp;
let place: StoreHome;
let now: Date;
beforeEach(async () => {
  place = await quickStore.placeWithTables();
  app = await openMemoryApp(place);
  now = new Date('2024-06-01T00:00:00Z');
});
afterEach(async () => {
  await app.close();
  await place.remove();
});

const complete: SyncResult = { outcome: 'complete' };
const always = () => new AbortController().signal;
const leased = (sourceId: string, holder: string, terms = defaultSyncLease) => ({
  store: app.store,
  sourceId,
  holder,
  signal: always(),
  now: () => now,
  terms,
});

/** Something that goes on until it is told to end. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('one process at a time', () => {
  test('One process at a time reads a source; another one finds it taken, and free again afterwards', async () => {
    const { sourceId } = await addToySource(app);
    const [begun, ended] = [gate(), gate()];
    const first = runSync(leased(sourceId, 'first'), async () => {
      begun.open();
      await ended.opened;
      return complete;
    });
    await begun.opened;
    expect(await runSync(leased(sourceId, 'second'), async () => complete)).toBeUndefined();
    ended.open();
    expect(await first).toEqual(complete);
    expect(await runSync(leased(sourceId, 'second'), async () => complete)).toEqual(complete);
  });

  test('One process at a time reads what was due: another one that found the same, and came too late, does not read it again', async () => {
    const { sourceId } = await addToySource(app);
    const [found] = await app.store.read((session) => listSyncs(session));
    const lastStart = { startedAt: found?.started_at ?? null };
    const asFound = (holder: string) => runSync({ ...leased(sourceId, holder), lastStart }, async () => complete);
    expect(await asFound('first')).toEqual(complete);
    expect(await asFound('second')).toBeUndefined();
    const again = { startedAt: now };
    expect(await runSync({ ...leased(sourceId, 'second'), lastStart: again }, async () => complete)).toEqual(complete);
  });

  test('One process at a time keeps a source for as long as it reads, however long that is', async () => {
    const { sourceId } = await addToySource(app);
    const ended = gate();
    const first = runSync(leased(sourceId, 'first', { leaseMs: 400, renewMs: 50 }), async () => {
      await ended.opened;
      return complete;
    });
    await pause(900);
    expect(await runSync(leased(sourceId, 'second'), async () => complete)).toBeUndefined();
    ended.open();
    expect(await first).toEqual(complete);
  });

  test('One process at a time that does not come to renew its lease loses the source, and stops', async () => {
    const { sourceId } = await addToySource(app);
    const stopped = gate();
    const first = runSync(leased(sourceId, 'first', { leaseMs: 1, renewMs: 100 }), async (signal) => {
      signal.addEventListener('abort', stopped.open);
      await stopped.opened;
      signal.throwIfAborted();
      return complete;
    });
    await pause(20);
    const second = runSync(leased(sourceId, 'second'), async () => {
      await stopped.opened;
      return complete;
    });
    expect(await second).toEqual(complete);
    expect(await first).toBeUndefined();
  });

  test('One process at a time says how it went, and frees the source where it fails', async () => {
    const { sourceId } = await addToySource(app);
    const failing = runSync(leased(sourceId, 'first'), async () => {
      throw new Error('bug');
    });
    await expect(failing).rejects.toThrow('bug');
    const problem = { message: 'no token', toDo: 'make one' };
    await runSync(leased(sourceId, 'second'), async () => ({ outcome: 'failed', problem }));
    const [row] = await app.store.read((session) => listSyncs(session));
    expect(row).toMatchObject({
      holder: null,
      outcome: 'failed',
      error: 'no token',
      to_do: 'make one',
      finished_at: now,
    });
  });
});

describe('the schedule', () => {
  let synced: string[];
  let running: ReturnType<typeof gate>;
  const scheduled = () =>
    new SyncSchedule({
      store: app.store,
      sync: (sourceId, signal, lastStart) =>
        runSync({ ...leased(sourceId, 'schedule'), signal, lastStart }, async (both) => {
          synced.push(sourceId);
          await Promise.race([running.opened, new Promise((resolve) => both.addEventListener('abort', resolve))]);
          both.throwIfAborted();
          return complete;
        }),
      now: () => now,
      onError: (error) => {
        throw error;
      },
    });
  const took = (sourceId: string, startedAt: Date, finishedAt?: Date) =>
    app.store.note(async (session) => {
      await beginSync(session, sourceId, startedAt);
      if (finishedAt) await finishSync(session, sourceId, { at: finishedAt, outcome: 'complete' });
    });
  const before = (ms: number) => new Date(now.getTime() - ms);
  const until = async (isTrue: () => boolean) => {
    for (let i = 0; i < 500 && !isTrue(); i += 1) await pause(10);
    expect(isTrue()).toBe(true);
  };

  beforeEach(() => {
    synced = [];
    running = gate();
    running.open();
  });

  test('The schedule reads what is new, what is an hour old, what was cut off and what is wanted, and nothing else', async () => {
    const [fresh, old, recent, cutOff, wanted] = (
      await Promise.all(Array.from({ length: 5 }, () => addToySource(app)))
    ).map(({ sourceId }) => sourceId) as [string, string, string, string, string];
    await took(old, before(61 * minutes), before(50 * minutes));
    await took(recent, before(59 * minutes), before(50 * minutes));
    await took(cutOff, before(5 * minutes));
    await took(wanted, before(5 * minutes), before(4 * minutes));
    await app.store.note((session) => requestSync(session, wanted, before(minutes)));
    const schedule = scheduled();
    await schedule.look();
    await until(() => synced.length === 4);
    await schedule.close();
    expect(new Set(synced)).toEqual(new Set([fresh, old, cutOff, wanted]));
    expect(synced).not.toContain(recent);
  });

  test('The schedule reads two sources at a time, each once, and the next as soon as there is room', async () => {
    running = gate();
    for (let i = 0; i < 3; i += 1) await addToySource(app);
    const schedule = scheduled();
    await schedule.look();
    await schedule.look();
    await until(() => synced.length === 2);
    await schedule.look();
    expect(synced).toHaveLength(2);
    running.open();
    await until(() => synced.length === 3);
    await schedule.close();
    expect(new Set(synced).size).toBe(3);
  });

  test('The schedule stops what runs when it is closed, and leaves it due', async () => {
    running = gate();
    const { sourceId } = await addToySource(app);
    const schedule = scheduled();
    await schedule.look();
    await until(() => synced.length === 1);
    await schedule.close();
    const [row] = await app.store.read((session) => listSyncs(session));
    expect(row).toMatchObject({ holder: null, finished_at: null });
    running = gate();
    running.open();
    const next = scheduled();
    await next.look();
    await until(() => synced.length === 2);
    await next.close();
    expect(synced).toEqual([sourceId, sourceId]);
  });
});
