import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { peopleCopy } from '../../../src/catalogue/directory-copies.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { CleanUp } from '../../../src/warehouse/clickhouse/clean-up.ts';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { openClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import type { TableWriter } from '../../../src/warehouse/intake-port.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { clickhouseAvailable, freshTables } from '../../setup/clickhouse.ts';
import { closedAfterAll } from '../../setup/closed-after-all.ts';
import { gate } from '../../setup/gate.ts';
import { freshDatabase, postgresAvailable } from '../../setup/postgres.ts';
import { rowOf, someOrganisationId } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

describe.skipIf(!clickhouseAvailable || !postgresAvailable)('copies that change beside records', () => {
  const closing = closedAfterAll();
  let [store, cleanUp]: [Store?, CleanUp?] = [];
  let [one, two]: [Warehouse?, Warehouse?] = [];
  let id: string;
  beforeAll(async () => {
    const [database, tables] = [await freshDatabase(), await freshTables()];
    const engine = new ClickHouseEngine(tables.url);
    closing(database.drop, tables.drop, () => engine.close());
    const open = async () => {
      const opened = await openPostgresStore(database.url);
      const warehouse = await openClickHouseWarehouse({ url: tables.url }, opened.writerTurns);
      closing(
        () => opened.close(),
        () => warehouse.close(),
      );
      store = opened;
      return warehouse;
    };
    [one, two] = [await open(), await open()];
    if (!store) throw new Error('no store was opened');
    cleanUp = new CleanUp(engine, {}, store.writerTurns, { endedMs: 0, deadMs: 0 });
  });
  beforeEach(async () => {
    id = someOrganisationId();
    await one?.change(id, async (writer) => {
      await writer.setDirectoryVersion(5);
      await putPerson('first')(writer);
      await putRecord('first')(writer);
    });
  });

  const putPerson = (name: string) => (writer: TableWriter) =>
    putRows(writer, peopleCopy, [rowOf(peopleCopy, { merged_user_id: 'ada', name })]);
  const putRecord = (title: string) => (writer: TableWriter) =>
    putRows(writer, pullRequests, [rowOf(pullRequests, { pr_id: 'a', pr_title: title })]);

  /** Records that are written, and not yet published. */
  async function records(title: string) {
    const [written, goesOn] = [gate(), gate()];
    const done = one?.change(id, async (writer) => {
      expect(await writer.directoryVersion()).toBe(5);
      await writer.leaveCopies?.();
      await putRecord(title)(writer);
      written.open();
      await goesOn.passed;
    });
    await written.passed;
    return async () => {
      goesOn.open();
      await done;
    };
  }
  const copies = (name: string, version: number, after = async () => {}) =>
    two?.change(
      id,
      async (writer) => {
        await putPerson(name)(writer);
        await writer.setDirectoryVersion(version);
        await after();
      },
      { isOfCopies: true },
    );
  const seen = (warehouse = two) =>
    warehouse?.read(id, async (reader) => ({
      people: (await reader.select(peopleCopy, ['name'])).map(({ name }) => name),
      records: (await reader.select(pullRequests, ['pr_title'])).map(({ pr_title }) => pr_title),
      directory: await reader.directoryVersion(),
    }));
  const soon = (wanted: object) => expect.poll(() => seen(one)).toEqual(wanted);
  async function clean(): Promise<void> {
    const published = store?.writerTurns.lastKnown(id) ?? { version: 0, dead: [] };
    for (const now of [0, 1]) await cleanUp?.run(id, published, now);
  }

  test('Are seen before the records, and stay when those are published and what ended is cleaned away', async () => {
    const publishRecords = await records('second');
    await copies('second', 6);
    const before = { people: ['second'], records: ['first'], directory: 6 };
    expect(await seen()).toEqual(before);
    await soon(before);
    await copies('third', 7);
    expect(await seen()).toEqual({ people: ['third'], records: ['first'], directory: 7 });
    await publishRecords();
    const after = { people: ['third'], records: ['second'], directory: 7 };
    expect(await seen(one)).toEqual(after);
    await expect.poll(() => seen()).toEqual(after);
    await clean();
    expect(await seen()).toEqual(after);
    await one?.change(id, putRecord('third'));
    await soon({ ...after, records: ['third'] });
  });

  test('Are not seen where they failed, neither before nor after the records are published', async () => {
    const publishRecords = await records('second');
    const failed = copies('lost', 6, () => Promise.reject(new Error('lost')));
    await expect(failed).rejects.toThrow('lost');
    expect(await seen()).toEqual({ people: ['first'], records: ['first'], directory: 5 });
    await publishRecords();
    await soon({ people: ['first'], records: ['second'], directory: 5 });
    await copies('second', 6);
    await soon({ people: ['second'], records: ['second'], directory: 6 });
    await clean();
    await soon({ people: ['second'], records: ['second'], directory: 6 });
  });
});
