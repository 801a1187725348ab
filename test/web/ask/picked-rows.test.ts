import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsText } from '../../../src/formats/text.ts';
import { flatColumns } from '../../../src/query/answer-columns.ts';
import type { AnswerRow } from '../../../src/query/plan.ts';
import { inCsv, inJq, inTypeScript, isPicked, type PickedBy, zoneOf } from '../../../web/src/ask/picked-rows.ts';
import { asking } from '../../query/some-asking.ts';

const failed: PickedBy = { column: 'status', is: 'equal', to: 'failure' };
const production: PickedBy = { column: 'is_production', is: 'equal', to: 'true' };
const rows = [
  { status: 'failure', is_production: true, rate: 0, reason: null },
  { status: 'success', is_production: true, rate: 1, reason: null },
  { status: 'failure', is_production: false, rate: null, reason: 'a "bad", day' },
];

test('Rows are picked by what they hold, by whether they hold anything, and true is true', () => {
  const pick = (...by: PickedBy[]) => rows.flatMap((row, at) => (by.every((one) => isPicked(row, one)) ? at : []));
  expect(pick(failed)).toEqual([0, 2]);
  expect(pick(failed, production)).toEqual([0]);
  expect(pick({ column: 'rate', is: 'present' })).toEqual([0, 1]);
  expect(pick({ column: 'reason', is: 'empty' })).toEqual([0, 1]);
});

test('The same conditions can be run elsewhere', () => {
  const conditions: PickedBy[] = [failed, production, { column: 'rate', is: 'present' }];
  const picks = new Function('row', `return ${conditions.map(inTypeScript).join(' && ')}`);
  expect(rows.filter((row) => picks(row))).toEqual([rows[0]]);
  expect(conditions.map(inJq)).toEqual([
    '(.status | tostring) == "failure"',
    '(.is_production | tostring) == "true"',
    '.rate != null',
  ]);
});

test('Rows are picked by the range of a number, and by the weekday and the hour of a time zone, here and elsewhere', () => {
  const within: PickedBy = { column: 'took', is: 'within', from: 0, until: 60 };
  // Half past eleven in the evening of a summer Sunday in UTC is Monday in London.
  const monday: PickedBy = { column: 'at', is: 'weekday', day: 0, zone: 'Europe/London' };
  const midnight: PickedBy = { column: 'at', is: 'hour', hour: 0, zone: 'Europe/London' };
  const some = [
    { took: 0, at: '2026-07-05T23:30:00Z' },
    { took: 59, at: '2026-07-06T23:30:00Z' },
    { took: 60, at: '2026-07-06T22:30:00Z' },
    { took: null, at: null },
  ];
  for (const [by, meant] of [
    [within, [0, 1]],
    [{ ...within, until: null }, [0, 1, 2]],
    [monday, [0, 2]],
    [midnight, [0, 1]],
  ] as const) {
    const elsewhere = new Function('row', `return ${inTypeScript(by)}`);
    expect(some.flatMap((row, at) => (isPicked(row, by) ? at : []))).toEqual(meant);
    expect(some.flatMap((row, at) => (elsewhere(row) ? at : []))).toEqual(meant);
  }
  expect(inJq(within)).toBe('.took >= 0 and .took < 60');
  expect(inJq(monday)).toBe('.at != null and (.at[:19] + "Z" | fromdate | localtime | .[6]) == 1');
  expect(inJq(midnight)).toBe('.at != null and (.at[:19] + "Z" | fromdate | localtime | .[3]) == 0');
  expect([zoneOf([within, monday]), zoneOf([midnight]), zoneOf([within])]).toEqual([
    'Europe/London',
    'Europe/London',
    undefined,
  ]);
});

describe('a file of picked rows', () => {
  const columns = flatColumns(
    asking({
      of: 'pull-requests-count',
      by: ['pr_title', 'pr_created_at', 'team_names', 'is_promotion_pr', 'additions', 'ai_pct_of_code'],
    }).columns,
  );
  /** The same rows, asked for as JSON and picked here, and asked for as CSV. */
  const bothFiles = (answer: readonly AnswerRow[]) => ({
    picked: inCsv(JSON.parse(rowsText('json', columns, answer))),
    answered: rowsText('csv', columns, answer),
  });
  const titled = (title: string | null): AnswerRow => [title, 1_706_695_200, '["=1+1", "Web"]', true, -3, 0.25, 1];

  test('A file of picked rows keeps a spreadsheet from running a title, and quotes what needs it', () => {
    const { picked, answered } = bothFiles(
      ['=1+1', 'a "bad", day', 'two\nlines', ' at the ends ', '', null].map(titled),
    );
    const rest = '2024-01-31T10:00:00Z,"[""=1+1"",""Web""]",true,-3,0.25,1';
    expect(picked).toBe(
      [
        'date_level_not_set,pr_title,pr_created_at,team_names,is_promotion_pr,additions,ai_pct_of_code,pr_count',
        ...["'=1+1", '"a ""bad"", day"', '"two\nlines"', '" at the ends "', '""', ''].map(
          (one) => `true,${one},${rest}`,
        ),
        '',
      ].join('\r\n'),
    );
    expect(picked).toBe(answered);
  });

  test('A file of picked rows has the bytes that the server writes, whatever the rows hold', () => {
    const start = fc.constantFrom('', "'", '=', "'=", '-', '@', '+', '\t', '\r', '\n', ' ', '"', ',', '＝');
    const title = fc.tuple(start, fc.string({ unit: 'binary' })).map(([before, text]) => before + text);
    const row = fc.tuple(
      fc.option(title),
      fc.option(fc.integer({ min: 0, max: 4_000_000_000 })),
      fc.option(fc.array(title).map((teams) => JSON.stringify(teams))),
      fc.option(fc.boolean()),
      fc.option(fc.integer()),
      fc.option(fc.double()),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (answer) => {
        const { picked, answered } = bothFiles(answer);
        expect(picked).toBe(answered);
      }),
      { seed: 11 },
    );
  });

  test('A file of picked rows of no rows is a line without names', () => {
    expect(inCsv([])).toBe('\r\n');
  });
});
