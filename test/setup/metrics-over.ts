import { Metrics } from '../../src/query/answer-metric.ts';
import type { DataExtent, PublishedDirectory, QuestionPort } from '../../src/query/question-port.ts';

/** For tables that have no directory to wait for. */
export const alwaysPublished: PublishedDirectory = {
  whenPublished: async () => {},
  isPublished: async () => true,
  hasTables: () => true,
};

/** Every question about some tables that have no directory to wait for, and with nobody to compare with. */
export const metricsOver = (tables: QuestionPort, now: () => Date, extents?: DataExtent): Metrics =>
  new Metrics({
    tables,
    directory: alwaysPublished,
    benchmarks: { organisations: async () => [] },
    now,
    ...(extents && { extents }),
  });
