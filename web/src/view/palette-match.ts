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
