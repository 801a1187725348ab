import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import type { EmbeddedWarehouse } from '../../../src/warehouse/warehouse.ts';
import { times } from '../../setup/how-long.ts';
import { rowOf, type SomeWarehouse, someLimits, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

const maxFiles = 3;
const put = (warehouse: EmbeddedWarehouse, id: string, name: string) =>
  warehouse.change(id, (session) => putRows(session, incidents, [rowOf(incidents, { incident_id: name })]));
const names = async (warehouse: EmbeddedWarehouse, id: string) =>
  (await warehouse.read(id, (session) => session.select(incidents, ['incident_id'])))
    .map(({ incident_id }) => incident_id)
    .sort();

/** The files of organisations that this process has open, as the kernel tells. */
function openFiles(place: string): string[] {
  const paths = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return [...new Set(paths.filter((path) => path.startsWith(place) && path.endsWith('.duckdb')))];
}

describe('more organisations than files may be open', () => {
  let place: SomeWarehouse;
  beforeEach(async () => {
    place = await someWarehouse({ ...someLimits, files: maxFiles });
  });
  afterEach(() => place.close());

  test('Each is written and read in turn, and files that nobody asks are closed', async () => {
    const ids = Array.from({ length: 5 }, someOrganisationId);
    for (const id of ids) await put(place.warehouse, id, `of ${id}`);
    for (const id of ids) {
      expect(await names(place.warehouse, id)).toEqual([`of ${id}`]);
      expect(openFiles(place.place).length).toBeLessThanOrEqual(maxFiles);
    }
  });

  test('A reader keeps its file, and its state, while others come and go', async () => {
    const [id = '', ...others] = Array.from({ length: 4 }, someOrganisationId);
    await put(place.warehouse, id, 'before');
    const seen = await place.warehouse.read(id, async (session) => {
      const first = await session.select(incidents, ['incident_id']);
      await put(place.warehouse, id, 'meanwhile');
      for (const other of others) await put(place.warehouse, other, 'x');
      return [first, await session.select(incidents, ['incident_id'])];
    });
    expect(seen).toEqual([[{ incident_id: 'before' }], [{ incident_id: 'before' }]]);
    expect(await names(place.warehouse, id)).toEqual(['before', 'meanwhile']);
  });

  test('A stream that is read slowly keeps its file, and one that is left half way gives it back', async () => {
    const [id = '', ...others] = Array.from({ length: 4 }, someOrganisationId);
    for (let i = 0; i < 6; i++) await put(place.warehouse, id, `i${i}`);
    const rows: unknown[] = [];
    for await (const batch of place.warehouse.stream(id, incidents, ['incident_id'], { batchRows: 2 })) {
      rows.push(...batch);
      for (const other of others) await put(place.warehouse, other, `x${rows.length}`);
    }
    expect(rows).toHaveLength(6);
    for (let i = 0; i < 2 * maxFiles; i++) {
      for await (const _ of place.warehouse.stream(id, incidents, ['incident_id'], { batchRows: 2 })) break;
    }
    for (const other of others) expect(await names(place.warehouse, other)).toEqual(['x2', 'x4', 'x6']);
  });

  test('Nothing that was committed is lost, and nobody sees less than they saw, while files are opened and closed under load', async () => {
    const ids = Array.from({ length: times(4, 8) }, someOrganisationId);
    const written = new Map(ids.map((id) => [id, 0]));
    const rounds = times(2, 120);
    const writer = async (id: string) => {
      for (let i = 0; i < rounds; i++) {
        await put(place.warehouse, id, `w${i}`);
        written.set(id, i + 1);
      }
    };
    const reader = async (first: number) => {
      const last = new Map<string, number>();
      for (let i = 0; i < rounds * 4; i++) {
        const id = ids[(first + i * 3) % ids.length] ?? '';
        const known = written.get(id) ?? 0;
        const [found] = await place.warehouse.read(id, (session) => session.tally(incidents, []));
        expect(found?.rows).toBeGreaterThanOrEqual(Math.max(known, last.get(id) ?? 0));
        last.set(id, found?.rows ?? 0);
      }
    };
    const reclusterer = async () => {
      for (const id of ids) await place.warehouse.recluster(id);
    };
    await Promise.all([...ids.map(writer), ...[0, 1, 2].map(reader), reclusterer()]);
    const expected = Array.from({ length: rounds }, (_, i) => `w${i}`).sort();
    for (const id of ids) expect(await names(place.warehouse, id)).toEqual(expected);
    expect(openFiles(place.place).length).toBeLessThanOrEqual(maxFiles);
    const reopened = await place.reopen();
    for (const id of ids) {
      expect(await names(reopened, id)).toEqual(expected);
      expect(await reopened.check(id)).toEqual([]);
    }
  });

  test('An organisation can be removed and made again between the others', async () => {
    const ids = Array.from({ length: 4 }, someOrganisationId);
    for (const id of ids) await put(place.warehouse, id, 'one');
    for (const id of ids) {
      await place.warehouse.remove(id);
      expect(await names(place.warehouse, id)).toEqual([]);
      await put(place.warehouse, id, 'two');
    }
    for (const id of ids) expect(await names(place.warehouse, id)).toEqual(['two']);
  });
});
