import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

describe('a large answer', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse();
  });
  afterAll(() => place.close());

  test('A large answer has every row, and in every row the values that belong together', async () => {
    const id = someOrganisationId();
    const size = times(50_000, 1_000_000);
    for (let from = 0; from < size; from += 50_000) {
      const rows = Array.from({ length: 50_000 }, (_, i) =>
        rowOf(incidents, {
          incident_id: `i${from + i}`,
          title: (from + i) % 11 === 0 ? null : `t${from + i}`,
          opened_at: from + i,
        }),
      );
      await place.warehouse.change(id, (session) => putRows(session, incidents, rows));
    }
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const found = await place.warehouse.read(id, (session) =>
      session.select(incidents, ['opened_at', 'title', 'incident_id']),
    );
    delay.disable();
    expect(found).toHaveLength(size);
    const seen = new Uint8Array(size);
    const wrong = found.filter(({ opened_at, title, incident_id }) => {
      const at = opened_at ?? -1;
      seen[at] = 1;
      return incident_id !== `i${at}` || title !== (at % 11 === 0 ? null : `t${at}`);
    });
    expect(wrong).toEqual([]);
    expect(seen.every((one) => one === 1)).toBe(true);
    // Taking the texts apart is the only part of it that is done by JavaScript, and it is done bit by bit.
    if (isLong) expect(delay.max / 1e6).toBeLessThan(400);
  });

  test('A large answer to a question about very many rows at once is complete, too', async () => {
    const id = someOrganisationId();
    const size = 30_000;
    const rows = Array.from({ length: size }, (_, i) => rowOf(incidents, { incident_id: `i${i}`, title: `t${i}` }));
    await place.warehouse.change(id, (session) => putRows(session, incidents, rows));
    const asked = rows.filter((_, i) => i % 2 === 0).map(({ incident_id }: { incident_id: string }) => incident_id);
    const found = await place.warehouse.read(id, async (session) => ({
      listed: await session.select(incidents, ['incident_id', 'title', 'url', 'source', 'service'], {
        column: 'incident_id',
        in: asked,
      }),
      tallied: await session.tally(incidents, ['incident_id', 'title']),
    }));
    expect(new Set(found.listed.map(({ incident_id }) => incident_id))).toEqual(new Set(asked));
    expect(found.listed).toHaveLength(size / 2);
    expect(found.tallied).toHaveLength(size);
  });
});
