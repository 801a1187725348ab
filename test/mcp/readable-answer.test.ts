import { expect, test } from 'vitest';
import { readableAnswer, textOf } from '../../src/mcp/readable-answer.ts';

const rows = Array.from({ length: 150 }, (_, n) => ({ name: `${n} ${'x'.repeat(300)}` }));

test('Notes that would leave no room for rows are left out', () => {
  const categories = Array.from({ length: 9_000 }, (_, n) => `2024-${n}`);
  expect(readableAnswer({ rows, notes: { categories } })).toEqual({
    rows,
    truncated: false,
    total_rows: 150,
    notes_left_out: true,
  });
});

test('A row that is too large by itself is said to be', () => {
  const row = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`column_${n}`, 'x'.repeat(2_000)]));
  expect(readableAnswer({ rows: [row] })).toMatchObject({
    rows: [],
    truncated: true,
    hint: expect.stringContaining('The first row alone is larger'),
  });
});

test('The text of a whole answer is marked as truncated where it has only some of the rows', () => {
  const answer = readableAnswer({ rows, notes: { suppressed: 3, categories: ['y'.repeat(1_900)] } });
  expect(answer.truncated).toBe(false);
  const text = textOf(answer);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  const { rows: some, ...said } = JSON.parse(text) as typeof answer;
  expect(some).toEqual(rows.slice(0, some.length));
  expect(some.length).toBeGreaterThan(45);
  expect(said).toMatchObject({ truncated: true, total_rows: 150, suppressed: 3 });
});
