import type { NamedOne } from '../../ask/people-answers.ts';

const maxFound = 8;

/** As the directory matches names. */
const plain = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** The groups whose names have what is typed, those that begin with it first. */
export function matchingGroups(
  known: readonly NamedOne[],
  typed: string,
  chosen: readonly string[],
): readonly NamedOne[] {
  const text = plain(typed);
  if (text === '') return [];
  const taken = new Set(chosen.map(plain));
  const rank = ({ name }: NamedOne): number => (plain(name) === text ? 0 : plain(name).startsWith(text) ? 1 : 2);
  return known
    .filter(({ name }) => plain(name).includes(text) && !taken.has(plain(name)))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, maxFound);
}

/** The typed name, where no group has it yet. */
export function newGroupName(known: readonly NamedOne[], typed: string, chosen: readonly string[]): string | undefined {
  const name = typed.trim();
  const isKnown = [...known.map((one) => one.name), ...chosen].some((other) => plain(other) === plain(name));
  return name === '' || isKnown ? undefined : name;
}
