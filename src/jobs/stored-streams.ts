import { secondsPerDay } from '../calendar.ts';
import type { Json } from '../catalogue/record.ts';
import { joinNotSeen, type NotSeen } from '../sources/not-seen.ts';
import type { Page, Stream, StreamPosition } from '../sources/source.ts';
import { GroupedWrites } from '../store/grouped-writes.ts';
import { forgetErrors, listStreams, putStreams, type SourceStreamRow } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';

/** A stream as the store knows it: how far it is read, and how that went. Times in milliseconds since 1970, our clock. */
export interface StoredStream {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly state: StreamState;
  /** Things that were read, and that there are in all as far as the provider says. */
  readonly readCount: number;
  readonly estimatedCount?: number;
  readonly succeededAt?: number;
  readonly failedAt?: number;
  /** The error of the last read. */
  readonly error?: string;
  readonly toDo?: string;
  readonly newestRecordAt?: number;
  /** The tables that it feeds, and whether with reports of whole days. */
  readonly feeds: readonly string[];
  readonly isDaily?: boolean;
  /** The end of its last complete read, or of the one that brought the newest thirty days. */
  readonly completeAt?: number;
  /** How far down its first read has come, until that is over. */
  readonly readBackTo?: number;
  /** Since when it could not be read to its end. */
  readonly failingSince?: number;
  /** The host says that it is gone, or nothing for this token. */
  readonly isRefused?: boolean;
  readonly notSeen?: StoredNotSeen;
}

/** What a stream could not see: what it said of itself when it was last listed, and what its pages have said. */
export interface StoredNotSeen {
  readonly ofStream: readonly NotSeen[];
  readonly ofPages: readonly NotSeen[];
}

/** Where the sync stores its position. */
export interface StreamStates {
  load(): Promise<readonly StoredStream[]>;
  /** Durable when it resolves. A stream is saved again only after that. */
  save(stream: StoredStream): Promise<void>;
  /** Of streams that are no longer listed: nobody can put their errors right. */
  forgetErrors(streamIds: readonly string[]): Promise<void>;
}

/** The streams of one source, in the store. */
export class StoredStreams implements StreamStates {
  readonly #store: Pick<Store, 'read' | 'note'>;
  readonly #organisationId: string;
  readonly #sourceId: string;
  readonly #now: () => Date;
  readonly #saved = new GroupedWrites((streams: readonly StoredStream[]) => this.#put(streams));

  constructor(
    store: Pick<Store, 'read' | 'note'>,
    { organisationId, sourceId }: { readonly organisationId: string; readonly sourceId: string },
    now: () => Date,
  ) {
    this.#store = store;
    this.#organisationId = organisationId;
    this.#sourceId = sourceId;
    this.#now = now;
  }

  async load(): Promise<readonly StoredStream[]> {
    const rows = await this.#store.read((session) => listStreams(session, this.#sourceId), {
      organisationId: this.#organisationId,
    });
    return rows.map(streamOf);
  }

  save(stream: StoredStream): Promise<void> {
    return this.#saved.add(stream);
  }

  forgetErrors(streamIds: readonly string[]): Promise<void> {
    return this.#store.note((session) => forgetErrors(session, this.#sourceId, streamIds));
  }

  async #put(streams: readonly StoredStream[]): Promise<undefined[]> {
    await this.#store.note((session) =>
      putStreams(
        session,
        streams.map((stream) => this.#rowOf(stream)),
      ),
    );
    return streams.map(() => undefined);
  }

  #rowOf(stream: StoredStream): SourceStreamRow {
    return {
      source_id: this.#sourceId,
      stream_id: stream.id,
      organisation_id: this.#organisationId,
      name: stream.name,
      scope: stream.scope,
      state: JSON.stringify(stream.state),
      updated_at: this.#now(),
      succeeded_at: dateOf(stream.succeededAt),
      failed_at: dateOf(stream.failedAt),
      error: stream.error ?? null,
      to_do: stream.toDo ?? null,
      read_count: stream.readCount,
      estimated_count: stream.estimatedCount ?? null,
      newest_record_at: dateOf(stream.newestRecordAt),
      feeds: JSON.stringify(stream.feeds),
      is_daily: stream.isDaily ?? null,
      complete_at: dateOf(stream.completeAt),
      read_back_to: dateOf(stream.readBackTo),
      failing_since: dateOf(stream.failingSince),
      is_refused: stream.isRefused ?? null,
      not_seen: isEmpty(stream.notSeen) ? null : JSON.stringify(stream.notSeen),
    };
  }
}

function streamOf(row: SourceStreamRow): StoredStream {
  return {
    id: row.stream_id,
    name: row.name,
    scope: row.scope,
    state: JSON.parse(row.state) as StreamState,
    readCount: Number(row.read_count),
    feeds: row.feeds === null ? [] : (JSON.parse(row.feeds) as string[]),
    ...present({
      estimatedCount: row.estimated_count === null ? undefined : Number(row.estimated_count),
      succeededAt: row.succeeded_at?.getTime(),
      failedAt: row.failed_at?.getTime(),
      error: row.error ?? undefined,
      toDo: row.to_do ?? undefined,
      newestRecordAt: row.newest_record_at?.getTime(),
      isDaily: row.is_daily ?? undefined,
      completeAt: row.complete_at?.getTime(),
      readBackTo: row.read_back_to?.getTime(),
      failingSince: row.failing_since?.getTime(),
      isRefused: row.is_refused ?? undefined,
      notSeen: row.not_seen === null ? undefined : (JSON.parse(row.not_seen) as StoredNotSeen),
    }),
  };
}

const isEmpty = ({ ofStream, ofPages }: StoredNotSeen = { ofStream: [], ofPages: [] }): boolean =>
  ofStream.length + ofPages.length === 0;

const dateOf = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));

function present<T extends object>(values: T): { [N in keyof T]?: Exclude<T[N], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** How far a stream has been read. Kept in the store, and only ever behind what is stored in the tables. */
export interface StreamState {
  /** The first read of everything, newest first. Gone once it has reached the end. */
  readonly history?: Walk;
  readonly hasHistory?: true;
  /**
   * The walk over what has changed since `readUpTo`, or over everything where a stream is read as a whole. Gone once it
   * is read.
   */
  readonly changes?: Walk;
  /** Changes up to this moment have been read, or `history` has yet to reach them. */
  readonly readUpTo?: number;
  /** The mark by which the first page of the last read is recognised. */
  readonly mark?: Json;
}

/** A read under way, from the newest downwards. Times in seconds since 1970, by the provider's clock. */
interface Walk {
  readonly startedAt: number;
  /** The position at which it continues. */
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

/** The next walk of a stream: changes where they are due, then history. Undefined where all of it is read. */
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
    // Changes made while history is read come with the next read of changes.
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

type Statements = readonly NotSeen[];

/**
 * What the pages of a stream said that they could not see. It stays until a read that would find it again does not: of a
 * stream that is read as a whole everything, else missing rights alone. Pages of older history are not read again.
 */
export class NotSeenByWalks {
  /** Of walks that began in this process. */
  readonly #found: { [W in WalkName]?: Statements } = {};

  /** What is known once a page is stored. */
  afterPage(
    known: Statements,
    { walk, position }: Pick<Step, 'walk' | 'position'>,
    { notSeen = [], isUnchanged }: Pick<Page, 'notSeen' | 'isUnchanged'>,
    { isWalked, isWhole }: { readonly isWalked: boolean; readonly isWhole: boolean },
  ): Statements {
    if (position.next === undefined) this.#found[walk] = [];
    const before = this.#found[walk];
    const found = joinNotSeen(before ?? [], notSeen);
    if (before) this.#found[walk] = found;
    const isReadAgain = walk === 'changes' && isWalked && before !== undefined && !isUnchanged;
    if (!isReadAgain) return joinNotSeen(known, found);
    return joinNotSeen(isWhole ? [] : known.filter(({ why }) => why !== 'right'), found);
  }
}
