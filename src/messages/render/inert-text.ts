/** Signs that end a line, and those that nobody sees. */
const lineEnds = /[\n\v\f\r\u0085\u2028\u2029]+/g;
/** Other control characters; marks that turn the direction of what follows; what has no width. */
const unseen = /[\p{Cc}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const gap = '\u200b';
const maxLength = 1_000;

/** A text on one line, with nothing in it that is not seen. Names come from everywhere. */
export function onOneLine(text: string): string {
  const line = text.replace(lineEnds, ' ').replace(unseen, '').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`;
}

/**
 * The same, where a program looks for addresses and names in a text by itself: none of them is one any more, and they
 * read as before.
 */
export const inert = (text: string): string =>
  onOneLine(text)
    .replaceAll('://', `:${gap}//`)
    .replaceAll(/\bwww\./gi, `$&${gap}`)
    .replaceAll('@', `@${gap}`);
