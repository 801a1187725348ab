import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IncidentsByTime } from '../incidents-by-time.ts';
import { type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';

describe('a large table', () => {
  let place: SomeWarehouse;
  let table: IncidentsByTime;
  const size = 380_000;
  beforeEach(async () => {
    place = await someWarehouse();
    table = new IncidentsByTime(place, someOrganisationId(), { rows: size, batch: 95_000 });
  });
  afterEach(() => place.close());

  /** How many stretches as large as a row group hold rows of one day, on average over all days. */
  const spread = () =>
    table.measure(
      'SELECT avg(spread)::DOUBLE FROM (SELECT count(DISTINCT rowid // 122880) AS spread FROM incidents GROUP BY opened_at::DATE)',
    );

  test('A large table that was filled in any order is brought into the order of time, readers undisturbed', async () => {
    await table.fill((i) => 1_500_000_000 + ((i * 7_919) % size) * 60);
    expect(await spread()).toBeGreaterThan(3);
    await table.reclusterUnderReaders();
    expect(await spread()).toBeLessThan(2);
  });

  test('A large table that is in order is left alone', async () => {
    await table.fill((i) => 1_500_000_000 + i * 60);
    await table.expectNothingToRecluster();
  }, 60_000);
});
