import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldType } from '../../../src/catalogue/record.ts';
import type { Cell } from '../../../src/query/plan.ts';
import { cellReader, cellWriter, isoDuration } from '../../../src/query/shape/cell.ts';

describe('a cell', () => {
  test.each([
    ['timestamp', 1_706_695_200, '2024-01-31T10:00:00Z'],
    ['timestamp', 0, '1970-01-01T00:00:00Z'],
    ['timestamp', -1, '1969-12-31T23:59:59Z'],
    ['timestamp', 1_709_251_199, '2024-02-29T23:59:59Z'],
    ['duration', 93_845, 'PT26H4M5S'],
    ['date', '2024-01-31', '2024-01-31'],
    ['text', 'a "quoted" title', 'a "quoted" title'],
    ['text', '', ''],
    ['integer', 7, 7],
    ['number', 0.1, 0.1],
    ['boolean', false, false],
    ['text[]', '["Core", "Web"]', ['Core', 'Web']],
    ['text[]', '[]', []],
    ['json', '{"b": 1.0, "a": [null]}', { b: 1, a: [null] }],
    ['json', '"just text"', 'just text'],
  ] as const)('of type %s that holds %j is shown as %j', (type, cell, shown) => {
    expect(cellReader(type)(cell)).toEqual(shown);
    expect(cellWriter(type)(cell)).toBe(JSON.stringify(shown));
  });

  const types: FieldType[] = [
    'text',
    'integer',
    'number',
    'boolean',
    'timestamp',
    'date',
    'duration',
    'text[]',
    'json',
  ];
  test.each(types)('A cell of type %s that holds nothing is null', (type) => {
    expect(cellReader(type)(null)).toBeNull();
    expect(cellWriter(type)(null)).toBe('null');
  });

  test('A cell is written exactly as JSON.stringify writes what is read', () => {
    const cells: Readonly<Record<FieldType, fc.Arbitrary<Cell>>> = {
      text: fc.string({ unit: 'binary' }),
      integer: fc.maxSafeInteger(),
      number: fc.double(),
      boolean: fc.boolean(),
      timestamp: fc.integer({ min: -62_000_000_000, max: 250_000_000_000 }),
      date: fc.constant('2024-02-29'),
      duration: fc.integer({ min: 0, max: 10_000_000 }),
      'text[]': fc.array(fc.string({ unit: 'binary' })).map((list) => JSON.stringify(list, null, 1)),
      json: fc.json(),
    };
    for (const type of types) {
      // One writer for all, as for the rows of an answer: what it remembers must not show.
      const [read, write] = [cellReader(type), cellWriter(type)];
      fc.assert(
        fc.property(fc.option(cells[type]), (cell) => {
          expect(write(cell)).toBe(JSON.stringify(read(cell)));
        }),
      );
    }
  });

  test('A cell with a time is what the calendar says, for every second', () => {
    const read = cellReader('timestamp');
    fc.assert(
      fc.property(fc.integer({ min: -62_000_000_000, max: 250_000_000_000 }), (seconds) => {
        expect(read(seconds)).toBe(new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z'));
      }),
      { numRuns: 2_000 },
    );
  });

  test('A cell is still right when more has been seen than is remembered', () => {
    const lists = cellWriter('text[]');
    const times = cellWriter('timestamp');
    for (let i = 0; i < 12_000; i += 1) {
      expect(lists(`[ "${i}" ]`)).toBe(`["${i}"]`);
      times(i * 86_400);
    }
    expect(lists('[ "0" ]')).toBe('["0"]');
    expect(times(86_400)).toBe('"1970-01-02T00:00:00Z"');
  });
});

describe('a duration', () => {
  test.each([
    [0, 'PT0S'],
    [5, 'PT5S'],
    [60, 'PT1M'],
    [3_600, 'PT1H'],
    [3_605, 'PT1H5S'],
    [172_800, 'PT48H'],
    [93_845, 'PT26H4M5S'],
    [1.5, 'PT1.5S'],
    [59.99999, 'PT1M'],
    [-65, '-PT1M5S'],
  ])('A duration of %d seconds is %s', (seconds, text) => {
    expect(isoDuration(seconds)).toBe(text);
  });

  test('A duration says as many seconds as there are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), (seconds) => {
        const [, hours, minutes, rest] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(isoDuration(seconds)) ?? [];
        expect(Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0)).toBe(seconds);
        expect(Number(minutes ?? 0)).toBeLessThan(60);
        expect(Number(rest ?? 0)).toBeLessThan(60);
      }),
    );
  });
});
