import stringWidth from 'string-width';

/** How many columns a text takes on a screen: characters of East Asia and emoji take two, combining ones none. */
export const displayWidth = (text: string): number => stringWidth(text);

const segmenter = new Intl.Segmenter();

/** A text that takes so many columns at most: what is longer ends in `…`. No character is cut in two. */
export function cutToWidth(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A text with spaces behind it, as wide as its column. */
export const padToWidth = (text: string, width: number): string => text + spaceBeside(text, width);

/** The spaces that a text lacks to be as wide as its column. */
export const spaceBeside = (text: string, width: number): string => ' '.repeat(Math.max(0, width - displayWidth(text)));
