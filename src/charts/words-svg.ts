import { lightTheme } from './chart-theme.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one] ?? '');

/** A small picture that only says something. */
export const wordsSvg = (words: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="64" viewBox="0 0 420 64" role="img"><title>${escaped(words)}</title>` +
  `<rect width="420" height="64" rx="8" fill="${lightTheme.sunken}"/>` +
  `<text x="210" y="37" text-anchor="middle" font-family="${lightTheme.font}" font-size="14" fill="${lightTheme.secondary}">${escaped(words)}</text></svg>\n`;
