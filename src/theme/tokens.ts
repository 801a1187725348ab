/**
 * How Plumb looks: the colours of both themes, written here once for the pages, `/docs`, signing in, pictures of charts
 * and mails. `npm run docs` writes the style sheet of the pages from it.
 */

/** A colour in the light and in the dark theme. */
export type Pair = readonly [light: string, dark: string];

export const colours = {
  /** Of the page, of cards on it, of what lies deeper than a card, and of what the pointer is on. */
  canvas: ['#f7f7f9', '#0e0f12'],
  surface: ['#ffffff', '#15171c'],
  sunken: ['#f1f1f4', '#1b1e24'],
  hover: ['#ececf1', '#23262e'],
  border: ['#e3e3e9', '#292c34'],
  'border-strong': ['#868996', '#6e7280'],
  grid: ['#ececf0', '#23262d'],
  text: ['#17181e', '#ededf1'],
  secondary: ['#555866', '#a7abb8'],
  tertiary: ['#666977', '#8d919f'],
  accent: ['#4c4bc9', '#9a9cff'],
  'accent-text': ['#ffffff', '#0e0f12'],
  'accent-soft': ['#eeeefb', '#22233f'],
  good: ['#1a7a4f', '#55c492'],
  'good-soft': ['#e8f5ee', '#132a20'],
  'good-mark': ['#2a9d68', '#3fb07d'],
  bad: ['#bf2f45', '#f78a97'],
  'bad-soft': ['#fdeef0', '#341a20'],
  'bad-mark': ['#d6455a', '#e8677a'],
  warn: ['#8f5c06', '#e3b155'],
  'warn-soft': ['#fdf4e3', '#2e2414'],
  'warn-mark': ['#d57b16', '#e0a03c'],
  others: ['#8c8f9c', '#7b7f8c'],
} as const satisfies Readonly<Record<string, Pair>>;

/** In the order in which charts take them. */
export const seriesColours: readonly Pair[] = [
  ['#4545b4', '#5969e0'],
  ['#d57b16', '#e79f31'],
  ['#9c69ea', '#af9afd'],
  ['#2fa59b', '#52d2ba'],
  ['#ac275a', '#cd5957'],
  ['#3f7a9d', '#629db5'],
  ['#124b09', '#b0e692'],
  ['#67156d', '#8e5281'],
];

/** From little to much, for the cells of heat maps. */
export const sequentialColours: readonly Pair[] = [
  ['#eeeffa', '#232535'],
  ['#c6cbfe', '#373963'],
  ['#a1a7fb', '#4d4f93'],
  ['#8083f0', '#6567c1'],
  ['#6360db', '#7e81eb'],
  ['#4a3ebd', '#9a9eff'],
  ['#332096', '#b8beff'],
];

/** From better to worse than the middle. Blue and brown, since many people cannot tell red from green. */
const divergingColours: readonly Pair[] = [
  ['#0d6abb', '#73b6fa'],
  ['#6097d4', '#5683b1'],
  ['#a4c4e9', '#3b536b'],
  ['#eff0f3', '#262628'],
  ['#dbb9a1', '#664a31'],
  ['#be865b', '#a77241'],
  ['#9c5300', '#ec9d53'],
];

/** Grounds of the initials of people and teams, each with its text, in both themes alike. */
const avatarColours: readonly (readonly [ground: string, text: string])[] = [
  ['#e4e4fa', '#3b3aa0'],
  ['#fbe9d2', '#8a4d08'],
  ['#efe5fd', '#6c36bf'],
  ['#d9f1ee', '#0f6a62'],
  ['#f9e0e9', '#8f1d49'],
  ['#dcebf4', '#27597a'],
  ['#e1f0dc', '#1d5a12'],
  ['#f3e0f4', '#67156d'],
];

/** Where no typeface can be loaded: in pages that load nothing. */
export const systemFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
/** In pictures, which cannot bring one along, and in whose attributes quotes would end. */
export const pictureFont = 'Inter, system-ui, sans-serif';

export const fonts = {
  font: `"Inter Variable", "Inter Fallback", ${systemFont}`,
  'font-code': '"JetBrains Mono Variable", ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
} as const;

/** Sizes, distances, shadows and durations. */
const measures = {
  column: '12px',
  small: '12.5px',
  label: '13px',
  body: '14px',
  lead: '16px',
  title: '24px',
  figure: '28px',
  'radius-pill': '6px',
  radius: '8px',
  'radius-card': '12px',
  gap: '16px',
  page: '28px',
  nav: '232px',
  'nav-collapsed': '56px',
  panel: '520px',
  quick: '120ms',
  calm: '180ms ease-out',
} as const;

const shadows: Readonly<Record<string, Pair>> = {
  'shadow-card': ['rgb(20 21 30 / 5%)', 'transparent'],
  'shadow-menu': ['rgb(20 21 30 / 10%)', 'rgb(0 0 0 / 50%)'],
  'shadow-panel': ['rgb(20 21 30 / 14%)', 'rgb(0 0 0 / 55%)'],
};

/** Broken as the formatter breaks it. */
const declared = (name: string, value: string): string => {
  const line = `  --${name}: ${value};`;
  return line.length > 120 ? `  --${name}:\n    ${value};` : line;
};
const paired = ([name, [light, dark]]: readonly [string, Pair]) => declared(name, `light-dark(${light}, ${dark})`);
const numbered = (name: string, pairs: readonly Pair[], from: number) =>
  pairs.map((pair, at) => paired([`${name}-${at + from}`, pair]));

/** All tokens as custom properties, for pages that follow the theme of the system or one of their own. */
export const tokensCss = (): string =>
  [
    '/* Written by `npm run docs` from src/theme/tokens.ts. DESIGN.md says when to use which. */',
    ':root {',
    '  color-scheme: light dark;',
    '',
    ...Object.entries(colours).map(paired),
    '',
    ...numbered('series', seriesColours, 1),
    ...numbered('sequential', sequentialColours, 0),
    ...numbered('diverging', divergingColours, 0),
    ...avatarColours.flatMap(([ground, text], at) => [
      `  --avatar-${at}: ${ground};`,
      `  --avatar-text-${at}: ${text};`,
    ]),
    '',
    ...Object.entries({ ...fonts, ...measures }).map(([name, value]) => declared(name, value)),
    ...Object.entries(shadows).map(paired),
    '}',
    '',
    ':root[data-theme="light"] {',
    '  color-scheme: light;',
    '}',
    ':root[data-theme="dark"] {',
    '  color-scheme: dark;',
    '}',
    '',
    '@media (max-width: 767px) {',
    '  :root {',
    '    --page: 16px;',
    '  }',
    '}',
    '',
  ].join('\n');
