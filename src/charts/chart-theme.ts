import type { ChartSeries } from './chart-description.ts';
/** The tokens that charts are drawn with, as colours that a drawing understands. */
export interface ChartTheme {
  readonly background: string;
  readonly surface: string;
  readonly border: string;
  readonly text: string;
  readonly secondary: string;
  readonly accent: string;
  readonly series: readonly string[];
  readonly others: string;
  readonly font: string;
}

/** The tokens of the light theme, for pictures that are drawn where no page is. */
export const lightTheme: ChartTheme = {
  background: '#ffffff',
  surface: '#f6f7f9',
  border: '#d6dae0',
  text: '#15191e',
  secondary: '#4b5563',
  accent: '#1d4ed8',
  series: ['#092482', '#279ea3', '#6e3ec7', '#9d8d26', '#9c4246', '#522405'],
  others: '#8a929c',
  // Names with quotes would end the attribute of an element early.
  font: 'system-ui, sans-serif',
};

type SeriesColour = 1 | 2 | 3 | 4 | 5 | 6 | 'others' | 'text';
const all = [1, 2, 3, 4, 5, 6] as const;

/**
 * The colour of a series: its own where it has one, else the first that no other series of the chart has. The window
 * before takes the colour of what it is compared with.
 */
export function seriesColour(series: readonly ChartSeries[], at: number): SeriesColour {
  const one = series[at];
  if (one?.role === 'others') return 'others';
  if (one?.colour) return one.colour;
  if (one?.role === 'line') return 'text';
  const own = series.filter(({ role, colour }) => role === undefined && colour === undefined);
  const taken = new Set(series.map(({ colour }) => colour));
  const free = all.filter((colour) => !taken.has(colour));
  const choice = free.length > 0 ? free : all;
  if (one?.role === 'before') return series[0]?.colour ?? choice[0] ?? 1;
  return choice[own.indexOf(one as ChartSeries) % choice.length] ?? 1;
}

/** The colour of a series, as a drawing understands it. */
export function colourInTheme(theme: ChartTheme, series: readonly ChartSeries[], at: number): string {
  const colour = seriesColour(series, at);
  if (colour === 'others') return theme.others;
  return (colour === 'text' ? undefined : theme.series[colour - 1]) ?? theme.text;
}
