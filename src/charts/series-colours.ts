import type { ChartSeries } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';

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

/** The same as a colour that a drawing understands. */
export function colourInTheme(theme: ChartTheme, series: readonly ChartSeries[], at: number): string {
  const colour = seriesColour(series, at);
  if (colour === 'others') return theme.others;
  return (colour === 'text' ? undefined : theme.series[colour - 1]) ?? theme.text;
}
