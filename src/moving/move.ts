import type { Table } from '../catalogue/table.ts';
import { pagesOf } from '../safety/row-pages.ts';
import { type StoreRowOf, type StoreTable, storeTables } from '../store/all-store-tables.ts';
import { type Actor, writeEvents } from '../store/audit.ts';
import { listOrganisations } from '../store/organisation-rows.ts';
import { insertRows } from '../store/put-rows.ts';
import type { Reading, Store, Writing } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MovingPort, RowsDigest } from '../warehouse/moving-port.ts';
import { type Destination, type DestinationLimits, type DestinationPlace, openDestination } from './destination.ts';
import { copyTables, DigestOfRows, different, isSame, type MoveOptions, verifyTables } from './move-tables.ts';

/** The present place. */
export interface MoveSource extends DestinationLimits {
  readonly store: Store;
  readonly warehouse: IntakePort & { readonly moving: MovingPort };
}

interface Moved {
  readonly organisations: number;
  readonly rows: number;
}

/**
 * Copies everything to another place, which is empty or holds only what an earlier run has left. Writes to the old
 * place are refused meanwhile; afterwards `keepsHold` says whether that stays so. Tables come first and the store last:
 * until the store is copied, the new place looks empty to a reader.
 */
export async function moveEverything(
  source: MoveSource,
  place: DestinationPlace,
  options: MoveOptions & { readonly actor: Actor; readonly at: Date; readonly keepsHold: boolean },
): Promise<Moved> {
  const destination = await openDestination(place, source);
  try {
    const hold = await source.store.holdWrites();
    let isDone = false;
    try {
      const moved = await copyAndCompare(source, destination, hold.confirm, options);
      isDone = true;
      return moved;
    } finally {
      if (!isDone || !options.keepsHold) await hold.release();
    }
  } finally {
    await destination.close();
  }
}

async function copyAndCompare(
  { store, warehouse }: MoveSource,
  { tables, complete }: Destination,
  confirm: () => Promise<void>,
  options: MoveOptions & { readonly actor: Actor; readonly at: Date },
): Promise<Moved> {
  const { actor, at } = options;
  const known = await store.read(listOrganisations);
  const held = known.map(({ id }) => id).filter((id) => warehouse.holds(id));
  const expected = new Map<string, ReadonlyMap<Table, RowsDigest>>();
  for (const id of held) expected.set(id, await copyTables(warehouse, tables, id, options));
  for (const [id, digests] of expected) await verifyTables(tables, id, digests, options);
  const rowsOf = (id: string) => [...(expected.get(id)?.values() ?? [])].reduce((sum, { rows }) => sum + rows, 0);
  let stored = 0;
  await store.read((from) =>
    complete(async (to) => {
      stored = await copyStore(from, to, options);
      const event = { actor, at, action: 'organisation.migrate' } as const;
      await writeEvents(
        to,
        known.map(({ id }) => ({ ...event, organisationId: id, subject: id, rows: rowsOf(id) })),
      );
      // Where the hold was lost, another process may have written at the old place.
      await confirm();
    }),
  );
  return { organisations: known.length, rows: held.reduce((sum, id) => sum + rowsOf(id), stored) };
}

/** Copies the store into an empty one, in the transaction of the new one, and compares it there before it is kept. */
async function copyStore(from: Reading, to: Writing, { signal, tell }: MoveOptions): Promise<number> {
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
