import { createHash } from 'node:crypto';
import type { Json } from '../../catalogue/record.ts';
import { beforeSince, joinNotSeen, type NotSeen } from '../not-seen.ts';
import type { PageOfList } from '../paging.ts';
import { Payload, UnknownShape } from '../payload.ts';
import type { Page, SourceRecords, Stream, StreamPosition } from '../source.ts';
import { type ListedItem, type ListRead, ListReads } from './listed-before.ts';

/** How far down a read goes. */
export interface WalkRange {
  /** Nothing older is wanted, in seconds since 1970. */
  readonly downTo?: number;
  /** Everything is read again, however far the last read has come. */
  readonly isWhole?: true;
  /** When the last complete read began, by the provider's clock. */
  readonly lastReadAt?: number;
}

export interface ConvertedItems {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
  readonly notSeen?: readonly NotSeen[];
}

/** A list that has its newest items first, and what they become. */
export interface NewestFirstList
  extends Pick<Stream, 'id' | 'name' | 'scope' | 'feeds' | 'isDaily' | 'notSeen'>,
    Required<Pick<Stream, 'rereadSeconds'>> {
  /** A page of it, the newest where nothing is next. */
  ask(next: Json | undefined, range: WalkRange): Promise<AskedPage>;
  /** The time that the list is in the order of, in seconds since 1970. */
  timeOf(item: Payload): number;
  convert(items: readonly unknown[]): ConvertedItems | Promise<ConvertedItems>;
  /** The list is in the order of updates: where its first page is as before, so is all of it. */
  readonly isByUpdate?: true;
  /** How one that is missing from the list since its last read is noticed: it is read by itself, as if a webhook had named it. */
  readonly watched?: WatchedItems;
  /** Nothing older is wanted at all, in seconds since 1970. */
  readonly readFrom?: number | undefined;
  /** What records depend on besides what is read. Where it has changed since the last read, everything is read again. */
  readonly basis?: Json;
}

interface WatchedItems {
  /** As in the memory of the source: `issues`. */
  readonly key: string;
  /** Of the object, as webhooks call it. */
  readonly kind: string;
  /** Undefined where an item is not of the table. */
  referenceOf(item: Payload): string | number | undefined;
  missingFrom: (read: ListRead) => Promise<readonly SourceRecords[]>;
}

export interface AskedPage extends PageOfList {
  /**
   * Everything that is newer has been read, in seconds since 1970, or `unknown`. Absent where the list is in the order of
   * time: then the oldest of its items says it.
   */
  readonly reachedDownTo?: number | 'unknown';
  /** What of it could not be read. */
  readonly problems?: readonly string[];
}

interface WalkPosition extends WalkRange {
  readonly next: Json;
  /** When the first page was read, by the provider's clock. */
  readonly startedAt: number;
}

/** What the first page of a read leaves for the next read. */
interface ListMark {
  readonly digest: string;
  readonly basis: Json;
  readonly at: number;
}

export function newestFirstStream(list: NewestFirstList): Stream {
  const { id, name, scope, feeds, rereadSeconds, isDaily } = list;
  const notSeen = joinNotSeen(beforeSince(list.readFrom), list.notSeen ?? []);
  const reads = new ListReads();
  return {
    id,
    name,
    scope,
    feeds,
    rereadSeconds,
    ...(isDaily && { isDaily }),
    ...(notSeen.length > 0 && { notSeen }),
    read: (position) => readPage(list, reads, position),
  };
}

async function readPage(list: NewestFirstList, reads: ListReads, position: StreamPosition): Promise<Page> {
  const { next, startedAt, ...range } = position.next
    ? (position.next as unknown as WalkPosition)
    : { next: undefined, startedAt: undefined, ...rangeOf(list, position) };
  const page = await list.ask(next, range);
  const { downTo = 0, isWhole } = range;
  const walk = { startedAt: startedAt ?? page.at, range };
  if (next === undefined) reads.begin(walk.startedAt);
  const reached = page.reachedDownTo ?? oldestOf(list, page.items);
  const isPast = typeof reached === 'number' && reached < downTo;
  const goesOn = page.next !== undefined && !isPast;
  const mark = next === undefined ? { mark: markOf(list, page) as unknown as Json } : {};
  const nothing = { records: [], count: 0, at: page.at, ...mark };
  if (next === undefined && !isWhole && isAsBefore(list, position, page) && (list.isByUpdate || !goesOn)) {
    reads.end(walk.startedAt);
    return { ...nothing, isUnchanged: true };
  }
  const wanted = page.items.filter((item) => (timeIn(list, item) ?? downTo) >= downTo);
  const { records, problems, notSeen = [] } = await list.convert(wanted);
  if (goesOn) reads.add(walk.startedAt, listedIn(list, page.items));
  const lowest = page.next === undefined ? downTo : typeof reached === 'number' ? reached : undefined;
  const missing = goesOn ? [] : await missingFrom(list, reads, walk, page.items, lowest);
  const allProblems = [...problems, ...(page.problems ?? [])];
  return {
    ...nothing,
    records: [...records, ...missing],
    count: wanted.length,
    ...(page.total !== undefined && { total: page.total }),
    ...(typeof reached === 'number' && !isWhole && { reachedDownTo: reached }),
    ...(goesOn && { next: { ...range, startedAt: walk.startedAt, next: page.next } as unknown as Json }),
    ...(allProblems.length > 0 && { problems: allProblems }),
    ...(notSeen.length > 0 && { notSeen }),
  };
}

/** At the end of a read: what was listed before, and is not any more. */
async function missingFrom(
  list: NewestFirstList,
  reads: ListReads,
  { startedAt, range }: { readonly startedAt: number; readonly range: WalkRange },
  lastItems: readonly unknown[],
  reachedDownTo: number | undefined,
): Promise<readonly SourceRecords[]> {
  const items = reads.end(startedAt);
  const { watched } = list;
  if (!watched || !items || reachedDownTo === undefined) return [];
  const { key, kind } = watched;
  const { lastReadAt } = range;
  return watched.missingFrom({
    key,
    kind,
    startedAt,
    ...(lastReadAt !== undefined && { lastReadAt }),
    items: [...items, ...listedIn(list, lastItems)],
    reachedDownTo,
  });
}

const listedIn = (list: NewestFirstList, items: readonly unknown[]): ListedItem[] =>
  items.flatMap((item) => {
    const at = timeIn(list, item);
    const reference = at === undefined ? undefined : list.watched?.referenceOf(Payload.of(item, list.name));
    return reference === undefined || at === undefined ? [] : [[reference, at] as const];
  });

function rangeOf({ basis = null, readFrom = 0 }: NewestFirstList, { downTo = 0, mark }: StreamPosition): WalkRange {
  const last = mark as unknown as ListMark | undefined;
  const isWhole = last !== undefined && JSON.stringify(last.basis) !== JSON.stringify(basis);
  const wanted = isWhole ? readFrom : Math.max(readFrom, downTo);
  return {
    ...(wanted > 0 && { downTo: wanted }),
    ...(isWhole ? { isWhole } : last && { lastReadAt: last.at }),
  };
}

const markOf = ({ basis = null }: NewestFirstList, { items, at }: PageOfList): ListMark => ({
  digest: createHash('sha256').update(JSON.stringify(items)).digest('hex'),
  basis,
  at,
});

const isAsBefore = (list: NewestFirstList, { mark }: StreamPosition, page: PageOfList): boolean =>
  mark !== undefined && (mark as unknown as ListMark).digest === markOf(list, page).digest;

/** Undefined where the item is of an unknown shape, which its conversion tells. */
function timeIn({ timeOf, name }: NewestFirstList, item: unknown): number | undefined {
  try {
    return timeOf(Payload.of(item, name));
  } catch (error) {
    if (error instanceof UnknownShape) return undefined;
    throw error;
  }
}

function oldestOf(list: NewestFirstList, items: readonly unknown[]): number | undefined {
  const times = items.flatMap((item) => timeIn(list, item) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
