import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../src/catalogue/table.ts';
import { pullRequestComments } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { LeaseTerms } from '../../../src/store/postgres/writer-turns.ts';
import type { Store } from '../../../src/store/store.ts';
import { MemoryWriterTurns, type WriterTurns } from '../../../src/store/writer-turns.ts';
import { CleanUp } from '../../../src/warehouse/clickhouse/clean-up.ts';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { ClickHouseWarehouse, openClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import type { TableReader, TableWriter } from '../../../src/warehouse/intake-port.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { describeWithClickHouse, type FreshTables, freshTables } from '../../setup/clickhouse.ts';
import { gate } from '../../setup/gate.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { freshDatabase, onDatabase, postgresAvailable } from '../../setup/postgres.ts';
import { seed } from '../../setup/seed.ts';
import { rowOf, someOrganisationId } from '../some-warehouse.ts';
import { patchRows, putRows, removeRows } from '../table-writes.ts';

const pr = (id: string, given: Row = {}): never => rowOf(pullRequests, { pr_id: id, ...given });
const comment = (id: string, given: Row): never => rowOf(pullRequestComments, { comment_id: id, ...given });

/** A whole state: titles by pull request, and how many comments say the same. */
type State = Readonly<Record<string, string>>;

async function stateIn(reader: TableReader): Promise<{ readonly rows: State; readonly comments: State }> {
  const rows = await reader.select(pullRequests, ['pr_id', 'pr_title']);
  const comments = await reader.select(pullRequestComments, ['comment_id', 'pr_id']);
  return {
    rows: sorted(rows.map(({ pr_id, pr_title }) => [String(pr_id), String(pr_title)])),
    comments: sorted(comments.map(({ comment_id, pr_id }) => [String(comment_id), String(pr_id)])),
  };
}
const sorted = (pairs: (readonly [string, string])[]): State => {
  // A key that is there twice must not pass for one that is there once.
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error('a row is there twice');
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const at = { endedMs: 0, deadMs: 0 };
const lost = new Error('the writer is lost');

describeWithClickHouse('the tables in ClickHouse', () => {
  let tables: FreshTables;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    tables = await freshTables();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  afterAll(() => tables.drop());

  async function open(turns: Store['writerTurns']): Promise<Warehouse> {
    const warehouse = await openClickHouseWarehouse({ url: tables.url }, turns);
    closing.push(() => warehouse.close());
    return warehouse;
  }

  function cleaning(turns: Pick<WriterTurns, 'forgetDead' | 'forgetEnds'>): CleanUp {
    const engine = new ClickHouseEngine(tables.url);
    closing.push(() => engine.close());
    return new CleanUp(engine, {}, turns, at);
  }

  test('The tables in ClickHouse are written, listed and read although what is published is not known for a moment', async () => {
    const turns = new MemoryWriterTurns();
    let isKnown = true;
    const warehouse = await open({
      inTurn: (...asked) => turns.inTurn(...asked),
      published: (id) => (isKnown ? turns.published(id) : undefined),
      lastKnown: (id) => turns.lastKnown(id),
      forgetDead: (...gone) => turns.forgetDead(...gone),
      forgetEnds: (...gone) => turns.forgetEnds(...gone),
      isLayoutKnownToAll: () => turns.isLayoutKnownToAll(),
    });
    const unknownFor = (ms: number) => {
      isKnown = false;
      setTimeout(() => {
        isKnown = true;
      }, ms);
    };
    const id = someOrganisationId();
    unknownFor(200);
    await warehouse.change(id, (writer) => putRows(writer, pullRequests, [pr('a', { pr_title: 'first' })]));
    expect(warehouse.holds(id)).toBe(true);
    unknownFor(200);
    expect(warehouse.holds(id)).toBe(true);
    expect(warehouse.holds(someOrganisationId())).toBe(false);
    expect(await warehouse.organisations()).toContain(id);
    unknownFor(200);
    expect((await warehouse.read(id, stateIn)).rows).toEqual({ a: 'first' });
    await warehouse.remove(id);
    expect(warehouse.holds(id)).toBe(false);
  });

  test('The tables in ClickHouse show every reader the state that it began with, whatever is written, abandoned and cleaned up meanwhile', async () => {
    const turns = new MemoryWriterTurns();
    const warehouse = await open(turns);
    const cleanUp = cleaning(turns);
    const id = someOrganisationId();
    const random = randomFrom(seed);
    let model: Record<string, string> = {};
    let readers: { readonly done: Promise<void>; readonly leave: ReturnType<typeof gate> }[] = [];
    const expected = (state: Record<string, string>) => ({
      rows: sorted(Object.entries(state)),
      comments: sorted(Object.keys(state).map((key) => [`c-${key}`, key])),
    });
    let checked = 0;
    const changes = times(4, 300);
    for (let change = 0; change < changes; change++) {
      const next = { ...model };
      const isAbandoned = random() < 0.25;
      const work = async (writer: TableWriter) => {
        for (let step = 0; step < 1 + random() * 3; step++) {
          const key = `k${Math.floor(random() * 6)}`;
          const title = `${change}.${step}`;
          const isThere = key in next;
          if (random() < 0.25) {
            await removeRows(writer, pullRequests, { column: 'pr_id', in: [key] });
            await removeRows(writer, pullRequestComments, { column: 'comment_id', in: [`c-${key}`] });
            delete next[key];
          } else if (isThere && random() < 0.4) {
            // A patch of the date moves the row to another place of the table.
            const moved = { pr_id: key, pr_title: title, pr_created_at: Math.floor(random() * 1e9) };
            await patchRows(writer, pullRequests, ['pr_title', 'pr_created_at'], [moved]);
            next[key] = title;
          } else {
            const created = random() < 0.3 ? null : Math.floor(random() * 1e9);
            await putRows(writer, pullRequests, [pr(key, { pr_title: title, pr_created_at: created })]);
            await putRows(writer, pullRequestComments, [comment(`c-${key}`, { pr_id: key })]);
            next[key] = title;
          }
          if (isLong) expect(await stateIn(writer)).toEqual(expected(next));
        }
        expect(await stateIn(writer)).toEqual(expected(next));
        if (isAbandoned) throw lost;
      };
      const changing = warehouse.change(id, work);
      if (isAbandoned) await expect(changing).rejects.toBe(lost);
      else {
        await changing;
        model = next;
      }
      const state = expected(model);
      expect(await warehouse.read(id, stateIn)).toEqual(state);
      const leave = gate();
      const done = warehouse.read(id, async (reader) => {
        await leave.passed;
        expect(await stateIn(reader)).toEqual(state);
        checked += 1;
      });
      readers.push({ done, leave });
      if (random() < 0.3) {
        // Cleaning waits for readers; here it is they who are asked first.
        for (const reader of readers) reader.leave.open();
        await Promise.all(readers.map((reader) => reader.done));
        readers = [];
        await cleanUp.run(id, turns.published(id), change);
        expect(await warehouse.read(id, stateIn)).toEqual(state);
      }
    }
    for (const reader of readers) reader.leave.open();
    await Promise.all(readers.map((reader) => reader.done));
    expect(checked).toBe(changes);
  });

  test('The tables in ClickHouse lose what ended when its time has come, although nothing is written any more', async () => {
    const turns = new MemoryWriterTurns();
    const warehouse = await open(turns);
    const engine = new ClickHouseEngine(tables.url);
    closing.push(() => engine.close());
    const cleanUp = new CleanUp(engine, {}, turns, { endedMs: 1_000, deadMs: 5_000 });
    const id = someOrganisationId();
    const put = (title: string) => (writer: TableWriter) =>
      putRows(writer, pullRequests, [pr('a', { pr_title: title })]);
    await warehouse.change(id, put('one'));
    await warehouse.change(id, put('two'));
    await expect(
      warehouse.change(id, async (writer) => {
        await putRows(writer, pullRequests, [pr('lost', { pr_title: 'lost' })]);
        throw lost;
      }),
    ).rejects.toBe(lost);
    const stored = async () => {
      const statement = `SELECT DISTINCT pr_title FROM pull_requests WHERE organisation = '${id}' ORDER BY pr_title`;
      return engine.lines({ sql: statement, values: {} }, { seconds: 10 });
    };
    const ends = async () => {
      const statement = `SELECT count() FROM ends WHERE organisation = '${id}'`;
      return Number((await engine.lines({ sql: statement, values: {} }, { seconds: 10 }))[0]);
    };
    const runAt = (now: number) => cleanUp.run(id, turns.published(id), now);
    expect(await runAt(0)).toBe(false);
    expect(await runAt(999)).toBe(false);
    expect(await stored()).toEqual(['lost', 'one', 'two']);
    expect(await runAt(1_000)).toBe(false);
    expect(await stored()).toEqual(['lost', 'two']);
    // Those who began before it went may still look up its end.
    expect(await ends()).toBe(1);
    expect(await runAt(5_000)).toBe(false);
    expect(await stored()).toEqual(['two']);
    expect(await ends()).toBe(1);
    expect(await runAt(6_000)).toBe(true);
    expect(await ends()).toBe(0);
    expect((await warehouse.read(id, stateIn)).rows).toEqual({ a: 'two' });
  });

  test('The tables in ClickHouse belong to the store whose first writer was lost before it could publish, and to no other', async () => {
    const turns = new MemoryWriterTurns();
    const own = await openClickHouseWarehouse(
      { url: tables.url },
      {
        inTurn: (id, work, writer) =>
          turns.inTurn(id, (turn) => work({ ...turn, publish: () => Promise.reject(lost) }), writer),
        published: (id) => turns.published(id),
        lastKnown: (id) => turns.lastKnown(id),
        forgetDead: (...gone) => turns.forgetDead(...gone),
        forgetEnds: (...gone) => turns.forgetEnds(...gone),
        isLayoutKnownToAll: () => turns.isLayoutKnownToAll(),
      },
    );
    const other = await openClickHouseWarehouse({ url: tables.url }, new MemoryWriterTurns());
    closing.push(
      () => own.close(),
      () => other.close(),
    );
    const id = someOrganisationId();
    const put = (writer: TableWriter) => putRows(writer, pullRequests, [pr('a', { pr_title: 'one' })]);
    await expect(own.change(id, put)).rejects.toBe(lost);
    expect(await own.organisations()).not.toContain(id);
    expect(await own.organisationsOfOthers()).not.toContain(id);
    expect(await other.organisationsOfOthers()).toContain(id);
  });

  test('The tables in ClickHouse take no harm from statements that are sent twice', async () => {
    const turns = new MemoryWriterTurns();
    const engine = new ClickHouseEngine(tables.url);
    // What a proxy does that had no answer.
    const twice =
      <A extends unknown[]>(send: (...said: A) => Promise<void>) =>
      async (...said: A) => {
        await send.apply(engine, said);
        await send.apply(engine, said);
      };
    engine.insert = twice(engine.insert);
    engine.run = twice(engine.run);
    const warehouse = new ClickHouseWarehouse({ engine, writerTurns: turns, place: {}, tables: { layout: 2 } });
    closing.push(() => warehouse.close());
    const id = someOrganisationId();
    await warehouse.change(id, (writer) => putRows(writer, pullRequests, [pr('a', { pr_title: 'one' }), pr('b')]));
    expect(Object.keys((await warehouse.read(id, stateIn)).rows)).toEqual(['a', 'b']);
    await warehouse.change(id, (writer) => putRows(writer, pullRequests, [pr('a', { pr_title: 'two' })]));
    await warehouse.change(id, (writer) => removeRows(writer, pullRequests, { column: 'pr_id', in: ['b'] }));
    expect((await warehouse.read(id, stateIn)).rows).toEqual({ a: 'two' });
  });

  test('Neither end a row nor take a change once the turn may be that of another writer', async () => {
    const turns = new MemoryWriterTurns();
    const inTime = await open(turns);
    const late = await open({
      inTurn: (id, work, writer) =>
        turns.inTurn(id, (turn) => work({ ...turn, leaseEndsAt: () => performance.now() - 5_000 }), writer),
      published: (id) => turns.published(id),
      lastKnown: (id) => turns.lastKnown(id),
      forgetDead: (...gone) => turns.forgetDead(...gone),
      forgetEnds: (...gone) => turns.forgetEnds(...gone),
      isLayoutKnownToAll: () => turns.isLayoutKnownToAll(),
    });
    const id = someOrganisationId();
    const put = (title: string) => (writer: TableWriter) =>
      putRows(writer, pullRequests, [pr('a', { pr_title: title })]);
    await inTime.change(id, put('one'));
    await expect(late.change(id, put('two'))).rejects.toMatchObject({ reason: 'unavailable' });
    expect((await inTime.read(id, stateIn)).rows).toEqual({ a: 'one' });
    await inTime.change(id, put('three'));
    expect((await inTime.read(id, stateIn)).rows).toEqual({ a: 'three' });
  });

  test.skipIf(!postgresAvailable)(
    'The tables in ClickHouse show nothing of a writer that stalled past its turn or never came back, and lose nothing of the others',
    async () => {
      const database = await freshDatabase();
      closing.push(() => database.drop());
      const lease: LeaseTerms = { leaseMs: 1_200, renewMs: 200, retryMs: 20, patienceMs: 20_000, answerMs: 5_000 };
      const store = async (terms: LeaseTerms) => {
        const opened = await openPostgresStore(database.url, {}, { lease: terms });
        closing.push(() => opened.close());
        return opened;
      };
      const [slow, quick] = [await store({ ...lease, leaseMs: 3_000, renewMs: 3_600_000 }), await store(lease)];
      const [stalling, working] = [await open(slow.writerTurns), await open(quick.writerTurns)];
      const id = someOrganisationId();
      await working.change(id, (writer) =>
        putRows(writer, pullRequests, [pr('a', { pr_title: 'first' }), pr('b', { pr_title: 'first' })]),
      );
      const [begun, wake] = [gate(), gate()];
      const stalled = stalling.change(id, async (writer) => {
        await putRows(writer, pullRequests, [pr('a', { pr_title: 'lost' }), pr('x', { pr_title: 'lost' })]);
        begun.open();
        await wake.passed;
        await removeRows(writer, pullRequests, { column: 'pr_id', in: ['b'] });
        await putRows(writer, pullRequests, [pr('y', { pr_title: 'lost' })]);
      });
      stalled.catch(() => {});
      await begun.passed;
      // Waits until the lease of the stalled writer has run out, and declares its change dead.
      await working.change(id, (writer) => putRows(writer, pullRequests, [pr('c', { pr_title: 'second' })]));
      const state = { a: 'first', b: 'first', c: 'second' };
      expect((await working.read(id, stateIn)).rows).toEqual(state);
      wake.open();
      await expect(stalled).rejects.toMatchObject({ reason: 'unavailable' });
      expect((await working.read(id, stateIn)).rows).toEqual(state);
      // Nor does it come back when its rows are cleaned away, and others can still end what it had ended.
      const published = quick.writerTurns.published(id);
      expect(published?.dead).toHaveLength(1);
      const cleanUp = cleaning(quick.writerTurns);
      await cleanUp.run(id, published ?? { version: 0, dead: [] }, 0);
      await cleanUp.run(id, published ?? { version: 0, dead: [] }, 1);
      expect((await working.read(id, stateIn)).rows).toEqual(state);
      // The end of a row that it had ended is gone as well, so nobody need know of it any more.
      const [row] = await onDatabase(database.url, `SELECT dead FROM data_versions WHERE organisation_id = '${id}'`);
      expect(row?.dead).toEqual([]);
      await working.change(id, (writer) => removeRows(writer, pullRequests, { column: 'pr_id', in: ['a'] }));
      expect((await working.read(id, stateIn)).rows).toEqual({ b: 'first', c: 'second' });
      const now = quick.writerTurns.lastKnown(id);
      await cleanUp.run(id, now, 2);
      await cleanUp.run(id, now, 3);
      await working.change(id, (writer) => putRows(writer, pullRequests, [pr('c', { pr_title: 'third' })]));
      expect(quick.writerTurns.lastKnown(id).dead).toEqual([]);
      expect((await working.read(id, stateIn)).rows).toEqual({ b: 'first', c: 'third' });
      await expect.poll(async () => (await stalling.read(id, stateIn)).rows).toEqual({ b: 'first', c: 'third' });
    },
  );
});

/** Small and good enough: the same numbers for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
