import { always } from './book.ts';

/** Repositories that are told from the same time on, together. */
export interface Horizon<B> {
  readonly since: number;
  readonly books: readonly B[];
}

const day = 86_400;
/** Going back further than needed is never wrong, and one question for many repositories is cheaper than many. */
const nearSeconds = 30 * day;
const groupsMost = 12;

/** Groups repositories whose times lie close together; each group goes back to the earliest time in it. */
export function groupByTime<B>(books: Iterable<B>, timeOf: (book: B) => number): Horizon<B>[] {
  const inOrder = [...books].map((book) => ({ book, time: timeOf(book) })).sort((a, b) => a.time - b.time);
  const times = inOrder.map(({ time }) => time).filter(Number.isFinite);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const near = Math.max(nearSeconds, Math.ceil(span / groupsMost));
  const groups: { since: number; books: B[] }[] = [];
  for (const { book, time } of inOrder) {
    const group = groups.at(-1);
    const isNear = group !== undefined && (time === group.since || time - group.since <= near);
    if (isNear) group.books.push(book);
    else groups.push({ since: time, books: [book] });
  }
  return groups;
}

/** Cuts a group into parts that are small enough to be held in memory. */
export function cutBySize<B>(group: Horizon<B>, sizeOf: (book: B) => number, sizeMost: number): Horizon<B>[] {
  const parts: { since: number; books: B[] }[] = [];
  let size = never;
  for (const book of group.books) {
    const more = sizeOf(book);
    if (size + more > sizeMost) {
      parts.push({ since: group.since, books: [] });
      size = 0;
    }
    parts.at(-1)?.books.push(book);
    size += more;
  }
  return parts;
}

const never = Number.POSITIVE_INFINITY;

export const isFromBeginning = ({ since }: Pick<Horizon<unknown>, 'since'>): boolean => since === always;
