import type { Page, SourceRecords, Stream } from '../source.ts';
import type { ListedBefore } from './listed-before.ts';
import { type ConvertedItems, type NewestFirstList, newestFirstStream } from './newest-first-stream.ts';

/** A list of a scope, of which one thing can be read by itself: where a webhook names it, or where the list lacks it. */
export interface ListedThings extends Omit<NewestFirstList, 'id' | 'scope' | 'watched' | 'convert'> {
  /** As in the stream's id: `issues`. */
  readonly key: string;
  /** As webhooks call one of them. */
  readonly kind: string;
  referenceOf(item: Parameters<NewestFirstList['timeOf']>[0]): string;
  convert(items: readonly unknown[]): Promise<ConvertedItems>;
  /** One as it is now. Without a body where it is gone. */
  readOne(reference: string): Promise<{ readonly body?: unknown; readonly at: number }>;
  /** What is to be removed of one that is gone. */
  gone(reference: string): readonly SourceRecords[];
}

export const thingsStream = <Scope extends { readonly id: string; readonly name: string }>(
  scope: Scope,
  { key, kind, referenceOf, ...list }: ListedThings,
  before: ListedBefore<Scope>,
): Stream =>
  newestFirstStream({
    ...list,
    id: `${key}@${scope.id}`,
    scope: scope.name,
    watched: { key, kind, referenceOf, missingFrom: (read) => before.missingFrom(scope, read) },
  });

export async function readThing({ readOne, convert, gone }: ListedThings, reference: string): Promise<Page> {
  const { body, at } = await readOne(reference);
  if (body === undefined) return { records: gone(reference), count: 1, at };
  const { problems, ...converted } = await convert([body]);
  return { ...converted, count: 1, at, ...(problems.length > 0 && { problems }) };
}

/** Removes a row, with what belongs to it. */
export const removal = (table: SourceRecords['table'], key: Readonly<Record<string, unknown>>): SourceRecords => ({
  table,
  records: [{ ...key, _deleted: true }],
});
