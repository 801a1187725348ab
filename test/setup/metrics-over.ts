import { Metrics } from '../../src/query/answer-metric.ts';
import type { QuestionPort } from '../../src/query/question-port.ts';

/** Every question about some tables that nothing has to be prepared for, and with nobody to compare with. */
export const metricsOver = (tables: QuestionPort, now: () => Date): Metrics =>
  new Metrics({ tables, prepare: async () => {}, benchmarks: { organisations: async () => [] }, now });
