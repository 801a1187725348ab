import { expect, test } from 'vitest';
import { inCsv, inJq, inTypeScript, isPicked, type PickedBy, zoneOf } from '../../../web/src/ask/picked-rows.ts';

const failed: PickedBy = { column: 'status', is: 'equal', to: 'failure' };
const production: PickedBy = { column: 'is_production', is: 'equal', to: 'true' };
const rows = [
  { status: 'failure', is_production: true, rate: 0, reason: null },
  { status: 'success', is_production: true, rate: 1, reason: null },
  { status: 'failure', is_production: false, rate: null, reason: 'a "bad", day' },
];

test('rows are picked by what they hold, by whether they hold anything, and true is true', () => {
  const pick = (...by: PickedBy[]) => rows.flatMap((row, at) => (by.every((one) => isPicked(row, one)) ? at : []));
  expect(pick(failed)).toEqual([0, 2]);
  expect(pick(failed, production)).toEqual([0]);
  expect(pick({ column: 'rate', is: 'present' })).toEqual([0, 1]);
  expect(pick({ column: 'reason', is: 'empty' })).toEqual([0, 1]);
});

test('the same conditions can be run elsewhere', () => {
  const conditions: PickedBy[] = [failed, production, { column: 'rate', is: 'present' }];
  const picks = new Function('row', `return ${conditions.map(inTypeScript).join(' && ')}`);
  expect(rows.filter((row) => picks(row))).toEqual([rows[0]]);
  expect(conditions.map(inJq)).toEqual([
    '(.status | tostring) == "failure"',
    '(.is_production | tostring) == "true"',
    '.rate != null',
  ]);
});

test('rows are picked by the range of a number, and by the weekday of a time zone, here and elsewhere', () => {
  const within: PickedBy = { column: 'took', is: 'within', from: 0, until: 60 };
  // Half past eleven in the evening of a summer Sunday in UTC is Monday in London.
  const monday: PickedBy = { column: 'at', is: 'weekday', day: 0, zone: 'Europe/London' };
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
  ] as const) {
    const elsewhere = new Function('row', `return ${inTypeScript(by)}`);
    expect(some.flatMap((row, at) => (isPicked(row, by) ? at : []))).toEqual(meant);
    expect(some.flatMap((row, at) => (elsewhere(row) ? at : []))).toEqual(meant);
  }
  expect(inJq(within)).toBe('.took >= 0 and .took < 60');
  expect(inJq(monday)).toBe('.at != null and (.at[:19] + "Z" | fromdate | localtime | .[6]) == 1');
  expect([zoneOf([within, monday]), zoneOf([within])]).toEqual(['Europe/London', undefined]);
});

test('a file of picked rows quotes what needs it', () => {
  expect(inCsv(rows.slice(1))).toBe(
    'status,is_production,rate,reason\nsuccess,true,1,\nfailure,false,,"a ""bad"", day"\n',
  );
  expect(inCsv([])).toBe('\n');
});
