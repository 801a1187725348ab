import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { defaultLease, type LeaseTerms } from '../../src/store/postgres/writer-turns.ts';
import type { Store } from '../../src/store/store.ts';
import type { WriterTurn } from '../../src/store/writer-turns.ts';
import { gate } from '../setup/gate.ts';
import { describeWithPostgres, type FreshDatabase, freshDatabase, onDatabase } from '../setup/postgres.ts';
import { type TcpProxy, tcpProxy } from '../setup/tcp-proxy.ts';

/** As in a server, where a turn that nobody gives back is kept for 30 seconds. */
const lease: LeaseTerms = { ...defaultLease, answerMs: 1_000 };
/** Far less than that, and enough for a busy machine. */
const soonMs = 10_000;

describeWithPostgres('a database that is away for a moment', () => {
  let database: FreshDatabase;
  let proxy: TcpProxy;
  let cutOff: Store;
  let other: Store;
  const id = randomUUID();

  beforeEach(async () => {
    database = await freshDatabase();
    proxy = await tcpProxy(database.url);
    [cutOff, other] = (await Promise.all(
      [proxy.url, database.url].map((url) => openPostgresStore(url, {}, { lease })),
    )) as [Store, Store];
  });
  afterEach(async () => {
    proxy.restore();
    await Promise.all([cutOff.close(), other.close()]);
    proxy.close();
    await database.drop();
  });

  const away = { reason: 'unavailable', message: expect.stringContaining('store cannot be reached') };
  const publish = async ({ change, publish }: WriterTurn) => {
    await publish();
    return change;
  };
  const row = async () => {
    const sql = `SELECT writer::int, dead::int[] FROM data_versions WHERE organisation_id = '${id}'`;
    return (await onDatabase(database.url, sql))[0];
  };

  /** The turn comes to the other server long before a lease would have run out. */
  async function expectTurnSoon(): Promise<number> {
    const began = performance.now();
    const change = await other.writerTurns.inTurn(id, publish);
    expect(performance.now() - began).toBeLessThan(soonMs);
    return change;
  }

  test.each([
    ['its connections are broken', () => proxy.cut(), (lost: number) => [lost]],
    ['nothing comes through', () => proxy.silence(), (lost: number) => expect.toBeOneOf([[], [lost]])],
  ])(
    'A database that is away for a moment gets the turn back from a writer in whose work %s, as soon as it is there again',
    async (_, begin, ends) => {
      const [begun, goOn] = [gate(), gate()];
      let lost = 0;
      const writing = cutOff.writerTurns.inTurn(id, async (turn) => {
        lost = turn.change;
        begun.open();
        await goOn.passed;
        await turn.publish();
      });
      await begun.passed;
      begin();
      goOn.open();
      await expect(writing).rejects.toMatchObject(away);
      await pause(1_000);
      expect(await row()).toMatchObject({ writer: lost });
      proxy.restore();
      const next = await expectTurnSoon();
      expect(next).toBeGreaterThan(lost);
      // Its rows are never shown, unless what it said last was only late.
      expect(await row()).toEqual({ writer: null, dead: ends(lost) });
    },
  );

  test('A database that is away for a moment gets the turn back from a writer that never heard of having it', async () => {
    const sent = proxy.cutAfter('INSERT INTO data_versions');
    const writing = cutOff.writerTurns.inTurn(id, publish);
    await sent;
    await expect(writing).rejects.toMatchObject(away);
    expect(await row()).toMatchObject({ writer: expect.any(Number) });
    proxy.restore();
    await expectTurnSoon();
    // It wrote nothing.
    expect(await row()).toEqual({ writer: null, dead: [] });
  });

  test('A database that is away for a moment has what was published although the answer was lost, and takes nothing of it back', async () => {
    const sent = proxy.cutAfter('SET published = writer');
    let change = 0;
    const writing = cutOff.writerTurns.inTurn(id, async (turn) => {
      change = turn.change;
      await turn.publish();
    });
    await sent;
    await expect(writing).rejects.toMatchObject(away);
    proxy.restore();
    await expect
      .poll(() => cutOff.writerTurns.published(id), { timeout: soonMs })
      .toEqual({ version: change, dead: [] });
    expect(await expectTurnSoon()).toBeGreaterThan(change);
    expect(await row()).toEqual({ writer: null, dead: [] });
  });

  test('A database that is away for a moment is not waited for without an end by a reader', async () => {
    const impatient = await openPostgresStore(proxy.url, { statementSeconds: 1 });
    proxy.silence();
    const began = performance.now();
    await expect(impatient.read((session) => session.rows('SELECT 1'))).rejects.toMatchObject(away);
    expect(performance.now() - began).toBeLessThan(soonMs);
    proxy.restore();
    await impatient.close();
  });
});
