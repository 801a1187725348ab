import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aiCopilot } from '../../src/catalogue/tables/ai-copilot.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { answerPieces } from '../../src/formats/answer-writer.ts';
import { rowsText } from '../../src/formats/text.ts';
import { answerColumns, flatColumns } from '../../src/query/answer-columns.ts';
import { planOf } from '../../src/query/planner.ts';
import { readMultiple } from '../../src/query/reading/metric-request.ts';
import { seed } from '../setup/seed.ts';
import { someOwner } from '../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someLimits, someOrganisationId, someWarehouse, tiny } from './some-warehouse.ts';
import { putRows } from './table-writes.ts';

const id = someOrganisationId();
const owner = someOwner(id);

/** Every character that JSON or a file of lines treats in a way of its own, alone and behind what escapes. */
const oddTexts = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).filter((one) => one !== '\0'),
  '"',
  '\\',
  '\\u001B',
  '\\\\u001B\u001b',
  '\u007f',
  '\u009f',
  '\u2028\u2029',
  '\ufeff',
  '🦆',
  '',
  'null',
];
const oddDurations = [0, -0, 1, 59, 60, 3_600, 3_661, -90, 1e9, 0.0004, 0.0005, -0.001, 1.25, 59.9996, 3_599.9999];
const oddTimes = [0, -1, -30_000_000_000, 951_782_399, 1_719_792_000, 253_402_300_799];

const anyRow = fc.record({
  pr_title: fc.oneof(fc.constant(null), fc.constantFrom(...oddTexts), fc.string({ unit: 'binary' })),
  pr_number: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  additions: fc.option(fc.maxSafeNat()),
  is_draft: fc.option(fc.boolean()),
  pr_merged_at: fc.oneof(fc.constant(null), fc.constantFrom(...oddTimes), fc.integer({ min: -1e9, max: 4e9 })),
  cycle_time: fc.oneof(
    fc.constant(null),
    fc.constantFrom(...oddDurations),
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  ),
  labels: fc.option(fc.array(fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary' })), { maxLength: 3 })),
});

type Odd = Partial<Parameters<Parameters<typeof anyRow.map>[0]>[0]>;

/** Texts with a NUL in them are refused when they come. */
const kept = (text: string): string => text.replaceAll('\0', '');

describe('rows that the engine writes as JSON itself', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse(someLimits, { ...tiny, sortedRows: 300, sortedBytes: 60_000 });
    const some: readonly Odd[] = [
      ...oddTexts.map((text) => ({ pr_title: text, labels: [text] })),
      { pr_title: 'longer than what is read at once '.repeat(20_000) },
      ...oddDurations.map((cycle_time) => ({ cycle_time })),
      ...oddTimes.map((pr_merged_at) => ({ pr_merged_at })),
      ...fc.sample(anyRow, { numRuns: 2_000, seed }),
    ];
    const rows = some.map(({ pr_title, labels, ...row }, i) =>
      rowOf(pullRequests, {
        ...row,
        pr_id: `${i}`,
        pr_created_at: 1_719_792_000,
        pr_title: pr_title ? kept(pr_title) : (pr_title ?? null),
        labels: labels ? JSON.stringify(labels.map(kept)) : null,
      }),
    );
    const days = ['2024-01-01', '2024-02-29', '2024-12-31'].map((date) =>
      rowOf(aiCopilot, { named_as: 'ann', source: 'cursor', date, actor: 'ann', is_active: true }),
    );
    await place.warehouse.change(id, async (session) => {
      await putRows(session, pullRequests, rows);
      await putRows(session, aiCopilot, days);
    });
  });
  afterAll(() => place.close());

  const group_by = ['pr_id', 'pr_title', 'pr_number', 'additions', 'is_draft', 'pr_merged_at', 'cycle_time', 'labels'];
  const asked = (...more: string[]) => {
    const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
    const body = { filters, metrics: ['pull-requests-count'], group_by: [...group_by, ...more] };
    const request = readMultiple(body, { principal: owner, now: new Date() });
    return { query: planOf(request, owner), columns: flatColumns(answerColumns(request)) };
  };
  const empty = (async function* () {})();

  test.each(['json', 'ndjson'] as const)(
    'Rows that the engine writes as JSON itself have the bytes that they have everywhere else, as %s',
    async (format) => {
      const { query, columns } = asked();
      const rows = await place.warehouse.ask(id, (session) => session.rows({ ...query, limit: 10_000 }));
      expect(rows.length, `seed ${seed}`).toBeGreaterThan(2_000);
      const lines = place.warehouse.lines(id, query, columns);
      const pieces: Buffer[] = [];
      for await (const piece of answerPieces(format, { columns, batches: empty, lines }, undefined)) {
        pieces.push(Buffer.from(piece));
      }
      const [written, expected] = [Buffer.concat(pieces).toString(), rowsText(format, columns, rows)];
      expect(written.split('{"date_level'), `seed ${seed}`).toEqual(expected.split('{"date_level'));
    },
  );

  test('Rows that the engine writes as JSON itself are an empty list where there are none', async () => {
    const lines = (async function* () {})() as AsyncIterable<Buffer>;
    const pieces: string[] = [];
    for await (const piece of answerPieces('json', { columns: [], batches: empty, lines }, undefined)) {
      pieces.push(String(piece));
    }
    expect(pieces.join('')).toBe('[]');
  });

  const askedOf = (body: object) => {
    const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
    const request = readMultiple({ filters, ...body }, { principal: owner, now: new Date() });
    return { query: planOf(request, owner), columns: flatColumns(answerColumns(request)) };
  };

  test.each([
    ['by the day of an event', { metrics: ['pull-requests-count'], group_by: ['pr_id'], date_level: 'day' }],
    ['by the date of a row', { metrics: ['adopted-users'], group_by: ['date', 'source'] }],
    [
      'where one metric has nothing to tell of a row',
      { metrics: ['pull-requests-count', 'reviews-count'], group_by: ['pr_id', 'repository'] },
    ],
    [
      'with lists of the person',
      { metrics: ['pull-requests-count'], group_by: ['pr_id', 'team_names', 'departments'] },
    ],
  ])('Rows that the engine writes as JSON itself have the same bytes %s', async (_, body) => {
    const { query, columns } = askedOf(body);
    const rows = await place.warehouse.ask(id, (session) => session.rows({ ...query, limit: 10_000 }));
    expect(rows.length).toBeGreaterThan(0);
    const lines = place.warehouse.lines(id, query, columns);
    expect(lines).toBeDefined();
    const pieces: Buffer[] = [];
    for await (const piece of lines ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(rowsText('ndjson', columns, rows));
  });

  test.each(['lines', 'answers'] as const)(
    'Rows that the engine writes as JSON itself break off with an error when a later part fails, as %s',
    async (way) => {
      const { query, columns } = asked();
      const parts = way === 'lines' ? place.warehouse.lines(id, query, columns) : place.warehouse.answers(id, query);
      let isFirst = true;
      const read = async () => {
        for await (const _ of parts ?? []) {
          // What is left to write has nowhere to go.
          if (isFirst) rmSync(copyFolder(), { recursive: true });
          isFirst = false;
        }
      };
      const copyFolder = () =>
        join(place.place, readdirSync(place.place).find((name) => name.startsWith('copy-')) ?? '');
      await expect(read()).rejects.toThrow();
      expect(isFirst).toBe(false);
      expect(readdirSync(place.place).filter((name) => name.startsWith('copy-'))).toEqual([]);
    },
  );

  test('Rows that the engine writes as JSON itself are left to us where the engine spells a value in its own way', () => {
    const { query, columns } = asked('files');
    expect(place.warehouse.lines(id, query, columns)).toBeUndefined();
  });
});
