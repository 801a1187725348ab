/** Neighbouring rows of a table, by what an engine finds them with. */
export interface RowRange<Bound> {
  readonly from: Bound;
  /** Itself included. */
  readonly to: Bound;
  readonly rows: number;
  /** Of texts that may be long. */
  readonly bytes: number;
}

/** What a portion has at most, but for a range that has more by itself. */
export interface PortionMost {
  readonly rows: number;
  readonly bytes: number;
}

/** Joins ranges that follow each other to portions: large ones make quick statements, and each has to fit into memory. */
export function joinRanges<Bound>(ranges: Iterable<RowRange<Bound>>, most: PortionMost): RowRange<Bound>[] {
  const portions: RowRange<Bound>[] = [];
  for (const range of ranges) {
    const last = portions.at(-1);
    const [rows, bytes] = [(last?.rows ?? 0) + range.rows, (last?.bytes ?? 0) + range.bytes];
    if (last && rows <= most.rows && bytes <= most.bytes) {
      portions[portions.length - 1] = { from: last.from, to: range.to, rows, bytes };
    } else portions.push(range);
  }
  return portions;
}

export const portionUsual: PortionMost = { rows: 250_000, bytes: 64_000_000 };
