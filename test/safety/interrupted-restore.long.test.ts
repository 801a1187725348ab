import { cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { restoreInto } from '../../src/safety/restore.ts';
import { verifyPlace } from '../../src/safety/verify.ts';
import { embedded, freshFolder, postgres, type StoreHome } from '../conformance/stores.ts';
import { digests, fillApp, within } from './filled-app.ts';
import { backUp, dump } from './filled-store.ts';

/** Called before everything that is moved, removed or brought to the disk, as long as somebody wants to know. */
let moving: (() => void) | undefined;
let syncing: (() => void) | undefined;

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const notified =
    <A extends unknown[], R>(tell: () => void, work: (...given: A) => R) =>
    (...given: A): R => {
      tell();
      return work(...given);
    };
  return {
    ...real,
    renameSync: notified(() => moving?.(), real.renameSync),
    rmSync: notified(() => moving?.(), real.rmSync),
    fsyncSync: notified(() => syncing?.(), real.fsyncSync),
  };
});

let folder: ReturnType<typeof freshFolder>;
let source: StoreHome;
let id = '';
let whole: unknown;

const file = (name: string) => join(folder.path, name);
const stateOf = (place: StoreHome) =>
  within(place, async (app) => [await dump(app.store), await digests(app, id)] as const);

beforeAll(async () => {
  folder = freshFolder();
  source = await embedded.place();
  id = await within(source, async (app) => {
    const filled = await fillApp(app, 5);
    await backUp(app, file('a'));
    return filled;
  });
  whole = await stateOf(source);
});
afterAll(async () => {
  await source.remove();
  folder.remove();
});

/**
 * Restores into a place, and keeps what is on the disk at each step: what a kill at that moment would leave. Steps that
 * only differ inside the folder where everything is built are one.
 */
async function statesDuring(place: StoreHome): Promise<StoreHome[]> {
  const states = new Map<string, StoreHome>();
  const keep = () => {
    const listing = readdirSync(place.folder, { recursive: true, encoding: 'utf8' });
    const outside = listing.filter((name) => !name.includes('.restoring/')).join();
    if (states.has(outside)) return;
    const path = mkdtempSync(file('state-'));
    cpSync(place.folder, path, { recursive: true });
    states.set(outside, { ...place, folder: path });
  };
  moving = keep;
  try {
    await restoreInto(place, file('a'));
  } finally {
    moving = undefined;
  }
  keep();
  return [...states.values()];
}

const hasStore = (place: StoreHome) => existsSync(join(place.folder, 'store.duckdb'));
const warehousesIn = ({ folder: path }: StoreHome) =>
  existsSync(join(path, 'warehouse'))
    ? readdirSync(join(path, 'warehouse')).filter((name) => name.endsWith('.duckdb'))
    : [];

const kindOf = (place: StoreHome) => `${hasStore(place) ? 'store' : 'none'}, ${warehousesIn(place).length}`;

describe('a restore interrupted at any step', () => {
  test('A restore interrupted at any step leaves a place that is empty or complete, and can be repeated where it is empty', async () => {
    const place = await embedded.place();
    const states = await statesDuring(place);
    await place.remove();
    // Every way it can be left was met: nothing moved, warehouses without a store, everything.
    expect([...new Set(states.map(kindOf))]).toEqual(['none, 0', 'none, 1', 'store, 1']);
    for (const [i, state] of states.entries()) {
      if (hasStore(state)) expect((await verifyPlace(state)).findings, `step ${i}`).toEqual([]);
      else await restoreInto(state, file('a'));
      expect(await stateOf(state), `step ${i}`).toEqual(whole);
    }
  }, 120_000);

  test('A restore interrupted at any step over a store without organisations that was there before ends in the same', async () => {
    const place = await embedded.place();
    await within(place, async () => {});
    const states = await statesDuring(place);
    await place.remove();
    for (const [i, state] of states.entries()) {
      const isComplete = await within(state, async (app) => (await dump(app.store)).organisations?.length === 1);
      if (!isComplete) await restoreInto(state, file('a'));
      expect(await stateOf(state), `step ${i}`).toEqual(whole);
    }
  }, 120_000);
});

describe.skipIf(!postgres.isAvailable)('a restore into a database that fails when its warehouses are in place', () => {
  test('Keeps nothing in the database, and can be repeated', async () => {
    const place = await postgres.place();
    syncing = () => {
      if (warehousesIn(place).length > 0) throw new Error('the disk is gone');
    };
    await expect(restoreInto(place, file('a'))).rejects.toThrow('the disk is gone');
    syncing = undefined;
    expect(warehousesIn(place)).toHaveLength(1);
    expect((await within(place, (app) => dump(app.store))).organisations).toEqual([]);
    await restoreInto(place, file('a'));
    expect(await stateOf(place)).toEqual(whole);
    expect(readdirSync(place.folder).filter((name) => name.startsWith('.'))).toEqual([]);
    await place.remove();
  }, 60_000);
});
