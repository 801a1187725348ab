import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sortedRows } from '../../../web/src/view/sorted-rows.ts';

const folder = join(import.meta.dirname, '../../../web/src');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));

/** The text between the braces that hold a place. */
function objectAround(text: string, place: number): string {
  let [start, open] = [place, 0];
  while (start > 0 && open < 1) {
    start -= 1;
    open += { '{': 1, '}': -1 }[text[start] ?? ''] ?? 0;
  }
  let end = start + 1;
  for (open = 1; end < text.length && open > 0; end += 1) open += { '{': 1, '}': -1 }[text[end] ?? ''] ?? 0;
  return text.slice(start, end);
}

const columnsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=[{,]\s*)cell: /g)].map(({ index }) => objectAround(text, index));

/** `18 Nov, 14:05` is behind `4 Dec, 09:00` among words, and before it in time. */
const writesTimes = /\b(?:shownTime|shownDate|shownDay|cellText|nameOfBucket|ending)\b/;

test('A column of times is sorted by the moments, not by how they are written', () => {
  const all = files.flatMap((file) =>
    columnsIn(readFileSync(join(folder, file), 'utf8'))
      .filter((column) => writesTimes.test(column))
      .map((column) => ({ file, column })),
  );
  expect(all.length).toBeGreaterThan(15);
  expect(all.filter(({ column }) => !column.includes('sortBy'))).toEqual([]);
});

test('Moments as they are stored are in the order of time, whichever way they are written', () => {
  const rows = ['2026-12-04T09:00:00.000Z', '2026-11-18T14:05:00.000Z', '2025-12-31T23:00:00.000Z'].map((at) => ({
    at,
  }));
  const column = { name: 'At', cell: () => 'in words', sortBy: ({ at }: { readonly at: string }) => at };
  expect(sortedRows(rows, column, { column: 'At', direction: 'ascending' })).toEqual(rows.toReversed());
});
