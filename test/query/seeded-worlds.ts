import fc from 'fast-check';
import type { Metric } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { World } from '../reference/world.ts';
import { seed } from '../setup/seed.ts';
import { randomWorlds } from './random-world.ts';

export { seed };

/** A world, with a name by which it can be found again. */
export interface NamedWorld {
  readonly world: World;
  readonly name: string;
}

/** The same for the same number, and different ones for different numbers of one seed. */
export function seededWorld(number: number): NamedWorld {
  const [world] = fc.sample(randomWorlds, { seed: seed + number, numRuns: 1 });
  if (!world) throw new Error('there is no world');
  return { world, name: `world ${number} of seed ${seed}, in ${world.timeZone}` };
}

export const allMetrics: readonly Metric[] = [...metrics.values()];
export const someMetric: fc.Arbitrary<Metric> = fc.constantFrom(...allMetrics);

/** Another one for each metric: with one for all of them, nearly the same would be asked of every metric. */
export const seedOf = (metric: Metric): number => seed + allMetrics.indexOf(metric);
