import { compareTexts } from '../../text-order.ts';
import type { Cell } from '../plan.ts';

/** Two cells of one column, the smaller first. Nothing comes last, in either direction. */
export function compareCells(a: Cell, b: Cell, direction: 'asc' | 'desc' = 'asc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const ascending = typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : a === b ? 0 : a < b ? -1 : 1;
  return direction === 'asc' ? ascending : -ascending;
}

/** Several cells in turn, ascending: the first that differs decides. */
export function compareCellLists(a: readonly Cell[], b: readonly Cell[]): number {
  for (const [i, cell] of a.entries()) {
    const order = compareCells(cell, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
