import { colours, type Pair, pictureFont, sequentialColours, seriesColours } from '../theme/tokens.ts';
import type { ChartSeries, OwnColour } from './chart-description.ts';

/** The tokens that charts are drawn with, as colours that a drawing understands. */
export interface ChartTheme {
  readonly surface: string;
  readonly sunken: string;
  readonly border: string;
  readonly grid: string;
  readonly text: string;
  readonly secondary: string;
  readonly tertiary: string;
  readonly accent: string;
  readonly series: readonly string[];
  /** From little to much. */
  readonly sequential: readonly string[];
  readonly others: string;
  readonly font: string;
}

const light = ([colour]: Pair): string => colour;

/** The tokens of the light theme, for pictures that are drawn where no page is. */
export const lightTheme: ChartTheme = {
  surface: light(colours.surface),
  sunken: light(colours.sunken),
  border: light(colours.border),
  grid: light(colours.grid),
  text: light(colours.text),
  secondary: light(colours.secondary),
  tertiary: light(colours.tertiary),
  accent: light(colours.accent),
  series: seriesColours.map(light),
  sequential: sequentialColours.map(light),
  others: light(colours.others),
  // A picture cannot bring its typeface along. Names with quotes would end the attribute of an element early.
  font: pictureFont,
};

type SeriesColour = OwnColour | 'others' | 'text';
const all = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies readonly OwnColour[];

/**
 * The colour of a series: its own where it has one, else the first that no other series of the chart has. The window
 * before is grey.
 */
export function seriesColour(series: readonly ChartSeries[], at: number): SeriesColour {
  const one = series[at];
  if (one?.role === 'others') return 'others';
  // Of several lines each has its own colour in the window before.
  if (one?.colour) return one.colour;
  if (one?.role === 'before') return 'others';
  if (one?.role === 'line') return 'text';
  const own = series.filter(({ role, colour }) => role === undefined && colour === undefined);
  const taken = new Set(series.map(({ colour }) => colour));
  const free = all.filter((colour) => !taken.has(colour));
  const choice = free.length > 0 ? free : all;
  return choice[own.indexOf(one as ChartSeries) % choice.length] ?? 1;
}

/** The colour of a series, as a drawing understands it. */
export function colourInTheme(theme: ChartTheme, series: readonly ChartSeries[], at: number): string {
  const colour = seriesColour(series, at);
  if (colour === 'others') return theme.others;
  return (colour === 'text' ? undefined : theme.series[colour - 1]) ?? theme.text;
}

/** What is not looked at while the records of one mark are. */
const unlit = 0.32;

/** A colour as pale as if the card shone through it. */
export function paled(colour: string, { surface }: ChartTheme): string {
  const [own, ground] = [channelsOf(colour), channelsOf(surface)];
  return `rgb(${own.map((one, at) => Math.round(one * unlit + (ground[at] ?? one) * (1 - unlit))).join(', ')})`;
}

/** Red, green and blue of `#4545b4`, as tokens are written, or of `rgb(69, 69, 180)`, as browsers write them. */
const channelsOf = (colour: string): readonly number[] =>
  colour.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    : [...colour.matchAll(/\d+/g)].slice(0, 3).map(Number);
