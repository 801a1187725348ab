import { isFactTable } from '../../src/catalogue/tables/all-tables.ts';
import type { Page, Stream, StreamPosition } from '../../src/sources/source.ts';

/** What a read of a stream has brought, page after page. */
export interface WholeRead {
  readonly pages: readonly Page[];
  /** The records of a table, in the order in which they came. */
  of(table: string): readonly Readonly<Record<string, unknown>>[];
  readonly mark: Page['mark'];
}

/** Reads a stream to its end, as a sync does. */
export async function readWhole(stream: Stream, from: StreamPosition = {}): Promise<WholeRead> {
  const pages: Page[] = [];
  let position = from;
  for (;;) {
    const page = await stream.read(position);
    pages.push(page);
    if (page.next === undefined) break;
    position = { ...from, next: page.next };
  }
  const records = pages.flatMap((page) => page.records);
  const others = records.filter(({ table }) => isFactTable(table) && !stream.feeds.includes(table));
  if (others.length > 0) throw new Error(`${stream.id} does not say that it feeds ${others[0]?.table}`);
  return {
    pages,
    of: (table) => records.filter((some) => some.table === table).flatMap((some) => some.records),
    mark: pages[0]?.mark,
  };
}
