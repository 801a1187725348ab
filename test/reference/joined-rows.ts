import { type Evaluation, groupsOf, type MetricGroup } from './metric-groups.ts';
import { type Cell, compareCells, compareLists } from './order.ts';
import { type AskedMetric, nameOfCount } from './question.ts';

/** What one metric says of one row of an answer: nothing at all where it has no such group. */
export type MetricValues = readonly (number | string | null)[] | undefined;

/** One row of an answer: a bucket, what it is grouped by, and what every metric says of it. */
export interface JoinedRow {
  readonly bucket: string | undefined;
  readonly place: readonly Cell[];
  readonly said: readonly MetricValues[];
  /** How many rows have the value of every metric. */
  readonly counts: readonly number[];
}

export const keyOf = ({ bucket, place }: Pick<JoinedRow, 'bucket' | 'place'>): string =>
  JSON.stringify([bucket ?? null, place]);

/** The groups of all metrics, each once, whether or not every metric has it. Nothing is too small yet. */
export function joinedRows(
  evaluation: Evaluation,
  groups: (one: AskedMetric) => readonly MetricGroup[] = (one) => groupsOf(evaluation, one),
): JoinedRow[] {
  const { asked } = evaluation.question;
  const rows = new Map<string, JoinedRow & { readonly said: MetricValues[]; readonly counts: number[] }>();
  for (const [i, one] of asked.entries()) {
    for (const { bucket, place, values, n } of groups(one)) {
      const empty = { bucket, place, said: asked.map(() => undefined), counts: asked.map(() => 0) };
      const row = rows.get(keyOf({ bucket, place })) ?? empty;
      row.said[i] = values;
      row.counts[i] = n;
      rows.set(keyOf(row), row);
    }
  }
  return [...rows.values()];
}

/** Whether a value counts for nothing because it is below the least that was asked for. Texts are never too small. */
export function isTooSmall({ metric, least }: AskedMetric, said: MetricValues): boolean {
  if (said === undefined) return true;
  const leading = said.at(-1) ?? null;
  if (typeof leading === 'string' || metric.kind === 'text') return false;
  return leading === null ? least > 0 : leading < least;
}

/** What stands in place of values that are missing or too small. */
export const ofNothing = ({ values }: AskedMetric): (0 | null)[] => values.map((value) => value.ofNothing);

/** Rows in which something is large enough, with nothing in place of the rest. */
export function largeEnough(rows: readonly JoinedRow[], asked: readonly AskedMetric[]): JoinedRow[] {
  return rows
    .filter(({ said }) => asked.some((one, i) => !isTooSmall(one, said[i])))
    .map((row) => ({
      ...row,
      said: asked.map((one, i) => (isTooSmall(one, row.said[i]) ? ofNothing(one) : row.said[i])),
      counts: asked.map((one, i) => (isTooSmall(one, row.said[i]) ? 0 : (row.counts[i] ?? 0))),
    }));
}

/** By what the caller names, then by bucket and groups. */
export function inOrder<R extends JoinedRow>(
  { question, level }: Evaluation,
  rows: readonly R[],
  more: (row: R, column: string) => Cell | undefined = () => undefined,
): R[] {
  const cellOf = (row: R, column: string): Cell => {
    const own = more(row, column);
    if (own !== undefined) return own;
    if (column === `${level}_date`) return row.bucket ?? null;
    const place = question.groupBy.indexOf(column);
    if (place >= 0) return row.place[place] ?? null;
    for (const [i, asked] of question.asked.entries()) {
      const { values } = asked;
      const value = values.findIndex((one) => one.column === column);
      if (question.showsN && column === nameOfCount(question, asked)) return row.counts[i] ?? 0;
      if (value >= 0) return row.said[i]?.[value] ?? null;
    }
    throw new Error(`the answer has no column ${column}`);
  };
  const { order } = question;
  return rows.toSorted((a, b) => {
    const first = order ? compareCells(cellOf(a, order.by), cellOf(b, order.by), order.isDescending) : 0;
    return first || compareLists([a.bucket ?? null, ...a.place], [b.bucket ?? null, ...b.place]);
  });
}
