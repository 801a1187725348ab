import { type DateLevel, dateLevels, nextBucket, startOfBucket } from '../calendar.ts';
import { valueLabel } from '../catalogue/labels/shown-names.ts';
import type { Json } from '../catalogue/record.ts';
import { alignedLines, cutToWidth, displayWidth, padToWidth } from './display-width.ts';
import { type ShownMeasure, valueText } from './value-text.ts';

/** Wider cells push everything else off the screen. */
const maxCellWidth = 60;
const maxBarWidth = 30;
/** A shorter bar tells nothing. */
const minBarWidth = 6;
const maxSparklineWidth = 60;

export interface TableColumn {
  readonly name: string;
  /** Its name for people. */
  readonly head: string;
  /** How its numbers are written. */
  readonly measure?: ShownMeasure | undefined;
  /** Whether it holds values, as opposed to what they are grouped by. The last of these is drawn. */
  readonly isValue?: boolean;
  /** Whether it only stands beside the values: what they are compared with. */
  readonly isCompared?: boolean;
  /** The value without rows: a bucket without deployments has a count of 0, and no duration. */
  readonly ofNothing?: number | null;
}

/** How wide the screen is; undefined in a pipe, where nothing is drawn. */
type ScreenWidth = number | undefined;

/** The charts beside the rows, and the days that they cover. */
export interface DrawnRows {
  readonly screen: ScreenWidth;
  /** The first and the last day that were asked about. */
  readonly days?: readonly [string, string] | null | undefined;
  /** Whether rows are missing: what they would show is not known then, and not nothing. */
  readonly isCut?: boolean | undefined;
}

/** Rows as a table that fits a reader's eyes, with a bar behind each row and a sparkline for each series on a screen. */
export function valueTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly Json[])[],
  drawing: DrawnRows,
): string {
  const { screen } = drawing;
  if (rows.length === 0) return 'Nothing.';
  const isNumeric = columns.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === 'number'));
  const texts = [
    columns.map(({ head }) => oneLine(head)),
    ...rows.map((row) => row.map((cell, i) => cellText(cell, columns[i]))),
  ];
  const cells = alignedLines(
    texts.map((row) => [...row, '']),
    isNumeric,
  );
  const bars = screen === undefined ? [] : barsOf(columns, rows, screen - displayWidth(cells[0] ?? ''));
  const lines = cells.map((line, at) => `${line}${bars[at - 1] ?? ''}`.trimEnd());
  const drawn = screen === undefined ? [] : seriesLines(columns, rows, screen, drawing);
  return [...lines, ...(drawn.length === 0 ? [] : ['', ...drawn])].join('\n');
}

const leadingOf = (columns: readonly TableColumn[]): number => columns.findLastIndex(({ isValue }) => isValue);
const numberIn = (cell: Json | undefined): number | null => (typeof cell === 'number' ? cell : null);

function barsOf(columns: readonly TableColumn[], rows: readonly (readonly Json[])[], room: number): string[] {
  const at = leadingOf(columns);
  const width = Math.min(maxBarWidth, room - 1);
  if (at === -1 || rows.length < 2 || width < minBarWidth) return [];
  const values = rows.map((row) => numberIn(row[at]) ?? 0);
  const largest = Math.max(...values);
  return values.map((value) => barOf(value, largest, width));
}

/** One line for each series: a group over the buckets of the days that were asked about. */
function seriesLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly Json[])[],
  screen: number,
  { days, isCut = false }: DrawnRows,
): string[] {
  const at = leadingOf(columns);
  const bucketAt = columns.findIndex(({ name }) => levelOf(name) !== undefined);
  const level = levelOf(columns[bucketAt]?.name ?? '');
  if (at === -1 || level === undefined) return [];
  const groupsAt = columns.flatMap(({ isValue, isCompared }, i) =>
    isValue || isCompared || i === bucketAt ? [] : [i],
  );
  const ofNothing = isCut ? null : (columns[at]?.ofNothing ?? null);
  const asked = days && !isCut ? days.map((day) => startOfBucket(level, day)) : [];
  const buckets = bucketsFrom(level, [...asked, ...rows.map((row) => String(row[bucketAt]))].sort());
  const series = new Map<string, Map<string, number | null>>();
  for (const row of rows) {
    const name = groupsAt.map((i) => cellText(row[i] ?? null, columns[i])).join('  ');
    const values = series.get(name) ?? new Map<string, number | null>();
    series.set(name, values.set(String(row[bucketAt]), numberIn(row[at])));
  }
  const lines = [...series].map(([name, values]) => ({
    name,
    values: buckets.map((day) => values.get(day) ?? ofNothing),
  }));
  return sparklines(lines, columns[at]?.measure, screen);
}

const levelOf = (column: string): DateLevel | undefined => dateLevels.find((level) => column === `${level}_date`);

function bucketsFrom(level: DateLevel, days: readonly string[]): string[] {
  const last = days.at(-1);
  const buckets: string[] = [];
  for (let day = days[0]; day !== undefined && last !== undefined && day <= last; day = nextBucket(level, day)) {
    buckets.push(day);
  }
  return buckets;
}

interface NamedValues {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The name of each series, its sparkline, and its first and last value. A single value is no series. */
export function sparklines(
  series: readonly NamedValues[],
  measure: ShownMeasure | undefined,
  screen: number,
): string[] {
  const many = series.filter(({ values }) => values.filter((value) => value !== null).length > 1);
  const names = many.map(({ name }) => oneLine(name));
  const width = Math.max(0, ...names.map(displayWidth));
  const ends = many.map(({ values }) => {
    const known = values.filter((value) => value !== null);
    return [known[0], known.at(-1)].map((value) => valueText(value ?? 0, measure ?? 'number')).join(' → ');
  });
  const room = screen - width - Math.max(0, ...ends.map((text) => text.length)) - 5;
  return many.map(({ values }, i) => {
    const line = sparkline(values, Math.max(1, Math.min(maxSparklineWidth, room)));
    return [...(width === 0 ? [] : [padToWidth(names[i] ?? '', width)]), line, ends[i]].join('  ');
  });
}

function cellText(value: Json, column: TableColumn | undefined): string {
  if (value === null) return '-';
  if (typeof value === 'number') return valueText(value, column?.measure ?? 'number');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const shown = (text: string) => (column ? valueLabel(column.name, text) : text);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return oneLine(value.map(shown).join(', '));
  return oneLine(typeof value === 'string' ? shown(value) : JSON.stringify(value));
}

/** Texts from records must not move the cursor, or reverse the direction of the rest of the line. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go.
  const plain = text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
  return cutToWidth(plain, maxCellWidth);
}

/** Charts of one line, made of the block characters that every terminal has. */

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A bar as long as its share of the largest value. Whatever is more than nothing is seen. */
export function barOf(value: number, largest: number, width: number): string {
  if (!(value > 0 && largest > 0)) return '';
  const steps = Math.max(1, Math.round((value / largest) * width * 8));
  return '█'.repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? '');
}

/**
 * A line of values from left to right, the least at the bottom and the largest on top; one height where all are the same. No
 * value leaves a gap.
 */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const shown = values.length > width ? averaged(values, width) : values;
  const known = shown.filter((value) => value !== null);
  const [least, largest] = [Math.min(...known), Math.max(...known)];
  return shown
    .map((value) => {
      if (value === null) return ' ';
      const share = largest === least ? 0 : (value - least) / (largest - least);
      return heights[Math.round(share * (heights.length - 1))];
    })
    .join('');
}

/** Fewer values: each the average of its neighbours. */
function averaged(values: readonly (number | null)[], width: number): (number | null)[] {
  return Array.from({ length: width }, (_, i) => {
    const from = Math.floor((i * values.length) / width);
    const until = Math.floor(((i + 1) * values.length) / width);
    const some = values.slice(from, until).filter((value) => value !== null);
    return some.length === 0 ? null : some.reduce((sum, value) => sum + value, 0) / some.length;
  });
}
