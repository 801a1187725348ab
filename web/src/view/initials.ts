/** Of the first and the last word. Symbols are no initials: `@ada` is A. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join('').toLocaleUpperCase();
}

/** As many as the tokens have. */
const tones = 8;

/** The number of a colour that stays the same for an id. */
export function toneOf(id: string): number {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % tones;
}
