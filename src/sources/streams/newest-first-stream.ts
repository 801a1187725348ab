import { createHash } from 'node:crypto';
import type { Json } from '../../catalogue/record.ts';
import type { PageOfList } from '../paging.ts';
import { Payload, UnknownShape } from '../payload.ts';
import type { Page, SourceRecords, Stream, StreamPosition } from '../source.ts';

/** How far down a read goes. */
export interface WalkRange {
  /** Nothing older is wanted, in seconds since 1970. */
  readonly downTo?: number;
  /** Everything is read again, however far the last read has come. */
  readonly isWhole?: true;
}

export interface ConvertedItems {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

/** A list that has its newest items first, and what they become. */
interface NewestFirstList
  extends Pick<Stream, 'id' | 'name' | 'scope' | 'feeds' | 'isDaily'>,
    Required<Pick<Stream, 'rereadSeconds'>> {
  /** A page of it, the newest where nothing is next. */
  ask(next: Json | undefined, range: WalkRange): Promise<AskedPage>;
  /** The time that the list is in the order of, in seconds since 1970. */
  timeOf(item: Payload): number;
  convert(items: readonly unknown[]): ConvertedItems | Promise<ConvertedItems>;
  /** The list is in the order of updates: where its first page is as before, so is all of it. */
  readonly isByUpdate?: true;
  /** Nothing older is wanted at all, in seconds since 1970. */
  readonly readFrom?: number | undefined;
  /** What records depend on besides what is read. Where it has changed since the last read, everything is read again. */
  readonly basis?: Json;
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
}

/** What the first page of a read leaves for the next read. */
interface ListMark {
  readonly digest: string;
  readonly basis: Json;
}

export function newestFirstStream(list: NewestFirstList): Stream {
  const { id, name, scope, feeds, rereadSeconds, isDaily } = list;
  return {
    id,
    name,
    scope,
    feeds,
    rereadSeconds,
    ...(isDaily && { isDaily }),
    read: (position) => readPage(list, position),
  };
}

async function readPage(list: NewestFirstList, position: StreamPosition): Promise<Page> {
  const { next, ...range } = position.next
    ? (position.next as unknown as WalkPosition)
    : { next: undefined, ...rangeOf(list, position) };
  const page = await list.ask(next, range);
  const { downTo = 0, isWhole } = range;
  const reached = page.reachedDownTo ?? oldestOf(list, page.items);
  const isPast = typeof reached === 'number' && reached < downTo;
  const goesOn = page.next !== undefined && !isPast;
  const mark = next === undefined ? { mark: markOf(list, page.items) as unknown as Json } : {};
  const nothing = { records: [], count: 0, at: page.at, ...mark };
  if (next === undefined && !isWhole && isAsBefore(list, position, page) && (list.isByUpdate || !goesOn)) {
    return { ...nothing, isUnchanged: true };
  }
  const wanted = page.items.filter((item) => (timeIn(list, item) ?? downTo) >= downTo);
  const { records, problems } = await list.convert(wanted);
  const allProblems = [...problems, ...(page.problems ?? [])];
  return {
    ...nothing,
    records,
    count: wanted.length,
    ...(page.total !== undefined && { total: page.total }),
    ...(typeof reached === 'number' && !isWhole && { reachedDownTo: reached }),
    ...(goesOn && { next: { ...range, next: page.next } as unknown as Json }),
    ...(allProblems.length > 0 && { problems: allProblems }),
  };
}

function rangeOf({ basis = null, readFrom = 0 }: NewestFirstList, { downTo = 0, mark }: StreamPosition): WalkRange {
  const last = mark as unknown as ListMark | undefined;
  const isWhole = last !== undefined && JSON.stringify(last.basis) !== JSON.stringify(basis);
  const wanted = isWhole ? readFrom : Math.max(readFrom, downTo);
  return { ...(wanted > 0 && { downTo: wanted }), ...(isWhole && { isWhole }) };
}

const markOf = ({ basis = null }: NewestFirstList, items: readonly unknown[]): ListMark => ({
  digest: createHash('sha256').update(JSON.stringify(items)).digest('hex'),
  basis,
});

const isAsBefore = (list: NewestFirstList, { mark }: StreamPosition, { items }: PageOfList): boolean =>
  mark !== undefined && (mark as unknown as ListMark).digest === markOf(list, items).digest;

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
