import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { defaultLease, type LeaseTerms } from '../../../src/store/postgres/writer-turns.ts';
import { openClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { clickhouseAvailable, type FreshTables, freshTables } from '../../setup/clickhouse.ts';
import { closedAfterAll } from '../../setup/closed-after-all.ts';
import { isEmulated } from '../../setup/emulated-engine.ts';
import { freshDatabase, postgresAvailable } from '../../setup/postgres.ts';
import { type TcpProxy, tcpProxy } from '../../setup/tcp-proxy.ts';
import { rowOf, someOrganisationId } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

const hours = 3_600_000;
/** Over before ClickHouse closes a connection that it hears nothing from, and never renewed. */
const brief: LeaseTerms = { ...defaultLease, leaseMs: 2_500, renewMs: hours };

describe.skipIf(!clickhouseAvailable || !postgresAvailable)('a server whose clock is wrong by hours', () => {
  const closing: (() => unknown)[] = [];
  let proxy: TcpProxy;
  let databaseUrl: string;
  let tables: FreshTables;
  const closingAtLast = closedAfterAll();
  beforeAll(async () => {
    const database = await freshDatabase();
    tables = await freshTables();
    databaseUrl = database.url;
    closingAtLast(database.drop, tables.drop);
  });
  beforeEach(async () => {
    proxy = await tcpProxy(tables.url);
    closing.push(proxy.close);
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const close of closing.splice(0).toReversed()) await close();
  });

  async function open(lease: LeaseTerms = defaultLease): Promise<Warehouse> {
    const store = await openPostgresStore(databaseUrl, {}, { lease });
    const warehouse = await openClickHouseWarehouse({ url: proxy.url }, store.writerTurns);
    closing.push(() => store.close());
    closing.push(() => warehouse.close());
    return warehouse;
  }

  const setClockBy = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  const put = (warehouse: Warehouse, id: string, title: string) =>
    warehouse.change(id, (writer) =>
      putRows(writer, pullRequests, [rowOf(pullRequests, { pr_id: 'a', pr_title: title })]),
    );
  const titles = async (warehouse: Warehouse, id: string) =>
    (await warehouse.read(id, (reader) => reader.select(pullRequests, ['pr_title']))).map(({ pr_title }) => pr_title);

  test.each([-5, 5])(
    'By %i: replaces rows like any other, and ends none where ClickHouse hears of it after the turn',
    async (by) => {
      setClockBy(by * hours);
      const usual = await open();
      const id = someOrganisationId();
      await put(usual, id, 'none');
      await put(usual, id, 'one');
      expect(await titles(usual, id)).toEqual(['one']);
      // Emulated, the statements before it take as long as the turn.
      if (isEmulated) return;
      const stalling = await open(brief);
      const held = proxy.silenceBefore('INSERT INTO ends');
      const late = expect(put(stalling, id, 'two')).rejects.toMatchObject({
        reason: 'unavailable',
        message: expect.stringContaining('longer than its turn'),
      });
      await Promise.race([held, late]);
      await pause(brief.leaseMs);
      proxy.restore();
      await late;
      expect(await titles(usual, id)).toEqual(['one']);
    },
  );
});
