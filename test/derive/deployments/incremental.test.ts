import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeliveryWorld } from './delivery-world.ts';
import { deliveries } from './random-delivery.ts';

const runs = Number(process.env.RUNS ?? 300);

describe('deployments told batch by batch', () => {
  test('are what telling everything from the beginning gives', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (batches) => {
        const world = new DeliveryWorld();
        for (const batch of batches) await world.batch(...batch);
        const told = world.tables.state();
        world.tables.written = 0;
        await world.anew();
        expect(world.tables.state()).toEqual(told);
        expect(world.tables.written).toBe(0);
      }),
      { numRuns: runs },
    );
  }, 300_000);
});
