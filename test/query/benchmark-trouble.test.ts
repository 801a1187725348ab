import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ticketOf } from '../../src/admission/ticket.ts';
import { type QuestionPort, UnreadableTables } from '../../src/query/question-port.ts';
import { Refusal } from '../../src/refusal.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { filters, SomeCohort } from './some-cohort.ts';

let cohort: SomeCohort;
beforeAll(async () => {
  cohort = await SomeCohort.open();
});
afterAll(() => cohort.place.close());
beforeEach(() => cohort.begin());

/** Tables of which those of one organisation cannot be asked. */
const failingFor = (failing: string | undefined, error: () => unknown): QuestionPort => ({
  ask: (id, work, options) =>
    id === failing ? Promise.reject(error()) : cohort.place.warehouse.ask(id, work, options),
  answers: (...given) => cohort.place.warehouse.answers(...given),
  lines: (...given) => cohort.place.warehouse.lines(...given),
  explainSql: (...given) => cohort.place.warehouse.explainSql(...given),
  versionOf: (id) => cohort.place.warehouse.versionOf(id),
  changedAt: (id) => cohort.place.warehouse.changedAt(id),
});

/** Behind the three headers of the file. */
function flipped(bytes: Buffer): Buffer {
  const at = 3 * 4_096 + 100;
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(64, 0xa5), bytes.subarray(at + 64)]);
}

describe('a benchmark, where others cannot be asked,', () => {
  test('A benchmark, where others cannot be asked, fails when it is stopped, too slow or overloaded, whichever organisation that happens with', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500]) await cohort.other(cycleTime);
    const failing = (error: () => unknown) => failingFor(cohort.others[2]?.id, error);
    for (const reason of ['too-slow', 'unavailable'] as const) {
      cohort.metrics = cohort.metricsOf(failing(() => new Refusal(reason, 'Not now.')));
      await expect(cohort.compare()).rejects.toMatchObject({ reason });
    }
    const controller = new AbortController();
    cohort.metrics = cohort.metricsOf(
      failing(() => {
        controller.abort(new Error('gone'));
        return new Error('stopped half way');
      }),
    );
    const body = { filters, benchmark_metric: 'cycle-time', date_field: 'merged_at' };
    const ticket = ticketOf(cohort.principal(), undefined, controller.signal);
    await expect(cohort.metrics.benchmark(cohort.principal(), body, { ticket })).rejects.toThrow('gone');
    expect(cohort.troubles).toEqual([]);
  });

  test('A benchmark, where others cannot be asked, leaves out whose directory is not published yet, says so, and looks again the next time', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500, 60_000]) await cohort.other(cycleTime);
    const behind = new Set([cohort.others[5]?.id]);
    cohort.metrics = cohort.metricsOf(cohort.place.warehouse, {
      ...alwaysPublished,
      isPublished: async (id) => !behind.has(id),
    });
    expect(await cohort.compare()).toMatchObject({
      results: [{ benchmark_p50: 300 }, {}, {}],
      meta: { organisations: 5, organisations_unreadable: 1 },
    });
    expect(cohort.troubles).toEqual([]);

    behind.clear();
    const complete = await cohort.compare();
    expect(complete.results[0]).toMatchObject({ benchmark_p50: 350 });
    expect(complete.meta).not.toHaveProperty('organisations_unreadable');
  });

  test('A benchmark, where others cannot be asked, leaves out whose tables a newer Plumb wrote', async () => {
    for (const cycleTime of [100, 200, 300, 400, 500, 600]) await cohort.other(cycleTime);
    cohort.metrics = cohort.metricsOf(
      failingFor(cohort.others[5]?.id, () => new Refusal('conflict', 'The warehouse is too new.')),
    );
    expect(await cohort.compare()).toMatchObject({
      results: [{ benchmark_p50: 300 }, {}, {}],
      meta: { organisations_unreadable: 1 },
    });
  });
});

describe('a benchmark of organisations whose files are closed and opened again', () => {
  // In a place of its own, so that few of them have to be closed.
  let closed: SomeCohort;
  let six: SomeCohort['others'];
  beforeAll(async () => {
    closed = await SomeCohort.open();
    closed.begin();
    for (const cycleTime of [100, 200, 300, 400, 500, 60_000]) await closed.other(cycleTime, { isChanged: true });
    six = closed.others;
  });
  afterAll(() => closed.place.close());
  beforeEach(() => {
    closed.begin();
    closed.others = six;
  });

  test.each([
    ['in a few bytes of what says what is in it', flipped],
    ['altogether', () => Buffer.from('no tables at all')],
  ])(
    'A benchmark of organisations whose files are closed and opened again leaves out whose file is damaged %s, says so, and looks again the next time',
    async (_, damaged) => {
      const ids = closed.others.map(({ id }) => id);
      const path = join(closed.place.place, `${ids.at(-1)}.duckdb`);
      await closed.place.warehouse.close();
      const whole = readFileSync(path);
      writeFileSync(path, damaged(whole));
      closed.metrics = closed.metricsOf(await closed.place.reopen());

      const answer = await closed.compare();
      expect(answer.results[0]).toMatchObject({ value: 525, benchmark_p50: 300, percentile: 100 });
      expect(answer.meta).toEqual({
        filters,
        date_range: filters,
        aggregation: 'AVG',
        organisations: 5,
        organisations_needed: 5,
        organisations_unreadable: 1,
      });
      expect(JSON.stringify(answer)).not.toContain(ids.at(-1));
      expect(closed.troubles).toEqual([expect.any(UnreadableTables)]);

      writeFileSync(path, whole);
      const mended = await closed.compare();
      expect(mended.results[0]).toMatchObject({ benchmark_p50: 350 });
      expect(mended.meta).not.toHaveProperty('organisations_unreadable');
    },
  );
});
