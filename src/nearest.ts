import { distance } from 'fastest-levenshtein';

/** The known names that a mistyped one probably meant, best first; none when nothing is close. */
export function nearest(typed: string, known: Iterable<string>, most = 3): string[] {
  const wanted = typed.toLowerCase();
  const allowed = Math.min(4, Math.max(1, Math.floor(wanted.length / 3)));
  const isBegun = (name: string) => wanted.length >= 4 && name.toLowerCase().startsWith(wanted);
  return (
    [...known]
      // Texts of very different lengths are not close, and a long one takes long to compare.
      .filter((name) => Math.abs(name.length - wanted.length) <= allowed || isBegun(name))
      .map((name) => ({ name, steps: stepsBetween(wanted, name.toLowerCase()) }))
      .filter(({ name, steps }) => steps <= allowed || isBegun(name))
      .sort((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
      // Beside a near miss, anything farther off is only noise.
      .filter(({ steps }, _, [best]) => steps === best?.steps)
      .slice(0, most)
      .map(({ name }) => name)
  );
}

/** How many letters are wrong. Two neighbours that changed places are one mistake. */
function stepsBetween(typed: string, name: string): number {
  const steps = distance(typed, name);
  if (steps !== 2 || typed.length !== name.length) return steps;
  const at = [...typed].findIndex((letter, place) => letter !== name[place]);
  const isSwap = typed[at] === name[at + 1] && typed[at + 1] === name[at];
  return isSwap ? 1 : steps;
}

/**
 * ` Did you mean 'x' or 'y'?`, or nothing: made to be put behind a sentence. Words of other tools stand for known names,
 * whatever they look like.
 */
export function didYouMean(
  typed: string,
  known: Iterable<string>,
  words: Readonly<Record<string, readonly string[]>> = {},
): string {
  const all = [...known];
  const word = typed.trim().toLowerCase().replaceAll('_', '-');
  const spelled = [typed.trim().toLowerCase(), word].find((one) => Object.hasOwn(words, one));
  const meant = (spelled === undefined ? [] : (words[spelled] ?? [])).filter((name) => all.includes(name));
  const names = (meant.length > 0 ? meant : nearest(typed, all)).map((name) => `'${name}'`);
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
}

/** `a, b or c` */
export const alternatives = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** `must be one of a, b, not 'x'. Did you mean 'a'?`: made to be put behind the name of what has a closed list of values. */
export const mustBeOneOf = (known: readonly string[], typed: string): string =>
  `must be one of ${known.join(', ')}, not '${typed.slice(0, 50)}'.${didYouMean(typed, known)}`;
