/** The first place at which two answers differ, in words; undefined where they agree. */
export function differenceOf(said: string, expected: unknown): string | undefined {
  const text = JSON.stringify(expected);
  return said === text ? undefined : differs(JSON.parse(said), JSON.parse(text), 'answer');
}

/** Numbers that are no whole ones may have been added up in another order. */
const relative = 1e-9;

function differs(a: unknown, b: unknown, at: string): string | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a === b) return undefined;
    const isClose = !(Number.isInteger(a) && Number.isInteger(b)) && Math.abs(a - b) <= relative * Math.abs(b);
    return isClose ? undefined : `${at}: said ${a}, expected ${b}`;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return `${at}: said ${a.length} items, expected ${b.length}`;
    for (const [i, item] of a.entries()) {
      const difference = differs(item, b[i], `${at}[${i}]`);
      if (difference) return difference;
    }
    return undefined;
  }
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    const [own, other] = [Object.keys(a), Object.keys(b)];
    if (own.join() !== other.join()) return `${at}: said the keys ${own.join()}, expected ${other.join()}`;
    for (const key of own) {
      if (key === 'change_percentage' && isRoundedApart(a, b)) continue;
      const difference = differs((a as never)[key], (b as never)[key], `${at}.${key}`);
      if (difference) return difference;
    }
    return undefined;
  }
  return a === b ? undefined : `${at}: said ${JSON.stringify(a)}, expected ${JSON.stringify(b)}`;
}

/** Rounded to one decimal, values that differ in their last digit can end up beside each other. */
function isRoundedApart(a: object, b: object): boolean {
  const numbers = [a, b].flatMap((one) => ['value', 'previous_value'].map((key) => (one as never)[key]));
  if (numbers.every(Number.isInteger)) return false;
  const [change, other] = [a, b].map((one) => (one as { readonly change_percentage: number }).change_percentage);
  return Math.abs(Number(change) - Number(other)) < 0.11;
}
