import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { MemoryWriterTurns, type WriterTurn } from '../../../src/store/writer-turns.ts';
import { putInPlace } from '../../../src/warehouse/duckdb/compaction.ts';
import { EngineError, isBeingWritten } from '../../../src/warehouse/duckdb/engine-failures.ts';
import { OrganisationTransactions } from '../../../src/warehouse/duckdb/organisation-transactions.ts';
import { lowPriority } from '../../../src/warehouse/duckdb/transaction-terms.ts';
import { incident } from '../incidents-by-time.ts';
import { everyRow, fewRows, type SomeWarehouse, someOrganisationId, someWarehouse, tiny } from '../some-warehouse.ts';
import { putRows, removeRows } from '../table-writes.ts';

const id = someOrganisationId();
let place: SomeWarehouse;
beforeEach(async () => {
  place = await someWarehouse(fewRows, {
    ...tiny,
    reclusterFromRows: 1_000_000,
    quietLogBytes: 4_096,
    unusedBytes: 65_536,
  });
});
afterEach(() => place.close());

const path = () => join(place.place, `${id}.duckdb`);
const logBytes = () => (existsSync(`${path()}.wal`) ? statSync(`${path()}.wal`).size : 0);
const copies = () => readdirSync(place.place).filter((name) => name.startsWith('copy-'));

const put = (numbers: readonly number[], title?: string) =>
  place.warehouse.change(id, (session) =>
    putRows(
      session,
      incidents,
      numbers.map((i) => ({ ...(incident(i, 1_700_000_000 + i) as object), ...(title && { title }) }) as never),
    ),
  );
const numbersTo = (end: number) => Array.from({ length: end }, (_, i) => i);

/** Leaves blocks in the middle of the file that nothing uses: a long table was removed that others were written behind. */
async function leaveGaps(): Promise<void> {
  const long = numbersTo(6_000);
  for (const round of ['a', 'b', 'c']) {
    await place.warehouse.change(id, (session) =>
      putRows(
        session,
        incidents,
        long.map((i) => ({ ...(incident(i, i) as object), title: `${round} ${Math.sin(i)} ${Math.cos(i)}` }) as never),
      ),
    );
    await place.reopen();
  }
  await place.warehouse.change(id, (session) =>
    removeRows(session, incidents, { column: 'incident_id', in: long.slice(10).map((i) => `i${i}`) }),
  );
  await place.reopen();
}

/** Writers who do not wait for each other. */
class TurnsOfAll extends MemoryWriterTurns {
  override inTurn<T>(_: string, work: (turn: WriterTurn) => Promise<T>): Promise<T> {
    const before = { version: 0, dead: [] };
    const done = async () => {};
    return work({ change: 1, before, leaseEndsAt: () => undefined, leaveCopies: done, publish: done });
  }
}

describe('the upkeep of a file', () => {
  test('The log of a file that is not written any more is brought into the file, and a short one may stay', async () => {
    await put([0]);
    await place.reopen();
    await put([1]);
    const short = logBytes();
    expect(short).toBeGreaterThan(0);
    expect(short).toBeLessThan(4_096);
    await place.warehouse.recluster(id);
    expect(logBytes()).toBe(short);
    await put(numbersTo(500));
    expect(logBytes()).toBeGreaterThan(4_096);
    const before = await place.warehouse.checksum(id);
    await place.warehouse.recluster(id);
    expect(logBytes()).toBe(0);
    expect(await place.warehouse.checksum(id)).toEqual(before);
  });

  test('A file of which much is unused becomes smaller, with the same rows, while others read, and is written as before', async () => {
    await leaveGaps();
    const [large, rows] = [statSync(path()).size, await place.warehouse.checksum(id)];
    const version = place.warehouse.versionOf(id);
    const counts = new Set<number | undefined>();
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        await place.warehouse.read(id, async (session) => counts.add((await session.tally(incidents, []))[0]?.rows));
      }
    })();
    await place.warehouse.recluster(id);
    isOver = true;
    await reading;
    expect([...counts]).toEqual([10]);
    expect(statSync(path()).size).toBeLessThan(large * 0.75);
    expect(copies()).toEqual([]);
    const { ino } = statSync(path());
    await place.warehouse.recluster(id);
    expect(statSync(path()).ino).toBe(ino);
    expect(await place.warehouse.checksum(id)).toEqual(rows);
    expect(place.warehouse.versionOf(id)).toBe(version);
    await put([3, 40], 'changed');
    const written = await place.warehouse.read(id, (session) => everyRow(session, incidents));
    expect(written.filter(({ title }) => title === 'changed').map(({ incident_id }) => incident_id)).toEqual([
      'i3',
      'i40',
    ]);
    await place.reopen();
    expect(await place.warehouse.read(id, (session) => everyRow(session, incidents))).toEqual(written);
  });

  test('A file stays as it is where writing it again is stopped, or a reader does not leave', async () => {
    await leaveGaps();
    const [large, rows] = [statSync(path()).size, await place.warehouse.checksum(id)];
    await expect(place.warehouse.compact?.(id, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow();
    const stream = place.warehouse.stream(id, incidents, ['incident_id'], { batchRows: 1 })[Symbol.asyncIterator]();
    await stream.next();
    await place.warehouse.compact?.(id);
    await stream.return?.();
    expect(statSync(path()).size).toBe(large);
    expect(copies()).toEqual([]);
    expect(await place.warehouse.checksum(id)).toEqual(rows);
  });

  test('A copy does not take the place of a file in which something was committed since the copy was begun', async () => {
    await put([0]);
    await place.warehouse.close();
    // Changes of the directory's copies are made beside the turn of another writer.
    const transactions = new OrganisationTransactions(place.place, fewRows, new TurnsOfAll());
    const replace = async (write: () => Promise<void>, isThere = true) => {
      let isReplaced = false;
      const parts = { isThere: () => isThere, write, replace: async () => (isReplaced = true) };
      expect(await transactions.replaceFile(lowPriority(id), 1_000, parts)).toBe(isReplaced);
      return isReplaced;
    };
    const change = () =>
      transactions.change(id, (task, schema) => task.run({ sql: `DELETE FROM ${schema}.incidents`, values: [] }));
    expect(await replace(async () => {})).toBe(true);
    expect(await replace(change)).toBe(false);
    expect(await replace(async () => {}, false)).toBe(false);
    await transactions.close();
    await place.reopen();
  });

  test('The engine says as expected that a file cannot be put in order while it is written', async () => {
    const instance = await DuckDBInstance.create(join(place.folder, 'written.duckdb'));
    const [writer, other] = [await instance.connect(), await instance.connect()];
    await writer.run('CREATE TABLE t AS SELECT 1 AS i');
    await writer.run('BEGIN TRANSACTION');
    await writer.run('UPDATE t SET i = 2');
    const refused = await other.run('CHECKPOINT').catch((error: unknown) => new EngineError(error));
    expect(isBeingWritten(refused)).toBe(true);
    for (const connection of [writer, other]) connection.closeSync();
    instance.closeSync();
  });

  test('A copy does not take the place of a file whose log holds rows that the copy may not have', async () => {
    const [old, copy] = [join(place.folder, 'old.duckdb'), join(place.folder, 'copy.duckdb')];
    for (const file of [old, copy]) writeFileSync(file, file);
    writeFileSync(`${old}.wal`, 'rows');
    expect(await putInPlace(copy, old)).toBe(false);
    expect(readFileSync(old, 'utf8')).toBe(old);
  });
});
