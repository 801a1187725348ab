import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceTicket } from '../../../src/admission/ticket.ts';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { Engine } from '../../../src/warehouse/duckdb/engine.ts';
import { defaultLaneLimits, type Lane, Lanes } from '../../../src/warehouse/duckdb/lanes.ts';
import { CommitWatch, ReadGate } from '../../../src/warehouse/duckdb/organisation-lock.ts';
import { Task } from '../../../src/warehouse/duckdb/task.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { rowOf, type SomeWarehouse, someLimits, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

/** Would run for minutes. */
const endless = 'SELECT json_array(sum(hash(a.i * b.i))) FROM range(10000000) a(i), range(1000000) b(i)';

describe('a slow question', () => {
  let place: string;
  let engine: Engine;
  let lanes: Lanes;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'plumb-pace-'));
    engine = await Engine.open(place, { threads: 2, memory: '256MB' });
    lanes = new Lanes();
  });
  afterAll(async () => {
    await engine.close();
    rmSync(place, { recursive: true });
  });

  const ask = (
    sql: string,
    lane: Lane,
    {
      signal,
      seconds = 60,
      organisationId = randomUUID() as string,
    }: { signal?: AbortSignal; seconds?: number; organisationId?: string } = {},
  ) =>
    engine.use(async (connection) => {
      const task = new Task({ take: async () => connection }, lanes, {
        organisationId,
        ticket: serviceTicket(organisationId, signal),
        lane,
        seconds,
        gate: new ReadGate(),
        commits: new CommitWatch(),
      });
      await task.begin();
      try {
        return await task.values<unknown>({ sql, values: [] });
      } finally {
        await task.rollBack();
      }
    });

  /** Starts slow questions and says how to end them. */
  function slow(count: number, lane: Lane): () => Promise<string[]> {
    const callers = Array.from({ length: count }, () => new AbortController());
    const outcomes = callers.map(({ signal }) =>
      ask(endless, lane, { signal }).then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    );
    return () => {
      for (const caller of callers) caller.abort('enough');
      return Promise.all(outcomes);
    };
  }

  /** That it is answered while slow ones run, which do not end by themselves, is the promise; how soon, a busy machine decides. */
  const quick = async (maxMs: number): Promise<void> => {
    const began = performance.now();
    expect(await ask('SELECT json_array(42)', 'light')).toEqual([[42]]);
    if (isLong) expect(performance.now() - began).toBeLessThan(maxMs);
  };

  test('A slow question that is known to be slow keeps no quick one from its answer, nor the event loop from its work', async () => {
    const end = slow(20, 'heavy');
    const full = { running: defaultLaneLimits.all.heavy, waiting: 20 - defaultLaneLimits.all.heavy };
    await expect.poll(() => lanes.occupancy.heavy).toEqual(full);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (let i = 0; i < times(5, 20); i++) await quick(1_500);
    delay.disable();
    expect(lanes.occupancy.heavy).toEqual(full);
    if (isLong) expect(delay.max / 1e6).toBeLessThan(500);
    expect(new Set(await end())).toEqual(new Set(['enough']));
  });

  test('A slow question that nobody knew to be slow gives way to quick ones', async () => {
    const end = slow(defaultLaneLimits.all.places + 2, 'light');
    await sleep(defaultLaneLimits.lightMs * 4);
    const running = () => lanes.occupancy.light.running + lanes.occupancy.heavy.running;
    await expect.poll(running).toBe(defaultLaneLimits.all.places);
    for (let i = 0; i < times(3, 10); i++) await quick(2_500);
    await end();
  });

  test('A slow question that gave way starts over and has the answer that it would have had', async () => {
    const one = { places: 1, light: 1, heavy: 1, writing: 1 };
    const limits = { ...defaultLaneLimits, all: one, organisation: one, key: one, lightMs: 30 };
    const narrow = new Lanes(limits);
    const sql = 'SELECT json_array(count(*)) FROM range(7000) a(i), range(7000) b(i) WHERE hash(a.i + b.i) % 2 = 2';
    const run = (text: string) =>
      engine.use(async (connection) => {
        const task = new Task({ take: async () => connection }, narrow, {
          organisationId: 'a',
          ticket: serviceTicket('a'),
          lane: 'light',
          seconds: 60,
          gate: new ReadGate(),
          commits: new CommitWatch(),
        });
        await task.begin();
        const values = await task.values<number[]>({ sql: text, values: [] });
        await task.rollBack();
        return values;
      });
    const order: string[] = [];
    const late = run(sql).then((values) => {
      order.push('slow');
      return values;
    });
    await sleep(100);
    await run('SELECT json_array(1)').then(() => order.push('quick'));
    expect(await late).toEqual([[0]]);
    expect(order).toEqual(['quick', 'slow']);
  });

  test('A slow question is stopped when its caller gives up, while it runs and while it waits', async () => {
    const caller = new AbortController();
    const began = performance.now();
    const running = ask(endless, 'light', { signal: caller.signal });
    await sleep(100);
    caller.abort(new Error('hung up'));
    await expect(running).rejects.toThrow('hung up');
    expect(performance.now() - began).toBeLessThan(10_000);
    await expect(ask('SELECT json_array(1)', 'light', { signal: caller.signal })).rejects.toThrow('hung up');
  });

  test('A slow question is stopped after the time that it may take, and says so', async () => {
    await expect(ask(endless, 'light', { seconds: 0.2 })).rejects.toMatchObject({ reason: 'too-slow' });
    await quick(1_500);
  });
});

describe('a reader of a warehouse', () => {
  let place: SomeWarehouse;
  const id = someOrganisationId();
  beforeAll(async () => {
    place = await someWarehouse({ ...someLimits, statementSeconds: 0.004 });
    const rows = Array.from({ length: 20_000 }, (_, i) =>
      rowOf(incidents, { incident_id: `i${i}`, title: `title ${i}` }),
    );
    await place.warehouse.change(id, (session) => putRows(session, incidents, rows));
  });
  afterAll(() => place.close());

  test('A reader of a warehouse is stopped after the time that a statement may take; a writer is not', async () => {
    const { warehouse } = place;
    const all = ['incident_id', 'title', 'source', 'url'] as const;
    // A process that is kept from its turn for longer than the statement takes stops it too late.
    const stopped = async (): Promise<unknown> => {
      for (let i = 0; i < 50; i++) {
        const error = await warehouse.read(id, (session) => session.select(incidents, all)).catch((reason) => reason);
        if (error instanceof Error) return error;
      }
      return undefined;
    };
    expect(await stopped()).toMatchObject({
      reason: 'too-slow',
      message: 'This took more than 0.004 seconds and was stopped. Ask for less at once.',
    });
    expect(await warehouse.change(id, (session) => session.select(incidents, all))).toHaveLength(20_000);
  });
});

describe('a reader that gives up', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse();
  });
  afterAll(() => place.close());

  test('A reader that gives up is told its own reason', async () => {
    const caller = new AbortController();
    const reading = place.warehouse.read(
      someOrganisationId(),
      async (session) => {
        // Each a statement: what a session remembers is answered without a turn of the event loop, and nobody could give up.
        for (;;) await session.extremes(incidents);
      },
      { ticket: serviceTicket('', caller.signal), lane: 'heavy' },
    );
    setTimeout(() => caller.abort(new Error('hung up')), 30);
    await expect(reading).rejects.toThrow('hung up');
  });
});
