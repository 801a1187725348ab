import { expect, test } from 'vitest';
import type { HeatMapChart } from '../../src/charts/chart-description.ts';
import { lightTheme } from '../../src/charts/chart-theme.ts';
import { heatMapOption } from '../../src/charts/heat-map-option.ts';

const chart: HeatMapChart = {
  kind: 'heat-map',
  title: 'Reviews',
  measure: 'count',
  columns: [{ label: '9' }, { label: '10' }, { label: '11' }],
  rows: [{ label: 'Mon' }],
  cells: [[{ value: 0 }, { value: 1 }, { value: 70 }]],
};

/** What is drawn for each cell. */
const drawnCells = (cells: readonly number[]) => drawnPoints({ cells: [cells.map((value) => ({ value }))] });

function drawnPoints(part: Pick<HeatMapChart, 'cells' | 'isLogarithmic'>): readonly unknown[] {
  const described = { ...chart, ...part };
  const { series } = heatMapOption(described, lightTheme, { width: 600, right: 0 }) as {
    readonly series: readonly [
      { readonly data: readonly number[][]; readonly renderItem: (_: unknown, api: object) => unknown },
    ];
  };
  const [{ data, renderItem }] = series;
  return data.map((place) =>
    renderItem(undefined, { value: (at: number) => place[at], coord: () => [50, 50], size: () => [20, 10] }),
  );
}

const [palest, darkest] = [{ fill: lightTheme.sequential[0] }, { fill: lightTheme.sequential.at(-1) }];

test('Nothing is outlined, a little is the palest colour, and the most the darkest', () => {
  expect(drawnCells([0, 1, 70])).toMatchObject([
    { style: { fill: lightTheme.surface, stroke: lightTheme.border } },
    { style: palest, shape: { width: 17, height: 7 } },
    { style: darkest },
  ]);
});

test('The colours go from the lowest value to the highest, as the scale below says', () => {
  expect(drawnCells([60, 65, 70])).toMatchObject([
    { style: palest },
    { style: { fill: lightTheme.sequential[Math.ceil(lightTheme.sequential.length / 2) - 1] } },
    { style: darkest },
  ]);
  expect(drawnCells([7, 0, 7])).toMatchObject([
    { style: darkest },
    { style: { fill: lightTheme.surface } },
    { style: darkest },
  ]);
});

test('A value of too few rows is outlined, and no end of the scale', () => {
  const cells = [
    [
      { value: 900, n: 4 },
      { value: 60, n: 5 },
      { value: 70, n: 9 },
    ],
  ];
  expect(drawnPoints({ cells })).toMatchObject([
    { style: { fill: lightTheme.surface, stroke: lightTheme.border } },
    { style: palest },
    { style: darkest },
  ]);
});

test('On a logarithmic scale equal factors are equally many colours', () => {
  const cells = [[{ value: 1 }, { value: 30 }, { value: 900 }]];
  const middle = { fill: lightTheme.sequential[Math.ceil(lightTheme.sequential.length / 2) - 1] };
  const styles = [{ style: palest }, { style: middle }, { style: darkest }];
  expect(drawnPoints({ cells, isLogarithmic: true })).toMatchObject(styles);
  expect(drawnPoints({ cells })).toMatchObject([{ style: palest }, { style: palest }, { style: darkest }]);
});
