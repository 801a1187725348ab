import type { ChartTheme } from '../../../src/charts/chart-theme.ts';

/** Reads the tokens as they are now. A canvas does not understand `light-dark()`, so an element resolves them. */
export function chartTheme(): ChartTheme {
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
