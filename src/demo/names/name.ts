/** A person's name as they write it, and in the plain letters that addresses and logins are made of. */
export interface Name {
  readonly written: string;
  readonly given: string;
  /** Empty for people with a single name. */
  readonly family: string;
}

/** One part of a name: as written, and in the letters a to z and hyphens. */
export interface NamePart {
  readonly written: string;
  readonly plain: string;
}

/** Names that go together. A culture whose family names follow the gender of the given name has a pool for each. */
export interface NamePool {
  readonly given: readonly NamePart[];
  readonly family: readonly NamePart[];
  readonly order: 'given family' | 'family given' | 'familygiven';
}

const lettersWithoutDecomposition: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** The letters an email address is made of: accents fall off, apostrophes and spaces close up, hyphens stay. */
export function plainLetters(written: string): string {
  return [...written.toLowerCase().normalize('NFD')]
    .map((letter) => lettersWithoutDecomposition[letter] ?? letter)
    .join('')
    .replace(/[^a-z-]/g, '');
}

/**
 * Reads a list such as `Zoë, Liam` or, for scripts that no rule turns into plain letters, `Олена=olena, 伟=wei`.
 * Lists stay short lines of text because a thousand object literals would bury the names.
 */
export function nameParts(list: string): readonly NamePart[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [written = entry, plain] = entry.split('=');
      return { written, plain: plain ?? plainLetters(written) };
    });
}

export function joinName(pool: NamePool, given: NamePart, family: NamePart | undefined): Name {
  if (!family) return { written: given.written, given: given.plain, family: '' };
  const written = {
    'given family': `${given.written} ${family.written}`,
    'family given': `${family.written} ${given.written}`,
    familygiven: `${family.written}${given.written}`,
  }[pool.order];
  return { written, given: given.plain, family: family.plain };
}
