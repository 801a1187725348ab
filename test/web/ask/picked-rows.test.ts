import { expect, test } from 'vitest';
import { inCsv, inJq, inTypeScript, isPicked, type PickedBy } from '../../../web/src/ask/picked-rows.ts';

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

test('a file of picked rows quotes what needs it', () => {
  expect(inCsv(rows.slice(1))).toBe(
    'status,is_production,rate,reason\nsuccess,true,1,\nfailure,false,,"a ""bad"", day"\n',
  );
  expect(inCsv([])).toBe('\n');
});
