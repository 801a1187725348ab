import { expect, test } from 'vitest';
import type { CategoryChart, ChartAnnotation } from '../../src/charts/chart-description.ts';
import { optionOf } from '../../src/charts/chart-option.ts';
import { lightTheme } from '../../src/charts/chart-theme.ts';
import { drawSvg } from '../../src/charts/draw-svg.ts';
import { drawnChart } from '../../src/charts/drawn-chart.ts';
import { goalGutter } from '../../src/charts/mark-lines.ts';

const categories = Array.from({ length: 10 }, (_, at) => ({ label: `${at + 1} Jun`, name: `${at + 1} Jun 2024` }));
const chart = (more: Partial<CategoryChart> = {}): CategoryChart => ({
  kind: 'line',
  title: 'First review wait',
  measure: 'duration',
  categories,
  series: [{ name: 'Median', points: categories.map((_, at) => ({ value: 3_600 * (at + 1), n: 20 })) }],
  ...more,
});
const flags = (...all: readonly (readonly [number, string])[]): ChartAnnotation[] =>
  all.map(([category, title]) => ({ category, title, days: '2 Jun', kind: 'other' }));

interface DrawnLine {
  readonly yAxis?: number;
  readonly xAxis?: number;
  readonly lineStyle: { readonly color: string; readonly type: readonly number[] };
  readonly label: {
    readonly formatter: string;
    readonly distance?: number;
    readonly position: string;
    readonly offset?: number[];
  };
}
interface DrawnOption {
  readonly grid: { readonly top: number; readonly right: number };
  readonly yAxis: { readonly min: number; readonly max: number };
  readonly series: readonly { readonly markLine?: { readonly z: number; readonly data: readonly DrawnLine[] } }[];
}
const drawn = (more: Partial<CategoryChart>, right = 0) => {
  const option = optionOf(chart(more), lightTheme, { width: 700, right }) as unknown as DrawnOption;
  const marks = option.series.flatMap(({ markLine }) => markLine ?? []);
  return { ...option, marks, lines: marks.flatMap(({ data }) => data) };
};

test('A goal is a dashed line in the colour of texts with its value in the gutter, before the marks', () => {
  const { lines, marks, yAxis } = drawn({ goals: [{ value: 43_200, title: 'Half a day' }] });
  expect(lines).toMatchObject([
    {
      yAxis: 43_200,
      lineStyle: { color: lightTheme.text, type: [5, 4] },
      label: { formatter: 'Goal 12h', position: 'end' },
    },
  ]);
  expect(marks[0]?.z).toBeGreaterThan(3);
  expect(yAxis.max).toBeGreaterThanOrEqual(43_200);
  expect(goalGutter(chart({ goals: [{ value: 43_200, title: 'Half a day' }] }))).toBeGreaterThan(50);
  expect(goalGutter(chart())).toBe(0);
});

test('A goal far above every value stands at the edge and says so', () => {
  const { lines, yAxis } = drawn({ goals: [{ value: 3_000_000, title: 'Far' }] });
  expect(yAxis.max).toBe(43_200);
  expect(lines).toMatchObject([{ yAxis: 43_200, label: { formatter: 'Goal 34d 17h ↑' } }]);
});

test('Labels of goals that lie close to one another are moved apart', () => {
  const { lines } = drawn({
    goals: [36_000, 36_600, 3_600].sort((a, b) => a - b).map((value) => ({ value, title: 'x' })),
  });
  const shifts = lines.map(({ label }) => label.offset?.[1] ?? 0);
  expect(shifts[0]).toBe(0);
  expect((shifts[1] ?? 0) - (shifts[2] ?? 0)).toBeGreaterThanOrEqual(12);
});

test('Annotations are flags above the chart, with a dotted line behind the marks', () => {
  const long = 'Load tests were moved to the night, and so were all the others';
  const { marks, lines, grid } = drawn({ annotations: flags([2, 'Ledger split'], [8, long]) });
  expect(lines.map(({ xAxis, label }) => [xAxis, label.formatter])).toEqual([
    [2, 'Ledger split'],
    [8, 'Load tests were moved to the night, and…'],
  ]);
  expect(lines.every(({ lineStyle }) => lineStyle.type.join() === '2,3')).toBe(true);
  expect(marks[0]?.z).toBeLessThan(2);
  expect(grid.top).toBeGreaterThan(drawn({}).grid.top + 18);
});

test('Flags that would cover one another stand in rows', () => {
  const rows = (...all: readonly (readonly [number, string])[]) =>
    drawn({ annotations: flags(...all) }).lines.map(({ label }) => label.distance);
  const [low, high, again] = rows([2, 'Ledger split begins'], [3, 'Merge queue is on'], [9, 'Something else']);
  expect(high).toBeGreaterThan((low ?? 0) + 17);
  expect(again).toBe(low);
});

test('More than four annotations are numbers, and the picture lists them', () => {
  const five = flags([0, 'One'], [3, 'Two'], [3, 'Three'], [3, 'Four'], [9, 'Five']);
  expect(drawn({ annotations: five }).lines.map(({ label }) => label.formatter)).toEqual(['1', '2–4', '5']);
  const svg = drawSvg(chart({ annotations: five }));
  for (const [at, title] of ['One', 'Two', 'Three', 'Four', 'Five'].entries())
    expect(svg).toContain(`${at + 1}  2 Jun  ${title}`);
  const heightOf = (text: string) => Number(/ height="(\d+)"/.exec(text)?.[1]);
  expect(heightOf(svg)).toBeGreaterThan(heightOf(drawSvg(chart())) + 5 * 16);
  const many = drawSvg(
    chart({ annotations: flags(...Array.from({ length: 20 }, (_, at) => [at % 10, `Event ${at}`] as const)) }),
  );
  expect(many).toContain('8 earlier not listed');
  expect(many).toContain('20  2 Jun  Event 19');
});

test('A picture says its goals and annotations to readers who do not see them', () => {
  const svg = drawSvg(
    chart({ goals: [{ value: 43_200, title: 'Half <a> day' }], annotations: flags([2, 'Ledger split']) }),
  );
  expect(svg).toContain('<title>First review wait: Goal 12h (Half &lt;a&gt; day): 2 Jun: Ledger split</title>');
  expect(svg).toContain('>Goal 12h<');
  expect(svg).toContain('>Ledger split<');
});

test('A chart that begins with its first whole period moves its annotations along', () => {
  const cut = [{ label: '31 May', isCutAtStart: true, part: 'from 31 May' }, ...categories];
  const series = [{ name: 'Median', points: cut.map(() => ({ value: 60 })) }];
  const described = chart({ categories: cut, series, annotations: flags([0, 'Before'], [3, 'Within']) });
  expect(drawnChart(described).chart.annotations).toEqual(flags([2, 'Within']));
});
