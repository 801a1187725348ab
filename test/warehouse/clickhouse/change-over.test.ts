import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Row } from '../../../src/catalogue/table.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { MemoryWriterTurns } from '../../../src/store/writer-turns.ts';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { openServedClickHouse } from '../../../src/warehouse/clickhouse/served-warehouse.ts';
import { ClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import type { TableReader, TableWriter } from '../../../src/warehouse/intake-port.ts';
import { describeWithClickHouse, type FreshTables, freshTables } from '../../setup/clickhouse.ts';
import { closedAfterAll } from '../../setup/closed-after-all.ts';
import { gate } from '../../setup/gate.ts';
import { rowOf, someOrganisationId } from '../some-warehouse.ts';
import { putRows, removeRows } from '../table-writes.ts';
import { makeEarlierTables } from './earlier-tables.ts';

const pr = (id: string, given: Row = {}): never => rowOf(pullRequests, { pr_id: id, pr_created_at: 9, ...given });
const put =
  (...rows: never[]) =>
  (writer: TableWriter) =>
    putRows(writer, pullRequests, rows);
const lost = new Error('the writer is lost');

async function titlesIn(reader: TableReader): Promise<string[]> {
  const rows = await reader.select(pullRequests, ['pr_id', 'pr_title']);
  return rows.map(({ pr_id, pr_title }) => `${pr_id} ${pr_title}`).toSorted();
}

/** Turns that say of the other servers what a test wants. */
class SomeTurns extends MemoryWriterTurns {
  areOthersUpToDate = true;

  override async isLayoutKnownToAll(): Promise<boolean> {
    return this.areOthersUpToDate;
  }
}

describeWithClickHouse('tables that an earlier Plumb has made', () => {
  const closing: (() => unknown)[] = [];
  const closingAtLast = closedAfterAll();
  let tables: FreshTables;
  let engine: ClickHouseEngine;
  let turns: SomeTurns;
  let id: string;

  beforeAll(async () => {
    tables = await freshTables();
    engine = new ClickHouseEngine(tables.url);
    closingAtLast(tables.drop, () => engine.close());
    await makeEarlierTables(engine);
  }, 60_000);
  beforeEach(async () => {
    turns = new SomeTurns();
    id = someOrganisationId();
    await writeAsEarlier();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const state = ['a first', 'b second', 'd first'];

  /** Rows that live, that were replaced and removed, and that lost writers began and ended. */
  async function writeAsEarlier(): Promise<void> {
    const earlier = new ClickHouseWarehouse({ engine, writerTurns: turns, place: {}, tables: { layout: 1 } });
    const first = { pr_title: 'first' };
    await earlier.change(id, put(pr('a', first), pr('b', first), pr('c', first), pr('d', first)));
    const isLost = async (writer: TableWriter) => {
      await putRows(writer, pullRequests, [pr('a', { pr_title: 'lost' }), pr('x', { pr_title: 'lost' })]);
      await removeRows(writer, pullRequests, { column: 'pr_id', in: ['d'] });
      throw lost;
    };
    await expect(earlier.change(id, isLost)).rejects.toBe(lost);
    await earlier.change(id, async (writer) => {
      await putRows(writer, pullRequests, [pr('b', { pr_title: 'second' })]);
      await removeRows(writer, pullRequests, { column: 'pr_id', in: ['c'] });
    });
    // An insert that was sent twice: rows were merged then.
    await run(`INSERT INTO pull_requests SELECT * FROM pull_requests WHERE organisation = '${id}' AND pr_id = 'b'`);
    expect(await earlier.read(id, titlesIn)).toEqual(state);
  }

  const run = (sql: string, by = engine) => by.run({ sql, values: {} });
  const number = async (sql: string) => Number((await engine.lines({ sql, values: {} }, { seconds: 30 }))[0]);

  async function served(endedMs = 0) {
    const folder = mkdtempSync(join(tmpdir(), 'plumb-change-over-'));
    const cleanUp = { endedMs, deadMs: endedMs };
    const warehouse = await openServedClickHouse({ url: tables.url, folder, cleanUp }, turns);
    closing.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => warehouse.close(),
    );
    return warehouse;
  }

  const versionOfLayout = () => turns.published(id).layout?.version;

  test('Tables that an earlier Plumb has made stay as they are while an older server works with them, or a statement of a lost writer may arrive', async () => {
    const careful = await served(3_600_000);
    expect(await careful.recluster(id)).toBe(true);
    expect(versionOfLayout()).toBe(1);
    turns.areOthersUpToDate = false;
    const newer = await served();
    expect(await newer.recluster(id, { signal: AbortSignal.timeout(20) }).catch(() => 'waits')).toBe('waits');
    expect(versionOfLayout()).toBe(1);
    // What is written meanwhile is there for both.
    await newer.change(id, put(pr('b', { pr_title: 'third' })));
    expect(await newer.read(id, titlesIn)).toEqual(['a first', 'b third', 'd first']);
    expect(await number(`SELECT count() FROM ends WHERE organisation = '${id}'`)).toBe(0);
  }, 90_000);

  test('Tables that an earlier Plumb has made are changed over while questions are answered, and keep what readers see who began before', async () => {
    const newer = await served();
    const leave = gate();
    const before = newer.read(id, async (reader) => {
      expect(await titlesIn(reader)).toEqual(state);
      await leave.passed;
      return titlesIn(reader);
    });
    let isOver = false;
    const asking = (async () => {
      for (let asked = 0; !isOver || asked < 2; asked += 1) expect(await newer.read(id, titlesIn)).toEqual(state);
    })();
    await newer.recluster(id);
    isOver = true;
    await asking;
    expect(versionOfLayout()).toBe(2);
    expect(await newer.read(id, titlesIn)).toEqual(state);
    leave.open();
    expect(await before).toEqual(state);
    await newer.change(id, async (writer) => {
      await putRows(writer, pullRequests, [pr('a', { pr_title: 'fourth' })]);
      await removeRows(writer, pullRequests, { column: 'pr_id', in: ['d'] });
      expect(await titlesIn(writer)).toEqual(['a fourth', 'b second']);
    });
    const after = ['a fourth', 'b second'];
    expect(await newer.read(id, titlesIn)).toEqual(after);
    while (await newer.recluster(id)) expect(await newer.read(id, titlesIn)).toEqual(after);
    expect(await newer.read(id, titlesIn)).toEqual(after);
    const ours = `WHERE organisation = '${id}'`;
    expect(await number(`SELECT count() FROM pull_requests ${ours}`)).toBe(2);
    expect(await number(`SELECT count() FROM ends ${ours}`)).toBe(0);
    expect(turns.published(id)).toMatchObject({ dead: [], layout: { ends: {} } });
    expect(await number('SELECT max(version) FROM layout')).toBe(2);
  }, 90_000);

  test('Tables that an earlier Plumb has made are changed over by whichever server comes after one that was killed, however far that one had come', async () => {
    const { run: runs, insert } = ClickHouseEngine.prototype;
    let isDone = false;
    for (let killedAfter = 0; !isDone; killedAfter += 1) {
      const newer = await served();
      let statements = 0;
      const counted = () => {
        statements += 1;
        if (statements > killedAfter) throw lost;
      };
      ClickHouseEngine.prototype.run = function (...said) {
        if (!said[0].sql.startsWith('ALTER')) counted();
        return runs.apply(this, said);
      };
      ClickHouseEngine.prototype.insert = function (...said) {
        counted();
        return insert.apply(this, said);
      };
      isDone = await newer
        .recluster(id)
        .then(() => true)
        .catch(() => false)
        .finally(() => Object.assign(ClickHouseEngine.prototype, { run: runs, insert }));
      expect(await newer.read(id, titlesIn)).toEqual(state);
    }
    expect(versionOfLayout()).toBe(2);
  }, 90_000);
});
