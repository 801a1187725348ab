import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { Refusal } from '../../../src/refusal.ts';
import { openWarehouse } from '../../../src/warehouse/open.ts';
import type { EmbeddedWarehouse } from '../../../src/warehouse/warehouse.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

const incident = (incident_id: string) => rowOf(incidents, { incident_id });
const put = (warehouse: EmbeddedWarehouse, id: string, ...names: string[]) =>
  warehouse.change(id, (session) => putRows(session, incidents, names.map(incident)));
const named = async (warehouse: EmbeddedWarehouse, id: string) =>
  (await warehouse.read(id, (session) => session.select(incidents, ['incident_id'])))
    .map(({ incident_id }) => incident_id)
    .sort();

describe('the files of a warehouse', () => {
  let place: SomeWarehouse;
  beforeEach(async () => {
    place = await someWarehouse();
  });
  afterEach(() => place.close());

  test('The files of a warehouse are one for each organisation, made when something is first kept for it', async () => {
    const [a, b] = [someOrganisationId(), someOrganisationId()];
    expect(await place.warehouse.organisations()).toEqual([]);
    await put(place.warehouse, a, 'one');
    expect(place.warehouse.holds(a)).toBe(true);
    expect(place.warehouse.holds(b)).toBe(false);
    await put(place.warehouse, b, 'two');
    expect(await place.warehouse.organisations()).toEqual([a, b].sort());
    expect(existsSync(join(place.place, `${a}.duckdb`))).toBe(true);
    expect(await named(place.warehouse, a)).toEqual(['one']);
    expect(await named(place.warehouse, b)).toEqual(['two']);
  });

  test('The files of a warehouse are attached once, however many need them first', async () => {
    const id = someOrganisationId();
    await Promise.all(Array.from({ length: 20 }, (_, i) => put(place.warehouse, id, `i${i}`)));
    const warehouse = await place.reopen();
    const counts = await Promise.all(
      Array.from({ length: 20 }, () => warehouse.read(id, (session) => session.tally(incidents, []))),
    );
    expect(counts).toEqual(Array(20).fill([{ rows: 20 }]));
  });

  test('The files of a warehouse are there again after the warehouse was closed, and can be opened from settings', async () => {
    const id = someOrganisationId();
    await put(place.warehouse, id, 'kept');
    await place.warehouse.close();
    const warehouse = await openWarehouse({ folder: place.folder });
    expect(await named(warehouse, id)).toEqual(['kept']);
    await warehouse.close();
  });

  test('The files of a warehouse that cannot be attached are tried again', async () => {
    const id = someOrganisationId();
    const path = join(place.place, `${id}.duckdb`);
    mkdirSync(path);
    await expect(put(place.warehouse, id, 'one')).rejects.toThrow();
    rmSync(path, { recursive: true });
    await put(place.warehouse, id, 'one');
    expect(await named(place.warehouse, id)).toEqual(['one']);
  });

  test('The files of a warehouse are named after organisations and nothing else', async () => {
    for (const id of ['', '../../etc/passwd', 'x".state; DROP TABLE people; --', someOrganisationId().toUpperCase()]) {
      await expect(put(place.warehouse, id, 'one')).rejects.toMatchObject({ reason: 'bad-input' });
      expect(() => place.warehouse.holds(id)).toThrow(Refusal);
    }
    writeFileSync(join(place.place, 'notes.duckdb'), 'no warehouse');
    expect(await place.warehouse.organisations()).toEqual([]);
  });

  test('The files of a warehouse go with the organisation, and a new one of the same name begins empty', async () => {
    const [id, other] = [someOrganisationId(), someOrganisationId()];
    await put(place.warehouse, id, 'one');
    await put(place.warehouse, other, 'stays');
    await place.warehouse.remove(id);
    expect(readdirSync(place.place).filter((file) => file.startsWith(id))).toEqual([]);
    expect(place.warehouse.holds(id)).toBe(false);
    expect(await named(place.warehouse, id)).toEqual([]);
    expect(await named(place.warehouse, other)).toEqual(['stays']);
  });

  test('The files of a warehouse are removed only when nobody reads them any more', async () => {
    const id = someOrganisationId();
    await put(place.warehouse, id, 'one');
    let removal: Promise<void> = Promise.resolve();
    const seen = await place.warehouse.read(id, async (session) => {
      await session.tally(incidents, []);
      removal = place.warehouse.remove(id);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return session.select(incidents, ['incident_id']);
    });
    expect(seen).toEqual([{ incident_id: 'one' }]);
    await removal;
    expect(place.warehouse.holds(id)).toBe(false);
  });

  test('The files of a warehouse that a killed process left behind while sorting and copying are cleared away', async () => {
    await place.warehouse.close();
    for (const name of ['temporary', 'copy-abc']) {
      mkdirSync(join(place.place, name));
      writeFileSync(join(place.place, name, 'left.tmp'), 'x');
    }
    await place.reopen();
    expect(readdirSync(place.place)).toEqual([]);
  });

  test('The files of a warehouse are refused once the warehouse is closed', async () => {
    const id = someOrganisationId();
    await put(place.warehouse, id, 'one');
    const late = put(place.warehouse, id, 'two');
    await place.warehouse.close();
    await late;
    await expect(put(place.warehouse, id, 'three')).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(named(place.warehouse, id)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await named(await place.reopen(), id)).toEqual(['one', 'two']);
  });
});
