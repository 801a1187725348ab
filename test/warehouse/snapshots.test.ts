import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import { issues } from '../../src/catalogue/tables/issues.ts';
import type { TableReader } from '../../src/warehouse/intake-port.ts';
import type { EmbeddedWarehouse } from '../../src/warehouse/warehouse.ts';
import { times } from '../setup/how-long.ts';
import { rowOf, type SomeWarehouse, someLimits, someOrganisationId, someWarehouse, tiny } from './some-warehouse.ts';
import { patchRows, putRows, removeRows } from './table-writes.ts';

class Mishap extends Error {}

const count = async (session: TableReader, table: typeof incidents | typeof issues) =>
  (await session.tally(table as typeof incidents, []))[0]?.rows;
const incident = (i: number, title = 'same') => rowOf(incidents, { incident_id: `i${i}`, title: title });
const rows = (length: number, title?: string) => Array.from({ length }, (_, i) => incident(i, title));

describe.each([
  ['a small table', undefined],
  ['a large one', tiny],
] as const)('whoever reads %s', (_, tuning) => {
  let place: SomeWarehouse;
  let warehouse: EmbeddedWarehouse;
  beforeAll(async () => {
    place = await someWarehouse(someLimits, tuning);
    warehouse = place.warehouse;
  });
  afterAll(() => place.close());

  test('Keeps the state that it began with through several statements', async () => {
    const id = someOrganisationId();
    await warehouse.change(id, (session) => putRows(session, incidents, rows(3)));
    const seen = await warehouse.read(id, async (session) => {
      const before = await count(session, incidents);
      await warehouse.change(id, async (writing) => {
        await putRows(writing, incidents, rows(5));
        await putRows(writing, issues, [rowOf(issues, { issue_id: 'x' })]);
        await writing.setDirectoryVersion(9);
      });
      return [before, await count(session, incidents), await count(session, issues), await session.directoryVersion()];
    });
    expect(seen).toEqual([3, 3, 0, 0]);
    expect(await warehouse.read(id, (session) => count(session, incidents))).toBe(5);
  });

  test('Sees all of a change or nothing of it, while everything is removed and put again', async () => {
    const id = someOrganisationId();
    const size = 40;
    await warehouse.change(id, (session) => putRows(session, incidents, rows(size, '0')));
    let isOver = false;
    const reader = async () => {
      const states = new Set<string>();
      while (!isOver) {
        const { found, counted } = await warehouse.read(id, async (session) => ({
          found: await session.select(incidents, ['incident_id', 'title', 'source', 'service', 'repository']),
          counted: await count(session, incidents),
        }));
        const titles = new Set(found.map(({ title }) => title));
        states.add(JSON.stringify([found.length, counted, titles.size]));
      }
      return [...states];
    };
    const readers = Array.from({ length: times(2, 4) }, reader);
    for (let i = 1; i <= times(6, 25); i++) {
      await warehouse.change(id, async (session) => {
        if (i % 2 === 0) await removeRows(session, incidents, { all: [] });
        await putRows(session, incidents, rows(size, String(i)));
      });
      if (i % 5 === 0) await warehouse.recluster(id);
    }
    isOver = true;
    for (const states of await Promise.all(readers)) expect(states).toEqual([JSON.stringify([size, size, 1])]);
  });

  test('Reads what it has written itself', async () => {
    const id = someOrganisationId();
    const seen = await warehouse.change(id, async (session) => {
      await putRows(session, incidents, rows(8));
      await patchRows(session, incidents, ['title'], [{ incident_id: 'i3', title: 'other' }]);
      await removeRows(session, incidents, { column: 'incident_id', in: ['i0'] });
      return session.select(incidents, ['title'], { column: 'incident_id', in: ['i0', 'i2', 'i3'] });
    });
    expect(seen.map(({ title }) => title).sort()).toEqual(['other', 'same']);
  });

  test('Never sees a change that failed, and the next one works', async () => {
    const id = someOrganisationId();
    await warehouse.change(id, (session) => putRows(session, incidents, rows(2)));
    const failed = warehouse.change(id, async (session) => {
      await putRows(session, incidents, rows(9));
      throw new Mishap();
    });
    await expect(failed).rejects.toBeInstanceOf(Mishap);
    const broken = warehouse.change(id, async (session) => {
      await putRows(session, incidents, rows(9));
      await putRows(session, incidents, [rowOf(incidents, {})]);
    });
    await expect(broken).rejects.toThrow(/NOT NULL/);
    expect(await warehouse.read(id, (session) => count(session, incidents))).toBe(2);
    await warehouse.change(id, (session) => putRows(session, incidents, rows(4)));
    expect(await warehouse.read(id, (session) => count(session, incidents))).toBe(4);
  });

  test('Waits for no writer, and writers of one organisation wait for each other only', async () => {
    const [id, other] = [someOrganisationId(), someOrganisationId()];
    const order: string[] = [];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = warehouse.change(id, async (session) => {
      await putRows(session, incidents, rows(1));
      await held;
      order.push('first');
    });
    const second = warehouse.change(id, async (session) => {
      order.push('second');
      await putRows(session, incidents, rows(2));
    });
    await warehouse.change(other, (session) => putRows(session, incidents, rows(1)));
    expect(await warehouse.read(id, (session) => count(session, incidents))).toBe(0);
    order.push('others');
    letGo();
    await Promise.all([first, second]);
    expect(order).toEqual(['others', 'first', 'second']);
  });

  test('Finds all of many changes of one organisation at once made', async () => {
    const id = someOrganisationId();
    const changes = times(8, 60);
    await Promise.all(
      Array.from({ length: changes }, (_, i) =>
        warehouse.change(id, async (session) => {
          const version = await session.directoryVersion();
          await putRows(session, incidents, [incident(i)]);
          await session.setDirectoryVersion(version + 1);
        }),
      ),
    );
    const seen = await warehouse.read(id, async (session) => [
      await count(session, incidents),
      await session.directoryVersion(),
    ]);
    expect(seen).toEqual([changes, changes]);
  });

  test('Finds the version of the rules that everything was derived by', async () => {
    const id = someOrganisationId();
    expect(await warehouse.read(id, (session) => session.derivationVersion())).toBe(0);
    await warehouse.change(id, (session) => session.setDerivationVersion(7));
    expect(await warehouse.read(id, (session) => session.derivationVersion())).toBe(7);
  });
});
