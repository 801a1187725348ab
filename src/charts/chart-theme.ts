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
