import { pagesOf } from '../safety/table-pages.ts';
import { insertRows } from '../store/rows.ts';
import type { Reading, Writing } from '../store/store.ts';
import { type StoreRowOf, type StoreTable, storeTables } from '../store/tables.ts';
import type { RowsDigest } from '../warehouse/moving-port.ts';
import { different, type MoveOptions } from './move-tables.ts';
import { DigestOfRows, isSame } from './rows-digest.ts';

/** Copies the store into an empty one, in the transaction of the new one, and compares it there before it is kept. */
export async function copyStore(from: Reading, to: Writing, { signal, tell }: MoveOptions): Promise<number> {
  let rows = 0;
  for (const table of storeTables) {
    signal.throwIfAborted();
    const want = new DigestOfRows(Object.keys(table.columns));
    for await (const page of pagesOf(from, table)) {
      want.add(page);
      await insertRows(to, table, page as readonly StoreRowOf<StoreTable>[]);
    }
    const copied = want.end();
    await tell({ organisation: null, table: table.name, state: 'copied', rows: copied.rows });
    const have = await digestOf(to, table);
    if (!isSame(copied, have)) throw different(`Table ${table.name} of the store`, copied, have);
    await tell({ organisation: null, table: table.name, state: 'same', rows: have.rows });
    rows += have.rows;
  }
  return rows;
}

async function digestOf(session: Reading, table: StoreTable): Promise<RowsDigest> {
  const digest = new DigestOfRows(Object.keys(table.columns));
  for await (const page of pagesOf(session, table)) digest.add(page);
  return digest.end();
}
