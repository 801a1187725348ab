import { expect, test } from 'vitest';
import { teamMembersCopy, teamsCopy } from '../../../src/catalogue/directory-copies.ts';
import { RowsByKey } from '../../../src/ingest/publish/publish.ts';

test('Rows are found by all columns of their key, each once, and the rest is what nobody asked for', () => {
  const [a, b, c] = [
    { team_id: 't1', merged_user_id: 'u1' },
    { team_id: 't1', merged_user_id: 'u2' },
    { team_id: 't2', merged_user_id: 'u1' },
  ];
  const rows = new RowsByKey(teamMembersCopy, [a, b, c]);
  expect(rows.take({ team_id: 't2', merged_user_id: 'u2' })).toBeUndefined();
  expect(rows.take({ ...c })).toBe(c);
  expect(rows.take({ ...c })).toBeUndefined();
  expect(rows.rest()).toEqual([a, b]);
});

test('A key of one column is found by it', () => {
  const [one, two] = [{ team_id: 't1' }, { team_id: 't2' }];
  const rows = new RowsByKey(teamsCopy, [one, two]);
  expect(rows.take({ team_id: 't2' })).toBe(two);
  expect(rows.rest()).toEqual([one]);
});
