/** Code point by code point, as UTF-8 has them in order and UTF-16 has not. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A cell of an answer before it is written out: lists and JSON are their text. */
export type Cell = string | number | boolean | null;

/** What is missing stands last, whichever way the rest is ordered. */
export function compareCells(a: Cell, b: Cell, isDescending = false): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b);
  return isDescending ? -order : order;
}

/** The first difference decides. */
export function compareLists(a: readonly Cell[], b: readonly Cell[]): number {
  for (const [i, cell] of a.entries()) {
    const order = compareCells(cell, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
