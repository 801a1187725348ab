import type { Json } from '../../../catalogue/record.ts';
import { beforeSince } from '../../not-seen.ts';
import type { Page, Stream, StreamPosition } from '../../source.ts';
import type { Repository } from '../convert/repository.ts';

/** The mark that the first page of a read leaves for the next read. */
export interface StreamMark {
  /** The name that the rows have: after a rename all of them are read again, since each of them has it. */
  readonly repository: string;
  /** What the rows depended on besides what is listed. */
  readonly basis?: string;
  readonly etag?: string;
  /** The item that changed last, and when: it tells that nothing is new where an ETag changes for other reasons. */
  readonly newest?: string;
  /** The provider's clock, in seconds since 1970. */
  readonly at: number;
}

/** Where a read is, and what is the same for all of its pages. */
export interface ReadRange {
  /** Nothing older is wanted, in seconds since 1970. */
  readonly downTo?: number;
  /** When the last complete read began: what has not changed since is as it was read then. */
  readonly lastReadAt?: number;
  /** Everything is read again, however far the last read has come. */
  readonly isWhole?: true;
}

interface RangeStart extends ReadRange {
  /** Of the last read, where its rows have the present name. */
  readonly mark?: StreamMark;
}

/** The extent of a read: only what is new, or everything after a rename or a change of the basis. */
export function rangeOf(repository: Repository, position: StreamPosition, basis?: string): RangeStart {
  const mark = position.mark as unknown as StreamMark | undefined;
  const isOther = mark !== undefined && (mark.repository !== repository.name || mark.basis !== basis);
  const downTo = Math.max(repository.readFrom ?? 0, isOther ? 0 : (position.downTo ?? 0));
  const range = downTo > 0 ? { downTo } : {};
  if (isOther) return { ...range, isWhole: true };
  return { ...range, ...(mark && { mark, lastReadAt: mark.at }) };
}

/** Of a position, only what is the same for all pages. */
export const rangeIn = ({ downTo, lastReadAt, isWhole }: ReadRange): ReadRange => ({
  ...(downTo !== undefined && { downTo }),
  ...(lastReadAt !== undefined && { lastReadAt }),
  ...(isWhole && { isWhole }),
});

/** Whether something is as the last complete read has found it. */
export const isSettled = (updatedAt: number, { lastReadAt = 0 }: ReadRange): boolean =>
  updatedAt < lastReadAt - maxReplicaLag;

/** Seconds. What GitHub answers may be this old. */
const maxReplicaLag = 300;

export const asJson = (value: object): Json => value as Json;

type RepositoryStreamOptions = Pick<Stream, 'name' | 'feeds' | 'rereadSeconds'> & {
  /** As in the stream's id. */
  readonly key: string;
  readonly read: (position: StreamPosition) => Promise<Page>;
};

/** A stream of one repository, known by the repository's own number so that a rename does not begin a new one. */
export const repositoryStream = (repository: Repository, { key, ...rest }: RepositoryStreamOptions): Stream => ({
  id: `${key}@${repository.id}`,
  scope: repository.name,
  notSeen: beforeSince(repository.readFrom),
  ...rest,
});
