import { orderColumn } from '../catalogue/table.ts';
import { factTables, isFactTable } from '../catalogue/tables/tables.ts';
import type { Page } from '../sources/source.ts';

/** Pages that are stored together, as one. */
export function joinPages(pages: readonly Page[]): Page {
  const [first, ...others] = pages;
  if (!first) throw new Error('nothing was read');
  return others.reduce(
    (all, page) => ({
      ...page,
      records: [...all.records, ...page.records],
      count: all.count + page.count,
      problems: [...(all.problems ?? []), ...(page.problems ?? [])],
    }),
    first,
  );
}

/** Whether a page holds things and none of them could be converted: its shape is not the one that is known. */
export const isUnreadable = ({ problems = [], records, directory }: Page): boolean =>
  problems.length > 0 && directory === undefined && records.every((some) => some.records.length === 0);

/** The latest of the times that the rows of a table are kept in the order of. */
export function newestRecordAt(page: Page, before: number | undefined): number | undefined {
  let newest = before ?? Number.NEGATIVE_INFINITY;
  for (const { table, records } of page.records) {
    const column = isFactTable(table) ? orderColumn(factTables[table]) : undefined;
    if (column === undefined) continue;
    for (const record of records) {
      const ms = Date.parse(String(record[column]));
      if (ms > newest) newest = ms;
    }
  }
  return newest === Number.NEGATIVE_INFINITY ? undefined : newest;
}
