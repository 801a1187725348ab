import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { openStoreWithTables } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { WriterTurn } from '../../src/store/writer-turns.ts';
import { soon } from '../setup/how-long.ts';
import { describeWithPostgres } from '../setup/postgres.ts';
import { leasedStores, short, stalled } from './leased-stores.ts';

describeWithPostgres('the turn of a writer on PostgreSQL', () => {
  const { open, closeAfterwards, url } = leasedStores();
  afterEach(() => void vi.useRealTimers());

  /** What is known may be too old for a moment, on a machine that is busy. */
  const known = (store: Store, id: string) => expect.poll(() => store.writerTurns.published(id));

  const publish = async ({ change, publish }: WriterTurn) => {
    await publish();
    return change;
  };

  /** A writer that does not go on before it is told to. */
  function held(store: Store, id: string) {
    let goOn = () => {};
    let begun = (_: number) => {};
    const change = new Promise<number>((resolve) => {
      begun = resolve;
    });
    const done = store.writerTurns.inTurn(id, async (turn) => {
      begun(turn.change);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return publish(turn);
    });
    done.catch(() => {});
    return { change, done, goOn: () => goOn() };
  }

  test('The turn of a writer on PostgreSQL is had by one of two servers, and what one publishes the other soon knows', async () => {
    const [one, two] = [await open(), await open()];
    const id = randomUUID();
    let [atWork, most] = [0, 0];
    const changes: number[] = [];
    const work = async (turn: WriterTurn) => {
      atWork += 1;
      most = Math.max(most, atWork);
      changes.push(turn.change);
      await new Promise((resolve) => setTimeout(resolve, 3));
      atWork -= 1;
      await turn.publish();
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).writerTurns.inTurn(id, work)));
    expect(most).toBe(1);
    expect(changes).toEqual(changes.toSorted((a, b) => a - b));
    const last = { version: changes.at(-1), dead: [] };
    await expect.poll(() => [one, two].map((store) => store.writerTurns.published(id))).toEqual([last, last]);
  });

  test('The turn of a writer on PostgreSQL stays with a writer that works for longer than a lease', async () => {
    const [one, two] = [await open(), await open({ ...short, patienceMs: 2_500 })];
    const id = randomUUID();
    const writer = held(one, id);
    const change = await writer.change;
    await expect(two.writerTurns.inTurn(id, publish)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('Another server is writing'),
    });
    writer.goOn();
    expect(await writer.done).toBe(change);
  });

  test('The turn of a writer on PostgreSQL goes on when a lease runs out, and the stalled writer can publish nothing any more', async () => {
    const [one, two] = [await open(stalled), await open()];
    const id = randomUUID();
    const writer = held(one, id);
    const lost = await writer.change;
    const next = await two.writerTurns.inTurn(id, publish);
    expect(next).toBeGreaterThan(lost);
    await known(two, id).toEqual({ version: next, dead: [lost] });
    writer.goOn();
    await expect(writer.done).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('Send this again'),
    });
    // Neither is its number given twice, nor is the turn of whoever writes now ended by it.
    const last = await one.writerTurns.inTurn(id, publish);
    await known(one, id).toEqual({ version: last, dead: [lost] });
  });

  test('A stalled writer that nobody has followed may still publish', async () => {
    const one = await open(stalled);
    const writer = held(one, randomUUID());
    const change = await writer.change;
    await new Promise((resolve) => setTimeout(resolve, stalled.leaseMs * 1.5));
    writer.goOn();
    expect(await writer.done).toBe(change);
  });

  test('The turn of a writer on PostgreSQL is taken from a process that was killed', async () => {
    const store = await open();
    const id = randomUUID();
    const script = fileURLToPath(new URL('./turn-child.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, url(), id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const lost = Number(said.toString());
    expect(lost).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = await store.writerTurns.inTurn(id, publish);
    await known(store, id).toEqual({ version: next, dead: [lost] });
  });

  test('The turn of a writer on PostgreSQL goes by the clock of the database: a server whose own is an hour ahead takes nothing from anyone', async () => {
    const [one, two] = [await open(), await open({ ...short, patienceMs: 300 })];
    const id = randomUUID();
    const writer = held(one, id);
    await writer.change;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await expect(two.writerTurns.inTurn(id, publish)).rejects.toMatchObject({ reason: 'unavailable' });
    vi.setSystemTime(Date.now() - 7_200_000);
    writer.goOn();
    await writer.done;
  });

  test('The turn of a writer on PostgreSQL without the database nothing is published, and nobody learns of a version that may be old', async () => {
    const store = await open();
    const id = randomUUID();
    const writer = held(store, id);
    await writer.change;
    const name = new URL(url()).pathname.slice(1);
    const server = new pg.Client({ connectionString: inject('postgresUrl') ?? '' });
    await server.connect();
    const run = (sql: string) => server.query(sql);
    await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    writer.goOn();
    await expect(writer.done).rejects.toThrow();
    await expect.poll(() => store.writerTurns.published(id), soon).toBeUndefined();
    await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await server.end();
    await expect.poll(() => store.writerTurns.published(id)?.version).toBe(0);
    await store.writerTurns.inTurn(id, publish);
  });

  test('The turn of a writer on PostgreSQL is free at once for a process that has the store to itself', async () => {
    const one = await open({ ...stalled, leaseMs: 3_600_000 });
    const id = randomUUID();
    const writer = held(one, id);
    const lost = await writer.change;
    const sole = await openStoreWithTables({ folder: '', databaseUrl: url() }, { kind: 'serve' });
    closeAfterwards(sole);
    const next = await sole.writerTurns.inTurn(id, publish);
    await known(sole, id).toEqual({ version: next, dead: [lost] });
    writer.goOn();
    await expect(writer.done).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
