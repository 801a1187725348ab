import { secondsPerDay } from '../calendar.ts';
import type { Json } from '../catalogue/record.ts';
import type { Page, Stream, StreamPosition } from '../sources/source.ts';

/** How far a stream has been read. Kept in the store, and only ever behind what is stored in the tables. */
export interface StreamState {
  /** The first read of everything, newest first. Gone once it has reached the end. */
  readonly history?: Walk;
  readonly hasHistory?: true;
  /** What has changed since `readUpTo`, or everything where a stream is read as a whole. Gone once it is read. */
  readonly changes?: Walk;
  /** Everything that changed up to this moment has been read, or is what `history` has yet to reach. */
  readonly readUpTo?: number;
  /** What the first page of the last read gave to recognise it by. */
  readonly mark?: Json;
}

/** A read under way, from the newest downwards. Times in seconds since 1970, by the provider's clock. */
export interface Walk {
  readonly startedAt: number;
  /** Where it goes on. */
  readonly next: Json;
  /** How far it goes down; to the end where it is absent. */
  readonly downTo?: number;
  /** How far down it is. */
  readonly reachedDownTo?: number;
  readonly mark?: Json;
}

export type WalkName = 'changes' | 'history';

/** The next page to read: of which walk, and where. */
export interface Step {
  readonly walk: WalkName;
  readonly position: StreamPosition;
  /** Whether it brings the newest month, which everybody waits for. */
  readonly isRecent: boolean;
}

export const recentSeconds = 30 * secondsPerDay;

/** What comes next of a stream: changes where they are due, then history. Nothing where all of it is read. */
export function nextStep(
  state: StreamState,
  { rereadSeconds }: Pick<Stream, 'rereadSeconds'>,
  areChangesDue: boolean,
): Step | undefined {
  const { changes, history, readUpTo, mark, hasHistory } = state;
  if (changes) return { walk: 'changes', position: onwards(changes), isRecent: true };
  const isWhole = rereadSeconds === undefined;
  if (areChangesDue && (isWhole || readUpTo !== undefined)) {
    const downTo = isWhole || readUpTo === undefined ? {} : { downTo: readUpTo - rereadSeconds };
    return { walk: 'changes', position: { ...downTo, ...(mark === undefined ? {} : { mark }) }, isRecent: true };
  }
  if (isWhole || hasHistory) return undefined;
  if (!history) return { walk: 'history', position: {}, isRecent: true };
  const { startedAt, reachedDownTo } = history;
  const isRecent = reachedDownTo !== undefined && reachedDownTo > startedAt - recentSeconds;
  return { walk: 'history', position: onwards(history), isRecent };
}

const onwards = ({ next, downTo }: Walk): StreamPosition => ({ next, ...(downTo === undefined ? {} : { downTo }) });

/** The state once the rows of a page are stored. */
export function afterPage(state: StreamState, { walk, position }: Step, page: Page): StreamState {
  const before = state[walk];
  const startedAt = before?.startedAt ?? page.at;
  const mark = before ? before.mark : page.mark;
  const { downTo } = position;
  const { [walk]: _, ...others } = state;
  const isAtEnd =
    page.next === undefined ||
    page.isUnchanged === true ||
    (downTo !== undefined && page.reachedDownTo !== undefined && page.reachedDownTo <= downTo);
  const marked = mark === undefined ? {} : { mark };
  if (!isAtEnd) {
    const reached = page.reachedDownTo === undefined ? {} : { reachedDownTo: page.reachedDownTo };
    const goesOn = {
      startedAt,
      next: page.next as Json,
      ...(downTo === undefined ? {} : { downTo }),
      ...reached,
      ...marked,
    };
    // What changes while history is read comes with the next read of changes.
    const isFirst = walk === 'history' && !before;
    return { ...others, ...(isFirst ? { readUpTo: startedAt, ...marked } : {}), [walk]: goesOn };
  }
  if (walk === 'history') {
    return { ...others, hasHistory: true, ...(before ? {} : { readUpTo: startedAt, ...marked }) };
  }
  // A page that is unchanged says again what it is recognised by, or says nothing and is still recognised by the same.
  return { ...others, readUpTo: startedAt, ...marked };
}

/** How far the first read has come down, in seconds since 1970; undefined once it is over. */
export const readBackTo = ({ history }: StreamState): number | undefined =>
  history && (history.reachedDownTo ?? history.startedAt);

/** Whether all of the newest thirty days have been read, or everything. Of what is read as a whole its ends say so. */
export const hasRecent = ({ history, hasHistory }: StreamState): boolean =>
  hasHistory === true ||
  (history?.reachedDownTo !== undefined && history.reachedDownTo <= history.startedAt - recentSeconds);
