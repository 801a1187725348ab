/** The tokens that charts are drawn with, as colours that a canvas understands. */
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
