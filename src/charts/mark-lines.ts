import { type ChartRoom, fontSize } from './chart-axes.ts';
import type { BandChart, CategoryChart, ChartAnnotation, ChartDescription, ChartGoal } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { drawnWords } from './drawn-words.ts';
import { shown } from './shown-value.ts';

type MarkedChart = Pick<CategoryChart | BandChart, 'goals' | 'annotations' | 'measure' | 'categories'>;

/** A chart of categories that may have marks; undefined for the other kinds. */
export const markedChart = (chart: ChartDescription): CategoryChart | BandChart | undefined =>
  chart.kind === 'heat-map' || chart.kind === 'scatter' ? undefined : chart;

/** More flags with titles would hide one another: they have numbers, and a list says what each stands for. */
const maxTitles = 4;
const maxTitleLength = 40;
/** Of more annotations, only the latest are listed. */
const maxListed = 12;

/** About how wide a character is. */
const characterWidth = 0.56 * fontSize;
const flag = { height: 18, padding: 6 } as const;

export const goalLabel = ({ value }: ChartGoal, { measure }: Pick<MarkedChart, 'measure'>): string =>
  drawnWords.goal(shown(value, measure));

const maxGutter = 120;

/** How much room the labels of goals need on the right. */
export function goalGutter(chart: ChartDescription): number {
  const marked = markedChart(chart);
  const labels = marked?.goals?.map((goal) => goalLabel(goal, marked).length + 2) ?? [];
  return labels.length === 0 ? 0 : Math.min(maxGutter, Math.ceil(Math.max(...labels) * characterWidth) + 8);
}

/** So many times as high as every value, a goal would press the chart flat. It stands at the edge then. */
const maxTimesValues = 4;

/** The goals that the axis has to show, for charts whose values are these. */
export function goalsWithin({ goals = [] }: MarkedChart, values: readonly number[]): number[] {
  const high = Math.max(0, ...values);
  return goals.flatMap(({ value }) => (high === 0 || value <= maxTimesValues * high ? value : []));
}

/** A flag over the chart: the title of an annotation, or the numbers of some. */
interface Flag {
  readonly category: number;
  readonly text: string;
  /** From the lowest up, so that no flag covers another. */
  readonly row: number;
}

/** The annotations of a chart, numbered where they are many. */
interface NumberedAnnotation extends ChartAnnotation {
  readonly number: number;
}

/** The list that says what the numbers of flags stand for; empty where the flags have titles. */
export function listedAnnotations({
  annotations = [],
}: Pick<MarkedChart, 'annotations'>): readonly NumberedAnnotation[] {
  if (annotations.length <= maxTitles) return [];
  return annotations.map((one, at) => ({ ...one, number: at + 1 })).slice(-maxListed);
}

const cutTitle = (title: string): string =>
  [...title].length > maxTitleLength
    ? `${[...title]
        .slice(0, maxTitleLength - 1)
        .join('')
        .trimEnd()}…`
    : title;

function flagsOf(chart: MarkedChart, room: ChartRoom): readonly Flag[] {
  const { annotations = [], categories } = chart;
  const listed = listedAnnotations(chart);
  const texts = new Map<number, string[]>();
  if (listed.length === 0) {
    return inRows(
      annotations.map(({ category, title }) => ({ category, text: cutTitle(title) })),
      (room.width - room.right - 60) / Math.max(1, categories.length),
    );
  }
  for (const { category, number } of listed) texts.set(category, [...(texts.get(category) ?? []), String(number)]);
  return [...texts].map(([category, numbers]) => {
    const [first = '', last = first] = [numbers[0], numbers.at(-1)];
    return { category, text: numbers.length > 2 ? `${first}–${last}` : numbers.join(', '), row: 0 };
  });
}

/** Each flag in the lowest row in which it covers no other one. */
function inRows(flags: readonly Omit<Flag, 'row'>[], perCategory: number): readonly Flag[] {
  const ends: number[] = [];
  return flags.map((one) => {
    const half = (one.text.length * characterWidth) / 2 + flag.padding + 4;
    const middle = one.category * perCategory;
    const free = ends.findIndex((end) => end <= middle - half);
    const row = free === -1 ? ends.length : free;
    ends[row] = middle + half;
    return { ...one, row };
  });
}

/** How much room flags need above the chart. */
export function roomForFlags(chart: MarkedChart, room: ChartRoom): number {
  const rows = flagsOf(chart, room).map(({ row }) => row + 1);
  return rows.length === 0 ? 0 : Math.max(...rows) * (flag.height + 2) + 6;
}

/** Room on the right that has names of series in it, and none for goals. */
const roomWithNames = 128;

/** The lines of goals and the flags of annotations, as a series without values that the drawing library draws them with. */
export function markSeries(chart: MarkedChart, theme: ChartTheme, room: ChartRoom, highest: number): object[] {
  const { goals = [] } = chart;
  const flags = flagsOf(chart, room);
  if (goals.length === 0 && flags.length === 0) return [];
  const lines = goals.map((goal, at) => {
    const isAbove = goal.value > highest;
    return {
      yAxis: Math.min(goal.value, highest),
      lineStyle: { color: theme.text, width: 1.5, type: [5, 4] },
      label: {
        show: true,
        position: room.right >= roomWithNames ? 'insideEndTop' : 'end',
        formatter: `${goalLabel(goal, chart)}${isAbove ? ' ↑' : ''}`,
        offset: [0, labelShift(goals, at, highest)],
        color: theme.text,
        fontSize,
        fontFamily: theme.font,
      },
    };
  });
  const stems = flags.map(({ category, text, row }) => ({
    xAxis: category,
    lineStyle: { color: theme.secondary, width: 1, type: [2, 3] },
    label: {
      show: true,
      position: 'end',
      distance: 4 + row * (flag.height + 2),
      formatter: text,
      color: theme.secondary,
      backgroundColor: theme.sunken,
      borderColor: theme.border,
      borderWidth: 1,
      borderRadius: 5,
      padding: [2, flag.padding + 1],
      fontSize: 11,
      fontFamily: theme.font,
    },
  }));
  const drawn = (data: readonly object[], z: number) => ({
    type: 'line',
    silent: true,
    data: [],
    markLine: { silent: true, symbol: 'none', animation: false, z, data },
  });
  // The stems of flags are behind the marks, lines of goals before them.
  return [...(stems.length > 0 ? [drawn(stems, 1)] : []), ...(lines.length > 0 ? [drawn(lines, 5)] : [])];
}

/** Labels of goals whose lines lie close to one another are moved apart. */
function labelShift(goals: readonly ChartGoal[], at: number, highest: number): number {
  const own = goals[at]?.value ?? 0;
  const close = highest * 0.06;
  const isNear = (other: ChartGoal | undefined): boolean => other !== undefined && Math.abs(other.value - own) < close;
  if (isNear(goals[at - 1])) return -fontSize / 2 - 1;
  return isNear(goals[at + 1]) ? fontSize / 2 + 1 : 0;
}

/** What goals and annotations say, for readers who do not see their lines. */
export function marksInWords(chart: MarkedChart): readonly string[] {
  const { goals = [], annotations = [] } = chart;
  return [
    ...goals.map((goal) => `${goalLabel(goal, chart)} (${goal.title})`),
    ...annotations.map(({ days, title }) => `${days}: ${title}`),
  ];
}
