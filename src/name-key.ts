/**
 * How an identifier or a name is matched: without regard to case, outer space, or the way accents are encoded.
 * By way of upper case, because some letters have only one there (ß is SS, ﬁ is FI); a sigma at the end of a word is a
 * sigma; and changing case can take composed letters apart.
 */
export const keyOf = (value: string): string =>
  value.trim().normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
