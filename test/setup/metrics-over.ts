import { Metrics } from '../../src/query/answer-metric.ts';
import type { Tables } from '../../src/query/tables.ts';

/** Every question about some tables that nothing has to be prepared for, and with nobody to compare with. */
export const metricsOver = (tables: Tables, now: () => Date): Metrics =>
  new Metrics({ tables, prepare: async () => {}, benchmarks: { organisations: async () => [] }, now });
