import { createHash } from 'node:crypto';
import type { Json } from '../../catalogue/record.ts';
import type { ItemList } from '../paging.ts';
import { Payload } from '../payload.ts';
import type { Page, Stream } from '../source.ts';
import type { ConvertedItems } from './newest-first-stream.ts';

/** Things that are still open, and how one that no longer is among them is read. */
interface OpenThings extends Pick<Stream, 'id' | 'name' | 'scope' | 'feeds' | 'notSeen'> {
  list(): Promise<ItemList>;
  idOf(item: Payload): string;
  convert(items: readonly unknown[]): ConvertedItems;
  reread(id: string): Promise<Page>;
}

/** The open things of the last read. */
interface OpenBefore {
  readonly ids: readonly string[];
  readonly digest: string;
}

/** So many are remembered: of more, the list itself says how they end only while it is read. */
const maxRemembered = 1_000;

/**
 * What is open, read as a whole each time. A list of what is new never has the end of something old, so whatever was open
 * at the last read and is not any more is read by itself. What was open is remembered only once its rows are stored.
 */
export const openThingsStream = ({ list, idOf, convert, reread, ...stream }: OpenThings): Stream => ({
  ...stream,
  read: async ({ mark }) => {
    const { items, at } = await list();
    const before = mark as unknown as OpenBefore | undefined;
    const ids = items.map((item) => idOf(Payload.of(item, stream.name)));
    const open = new Set(ids);
    const digest = createHash('sha256').update(JSON.stringify(items)).digest('hex');
    const ended: Page[] = [];
    for (const id of before?.ids ?? []) if (!open.has(id)) ended.push(await reread(id));
    const after: OpenBefore = { ids: ids.slice(0, maxRemembered), digest };
    const page = { count: items.length, total: items.length, at, mark: after as unknown as Json };
    if (before?.digest === digest && ended.length === 0) return { ...page, records: [], isUnchanged: true };
    const { records, problems, notSeen = [] } = convert(items);
    const allProblems = [...problems, ...ended.flatMap((one) => one.problems ?? [])];
    return {
      ...page,
      records: [...records, ...ended.flatMap((one) => one.records)],
      ...(allProblems.length > 0 && { problems: allProblems }),
      ...(notSeen.length > 0 && { notSeen }),
    };
  },
});
