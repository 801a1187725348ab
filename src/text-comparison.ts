/**
 * How an identifier or a name is matched: without regard to case, outer space, or the way accents are encoded.
 * By way of upper case, because some letters have only one there (ß is SS, ﬁ is FI); a sigma at the end of a word is a
 * sigma; and changing case can take composed letters apart.
 */
export const keyOf = (value: string): string =>
  value.trim().normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/**
 * Compares by code point. JavaScript compares halves of surrogate pairs, which puts characters above U+FFFF too early.
 */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates after everything else. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x10000 : unit);
