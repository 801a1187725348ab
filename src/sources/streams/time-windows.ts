import type { Json } from '../../catalogue/record.ts';
import type { PageOfList } from '../paging.ts';
import type { AskedPage, WalkRange } from './newest-first-stream.ts';

/** In seconds since 1970. */
interface AskedWindow {
  readonly from: number;
  readonly until: number;
}

/** A list that its provider gives only of a window of time, and of a window only so much. */
interface WindowedList {
  /** The provider's clock, in seconds since 1970. */
  readonly now: number;
  /** Nothing of it is older, in seconds since 1970. */
  readonly startsAt: number;
  /** In seconds: the newest window, and the widest that the provider allows. */
  readonly firstWidth: number;
  readonly maxWidth: number;
  /** Of a window that has fewer items, the next one is twice as wide: quiet years take few requests. */
  readonly fewItems: number;
  /** A page of a window. `isFull` says that the provider gives nothing behind it, though there is more. */
  ask(window: AskedWindow, next: Json | undefined): Promise<PageOfList & { readonly isFull?: boolean }>;
}

interface WindowPosition {
  readonly until: number;
  readonly width: number;
  /** Items on the pages of this window so far. */
  readonly found: number;
  readonly next?: Json;
}

const minWidth = 60;
/** Whether a provider counts the ends of a window in is its own secret: windows overlap by so many seconds. */
const overlap = 1;

/** Asks window after window, the newest first, for `ask` of a stream that reads newest first. */
export const windowsDown =
  (list: WindowedList) =>
  async (next: Json | undefined, { downTo = 0 }: WalkRange): Promise<AskedPage> => {
    const start = Math.max(list.startsAt, downTo);
    const position = (next as unknown as WindowPosition | undefined) ?? {
      until: list.now + minWidth,
      width: Math.max(0, Math.min(list.firstWidth, list.now - start)) + minWidth,
      found: 0,
    };
    const { until, width, found } = position;
    const from = until - width;
    const page = await list.ask({ from, until }, position.next);
    const count = found + page.items.length;
    if (page.isFull && width > minWidth) {
      // Its items are read again in the narrower windows.
      const half = { until, width: Math.max(minWidth, Math.ceil(width / 2)), found: 0 };
      return { ...page, reachedDownTo: 'unknown', next: half };
    }
    const problems = page.isFull ? { problems: ['more was created within a minute than the provider gives'] } : {};
    if (page.next !== undefined && !page.isFull) {
      return { ...page, reachedDownTo: 'unknown', next: { until, width, found: count, next: page.next } };
    }
    const { next: _, ...last } = page;
    const below = { until: from + overlap, width: widthBelow(list, width, count, from - start), found: 0 };
    return { ...last, ...problems, reachedDownTo: from, ...(from > start && { next: below }) };
  };

function widthBelow({ fewItems, maxWidth }: WindowedList, width: number, count: number, left: number): number {
  const wanted = count < fewItems ? width * 2 : width;
  return Math.max(minWidth, Math.min(wanted, maxWidth, left + overlap));
}
