import type { SeededRandom } from '../seeded-random.ts';
import { type Culture, familyFirst, namePools } from './name-pools.ts';

/** A name as the person writes it, and in the plain letters that addresses and logins are made of. */
export interface PersonName {
  readonly written: string;
  readonly given: string;
  /** Empty for people with a single name. */
  readonly family: string;
  /** A family name that the person could have had before; absent where there is none. */
  readonly formerFamily?: string;
}

/** Letters that have no accent to take off. */
const otherLetters = new Map(
  'ø=o ł=l đ=d ð=d þ=th ß=ss æ=ae œ=oe ı=i'.split(' ').map((pair) => pair.split('=') as [string, string]),
);

/** The letters an email address is made of: without accents, apostrophes and spaces, but with hyphens. */
const plainLetters = (written: string): string =>
  [...written.toLowerCase().normalize('NFD')]
    .map((letter) => otherLetters.get(letter) ?? letter)
    .join('')
    .replace(/[^a-z-]/g, '');

const partsOf = (text: string) =>
  text.split(',').map((entry) => {
    const [written = '', plain] = entry.trim().split('=');
    return { written, plain: plain ?? plainLetters(written) };
  });

const pools = new Map(
  Object.entries(namePools).map(([culture, text]) => {
    const lists = text.replace(/\s+/g, ' ').split('|');
    const named = lists.map((pool) => pool.split(' / ').map(partsOf));
    return [culture, named.map(([given = [], family = []]) => ({ given, family }))];
  }),
);

const drawsMost = 12;

/**
 * A name that nobody has yet, where possible. Where given names come first, people who share theirs with a colleague
 * add a second one. Elsewhere that is not done, and in the largest organisations some do have the same name.
 */
export function drawName(random: SeededRandom, culture: Culture, taken: ReadonlySet<string>): PersonName {
  for (let draw = 1; ; draw += 1) {
    const pool = random.pick(pools.get(culture) ?? []);
    const separator = familyFirst[culture];
    const given = random.pick(pool.given);
    const second = draw > drawsMost / 2 && separator === undefined ? random.pick(pool.given) : given;
    const givenNames = second === given ? given.written : `${given.written} ${second.written}`;
    let name: PersonName = { written: givenNames, given: given.plain, family: second === given ? '' : second.plain };
    if (pool.family.length > 0) {
      const [family, former] = [random.pick(pool.family), random.pick(pool.family)];
      const written =
        separator === undefined ? `${givenNames} ${family.written}` : family.written + separator + givenNames;
      name = { written, given: given.plain, family: family.plain };
      if (former !== family) name = { ...name, formerFamily: former.plain };
    }
    if (draw === drawsMost || !taken.has(name.written)) return name;
  }
}
