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
  const theme = {
    background: colour('background'),
    surface: colour('surface'),
    border: colour('border'),
    text: colour('text'),
    secondary: colour('secondary'),
    accent: colour('accent'),
    series: [1, 2, 3, 4, 5, 6].map((at) => colour(`series-${at}`)),
    others: colour('others'),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return theme;
}
