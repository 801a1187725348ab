import { describe, expect, test } from 'vitest';
import type { CategoryChart, ChartMark } from '../../src/charts/chart-description.ts';
import { optionOf } from '../../src/charts/chart-option.ts';
import { lightTheme, paled } from '../../src/charts/chart-theme.ts';

const categories = ['3 Nov', '10 Nov', '17 Nov'].map((label) => ({ label }));
const points = [1, 2, 3].map((value) => ({ value }));
const chart = (kind: CategoryChart['kind']): CategoryChart => ({
  kind,
  title: 'Cycle time',
  measure: 'number',
  categories,
  series: [
    { name: 'Checkout', colour: 1, points },
    { name: 'Ledger', colour: 2, points },
  ],
});

interface Drawn {
  readonly lineStyle?: { readonly color?: string; readonly opacity?: number };
  readonly data: readonly (null | {
    readonly value: number;
    readonly symbolSize?: number;
    readonly itemStyle?: { readonly color: string };
  })[];
}
const drawn = (kind: CategoryChart['kind'], lit?: ChartMark) =>
  optionOf(chart(kind), lightTheme, { width: 800, right: 0, lit }) as unknown as {
    readonly series: readonly Drawn[];
    readonly xAxis: {
      readonly splitLine?: {
        readonly interval: (at: number) => boolean;
        readonly showMinLine: boolean;
        readonly showMaxLine: boolean;
      };
    };
  };
const [first, second] = [lightTheme.series[0] ?? '', lightTheme.series[1] ?? ''];
const pale = (colour: string) => paled(colour, lightTheme);

describe('the mark whose records are open', () => {
  test('Its line keeps its colour and has a dot and a line through it, and other lines are pale', () => {
    const { series, xAxis } = drawn('line', { series: 0, category: 1 });
    expect(series.map(({ lineStyle }) => lineStyle?.color ?? lineStyle?.opacity)).toEqual([first, pale(second), 0]);
    expect(series[2]?.data.map((point) => point?.value ?? null)).toEqual([null, 2, null]);
    expect(series[2]?.data[1]?.itemStyle?.color).toBe(first);
    expect([0, 1, 2].map((at) => xAxis.splitLine?.interval(at))).toEqual([false, true, false]);
    expect([xAxis.splitLine?.showMinLine, xAxis.splitLine?.showMaxLine]).toEqual([false, false]);
  });

  test('Of bars it alone keeps its colour', () => {
    const colours = drawn('stacked-bar', { series: 1, category: 2 }).series.map(({ data }) =>
      data.map((point) => point?.itemStyle?.color),
    );
    expect(colours).toEqual([Array(3).fill(pale(first)), [pale(second), pale(second), second]]);
  });

  test('Without it everything has its colour', () => {
    const { series, xAxis } = drawn('line');
    expect(series.map(({ lineStyle }) => lineStyle?.color)).toEqual([first, second]);
    expect(xAxis.splitLine).toBeUndefined();
  });

  test('Pale is a third of the colour over the card, as tokens write it and as browsers do', () => {
    const on = (surface: string) => ({ ...lightTheme, surface });
    expect(paled('#000000', on('#ffffff'))).toBe('rgb(173, 173, 173)');
    expect(paled('rgb(0, 100, 200)', on('rgb(0, 0, 0)'))).toBe('rgb(0, 32, 64)');
  });
});
