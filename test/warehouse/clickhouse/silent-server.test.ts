import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { LeaseTerms } from '../../../src/store/postgres/writer-turns.ts';
import type { WatchTerms } from '../../../src/warehouse/clickhouse/statement-watch.ts';
import { openClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { clickhouseAvailable, freshTables } from '../../setup/clickhouse.ts';
import { freshDatabase, postgresAvailable } from '../../setup/postgres.ts';
import { type TcpProxy, tcpProxy } from '../../setup/tcp-proxy.ts';
import { rowOf, someOrganisationId } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

/** As with the usual terms, it is noticed about as soon as a lease ends. */
const watch: WatchTerms = { everyMs: 300, answerMs: 300 };
const lease: LeaseTerms = { leaseMs: 1_000, renewMs: 200, retryMs: 20, patienceMs: 20_000, answerMs: 5_000 };

describe.skipIf(!clickhouseAvailable || !postgresAvailable)(
  'a ClickHouse that never answers one of two servers',
  () => {
    const closing: (() => unknown)[] = [];
    let proxy: TcpProxy;
    let stuck: Warehouse;
    let other: Warehouse;

    beforeEach(async () => {
      const [database, tables] = [await freshDatabase(), await freshTables()];
      closing.push(database.drop, tables.drop);
      const open = async (url: string) => {
        const store = await openPostgresStore(database.url, {}, { lease });
        const warehouse = await openClickHouseWarehouse({ url, watch }, store.writerTurns);
        closing.push(() => store.close());
        closing.push(() => warehouse.close());
        return warehouse;
      };
      proxy = await tcpProxy(tables.url);
      closing.push(proxy.close);
      stuck = await open(proxy.url);
      other = await open(tables.url);
    });
    afterEach(async () => {
      for (const close of closing.splice(0).toReversed()) await close();
    });

    const put = (warehouse: Warehouse, organisationId: string, id: string) =>
      warehouse.change(organisationId, (writer) => putRows(writer, pullRequests, [rowOf(pullRequests, { pr_id: id })]));

    test('A ClickHouse that never answers one of two servers does not keep the turn of its writer for long, and the writer is told to send again', async () => {
      const id = someOrganisationId();
      await put(stuck, id, 'a');
      proxy.silence();
      const begun = performance.now();
      const waiting = put(stuck, id, 'b');
      const refused = expect(waiting).rejects.toMatchObject({
        reason: 'unavailable',
        message: expect.stringContaining('ClickHouse stopped answering'),
        hints: { retryAfterSeconds: 5 },
      });
      // The other one waits for its turn while the lease of the stuck one is renewed.
      await put(other, id, 'c');
      await refused;
      expect(performance.now() - begun).toBeLessThan(15_000);
      const rows = await other.read(id, (reader) => reader.select(pullRequests, ['pr_id']));
      expect(rows.map(({ pr_id }) => pr_id).sort()).toEqual(['a', 'c']);
    });
  },
);
