import { expect, test } from 'vitest';
import type { ChartSeries } from '../../../src/charts/chart-description.ts';
import { seriesColour } from '../../../src/charts/chart-theme.ts';

const series = (name: string, more: Partial<ChartSeries> = {}): ChartSeries => ({ name, points: [], ...more });
const colours = (all: readonly ChartSeries[]) => all.map((_, at) => seriesColour(all, at));

test('A series without a colour of its own takes one that no other has', () => {
  expect(colours([series('known', { colour: 2 }), series('a'), series('b'), series('c')])).toEqual([2, 1, 3, 4]);
});

test('The window before and the others are grey, and a line above bars is no series of its own', () => {
  const all = [
    series('now', { colour: 3 }),
    series('before', { role: 'before' }),
    series('rest', { role: 'others' }),
    series('median', { role: 'line' }),
  ];
  expect(colours(all)).toEqual([3, 'others', 'others', 'text']);
});
