/**
 * How well an entry fits what is typed, 0 where it does not: its whole name first, then names that begin with it, then
 * words that do, and last of all its other words, such as the name of a metric in requests.
 */
export function matchOf(search: string, [name = '', ...others]: readonly string[] = []): number {
  const [typed, called] = [plain(search), plain(name)];
  if (typed === '') return 1;
  if (called === typed) return 1;
  if (called.startsWith(typed)) return 0.9;
  if (called.split(' ').some((word) => word.startsWith(typed))) return 0.7;
  if (others.some((other) => plain(other) === typed)) return 0.6;
  if (called.includes(typed)) return 0.5;
  const all = [name, ...others].map(plain).join(' ');
  const isAllThere = typed.split(' ').every((word) => all.includes(word));
  return isAllThere ? 0.3 : 0;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

/** Something that the palette leads to or does. */
export interface PaletteEntry {
  readonly key: string;
  readonly heading: string;
  readonly name: string;
  /** Further words by which it is found. */
  readonly words: readonly string[];
  readonly pick: () => void;
}

export interface PaletteGroup {
  readonly heading: string;
  readonly entries: readonly PaletteEntry[];
}

/** So many of a kind are shown, for a search and before one: who looks for more types another letter. */
const [maxFound, maxUnsearched] = [8, 20];

/** The entries that fit, by kind: the kind with the best of all comes first, and in each the best, in their own order where alike. */
export function rankedGroups(entries: readonly PaletteEntry[], search: string): readonly PaletteGroup[] {
  const maxShown = search.trim() === '' ? maxUnsearched : maxFound;
  const scored = entries
    .map((entry) => ({ entry, score: matchOf(search, [entry.name, ...entry.words]) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const groups = new Map<string, PaletteEntry[]>();
  for (const { entry } of scored) {
    const group = groups.get(entry.heading) ?? [];
    if (group.length < maxShown) group.push(entry);
    groups.set(entry.heading, group);
  }
  return [...groups].map(([heading, found]) => ({ heading, entries: found }));
}
