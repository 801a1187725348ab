import type { ChartTheme } from '../../../src/charts/chart-theme.ts';
import { themeNow } from './theme.ts';

/**
 * Reading the colour of an element makes the browser compute the styles of the page, so it is done once for each theme.
 */
const known = new Map<ReturnType<typeof themeNow>, ChartTheme>();

export function chartTheme(): ChartTheme {
  const name = themeNow();
  const theme = known.get(name) ?? readTokens();
  known.set(name, theme);
  return theme;
}

/** Reads the theme's present colours. A canvas does not understand `light-dark()`, so an element resolves them. */
function readTokens(): ChartTheme {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const numbered = (name: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => colour(`${name}-${from + at}`));
  const theme = {
    surface: colour('surface'),
    sunken: colour('sunken'),
    border: colour('border'),
    grid: colour('grid'),
    text: colour('text'),
    secondary: colour('secondary'),
    tertiary: colour('tertiary'),
    accent: colour('accent'),
    series: numbered('series', 1, 8),
    sequential: numbered('sequential', 0, 6),
    others: colour('others'),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return theme;
}
