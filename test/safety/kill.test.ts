import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EmbeddedApp } from '../../src/main.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { verifyPlace } from '../../src/safety/verify.ts';
import { openStore } from '../../src/store/open.ts';
import { embedded, freshFolder, type StoreHome } from '../conformance/stores.ts';
import { bundleScript } from '../setup/bundled-script.ts';
import { isLong } from '../setup/how-long.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { digests, filledPlace, ingestHistory, withinLast } from './filled-app.ts';
import { backUp, dump, fill } from './filled-store.ts';

let place: StoreHome;
beforeEach(async () => {
  place = await embedded.place();
});
afterEach(() => place.remove());

const bundles = freshFolder();
let script = '';
beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, 'killed-child.ts'), bundles.path);
});
afterAll(() => bundles.remove());

const start = (...args: ['write' | 'restore', ...string[]]): ChildProcess =>
  spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Lets a child write, kills it in the middle of that, and tells the last commit that it knew of. */
async function killedWriter(): Promise<number> {
  const child = start('write', place.folder);
  let last = -1;
  if (!child.stdout) throw new Error('the child has no output');
  for await (const line of createInterface(child.stdout)) {
    last = Number(line);
    if (last === 50) break;
  }
  await killed(child);
  return last;
}

test('A process killed while it writes loses no commit, its folder is free at once, and a log that is then deleted is missed', async () => {
  const last = await killedWriter();
  const other = await embedded.place();
  cpSync(place.folder, other.folder, { recursive: true });
  expect((await verifyPlace(place)).findings).toEqual([]);
  const store = await openStore(place);
  const { cursors } = await dump(store);
  await throwAway(place.folder);
  await store.close();
  expect(Number(cursors?.[0]?.value)).toBeGreaterThanOrEqual(last);

  const log = join(other.folder, 'store.duckdb.wal');
  expect(existsSync(log)).toBe(true);
  rmSync(log);
  await expect(openStore(other)).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining('write-ahead log'),
  });
  const { findings } = await verifyPlace(other);
  expect(findings).toMatchObject([
    { check: 'readable', problem: expect.stringMatching(/has lost \d+ of its \d+ commits/) },
  ]);
  await other.remove();
});

async function theOrganisation({ store }: EmbeddedApp): Promise<string> {
  const [row] = await store.read((session) => session.rows<{ id: string }>('SELECT id FROM organisations'));
  return String(row?.id);
}

test('A restore killed at any moment leaves nothing or everything, and can be repeated', async () => {
  const folder = freshFolder();
  const { place: source } = isLong ? { place: await embedded.place() } : await filledPlace();
  const file = join(folder.path, 'a');
  const stateOf = async (app: EmbeddedApp) => [await dump(app.store), await digests(app, await theOrganisation(app))];
  const whole = await withinLast(source, async (app) => {
    if (isLong) await ingestHistory(app, (await fill(app.store, 1_000)).id, 100);
    await backUp(app, file);
    return stateOf(app);
  });
  let kills = 0;
  for (const delay of isLong ? [5, 60, 150, 300, 500, 800] : [250]) {
    const child = start('restore', place.folder, file);
    if (child.stdout) await once(child.stdout, 'data');
    await sleep(delay);
    if (child.exitCode !== null) break;
    await killed(child);
    kills += 1;
    if (existsSync(join(place.folder, 'store.duckdb'))) break;
    expect(readdirSync(place.folder).filter((name) => name.startsWith('store.duckdb'))).toEqual([]);
  }
  expect(kills).toBeGreaterThan(0);
  if (!existsSync(join(place.folder, 'store.duckdb'))) await restoreInto(place, file);
  expect(await withinLast(place, stateOf)).toEqual(whole);
  await source.remove();
  folder.remove();
});
