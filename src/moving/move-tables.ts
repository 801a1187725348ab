import { setTimeout as pause } from 'node:timers/promises';
import { storedColumns, type Table } from '../catalogue/table.ts';
import { Refusal } from '../refusal.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import { storedTables } from '../warehouse/schema.ts';
import { DigestOfRows, isSame, type RowsDigest } from './rows-digest.ts';

/** A step of the way. */
export interface MoveStep {
  readonly organisation: string | null;
  readonly table: string;
  /** `kept`: it was there already, from an earlier run. */
  readonly state: 'copying' | 'copied' | 'kept' | 'same';
  readonly rows: number;
}

export interface MoveOptions {
  readonly signal: AbortSignal;
  /** Called as the work goes on, and awaited, so that the listener sees the state that the step describes. */
  readonly tell: (step: MoveStep) => void | Promise<void>;
}

type Tables = Pick<IntakePort, 'read' | 'change' | 'stream' | 'holds' | 'remove'>;

const triesMost = 5;
const retryMs = 1_000;

/** Rows in a batch: one insert on their way in. */
const batchRows = 20_000;

/**
 * Copies the tables of one organisation, each in one change, so that a table is there as a whole or not at all. What an
 * earlier run has copied stays. Answers what each table has to be at the new place.
 */
export async function copyTables(
  from: Tables,
  to: Tables,
  organisation: string,
  options: MoveOptions,
): Promise<ReadonlyMap<Table, RowsDigest>> {
  const expected = new Map<Table, RowsDigest>();
  const there = await patiently(() => tablesThere(from, to, organisation, options.signal));
  for (const table of storedTables) {
    const known = there.get(table);
    const digest = known ?? (await patiently(() => copyTable(from, to, organisation, table, options)));
    expected.set(table, digest);
    await options.tell({ organisation, table: table.name, state: known ? 'kept' : 'copied', rows: digest.rows });
  }
  const versions = await from.read(organisation, async (reader) => ({
    directory: await reader.directoryVersion(),
    derivation: await reader.derivationVersion(),
  }));
  await patiently(() =>
    to.change(organisation, async (writer) => {
      await writer.setDirectoryVersion(versions.directory);
      await writer.setDerivationVersion(versions.derivation);
    }),
  );
  return expected;
}

/** Reads the tables of one organisation again where they are now. The first that differs is refused by name. */
export async function verifyTables(
  to: Tables,
  organisation: string,
  expected: ReadonlyMap<Table, RowsDigest>,
  { signal, tell }: MoveOptions,
): Promise<void> {
  for (const [table, want] of expected) {
    const have = await patiently(() => digestOf(to, organisation, table, signal));
    if (!isSame(want, have)) throw different(`Table ${table.name} of organisation ${organisation}`, want, have);
    await tell({ organisation, table: table.name, state: 'same', rows: have.rows });
  }
}

/** Tables that an earlier run has copied and that are still the same. One that is not sends all of them back. */
async function tablesThere(
  from: Tables,
  to: Tables,
  organisation: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<Table, RowsDigest>> {
  const there = new Map<Table, RowsDigest>();
  if (!to.holds(organisation)) return there;
  for (const table of storedTables) {
    const have = await digestOf(to, organisation, table, signal);
    if (have.rows === 0) continue;
    if (!isSame(await digestOf(from, organisation, table, signal), have)) {
      await to.remove(organisation);
      return new Map();
    }
    there.set(table, have);
  }
  return there;
}

/** A server that cannot be reached for a moment does not end the work of hours: what was begun is begun again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== 'unavailable' || tries === triesMost) throw error;
      await pause(retryMs);
    }
  }
}

async function copyTable(
  from: Tables,
  to: Tables,
  organisation: string,
  table: Table,
  { signal, tell }: MoveOptions,
): Promise<RowsDigest> {
  const columns = [...storedColumns(table).keys()];
  const digest = new DigestOfRows(columns);
  const batches = from.stream(organisation, table, columns as never[], { signal, batchRows })[Symbol.asyncIterator]();
  try {
    let next = await batches.next();
    // Nothing is written for a table without rows.
    if (next.done) return digest.end();
    await to.change(organisation, async (writer) => {
      for (; !next.done; next = await batches.next()) {
        signal.throwIfAborted();
        digest.add(next.value);
        await writer.flush([{ table, added: next.value, removed: [], put: [], patches: [] }]);
        await tell({ organisation, table: table.name, state: 'copying', rows: digest.rows });
      }
    });
    return digest.end();
  } finally {
    await batches.return?.();
  }
}

async function digestOf(tables: Tables, organisation: string, table: Table, signal: AbortSignal): Promise<RowsDigest> {
  const columns = [...storedColumns(table).keys()];
  const digest = new DigestOfRows(columns);
  for await (const rows of tables.stream(organisation, table, columns as never[], { signal, batchRows }))
    digest.add(rows);
  return digest.end();
}

export const different = (what: string, want: RowsDigest, have: RowsDigest): Refusal =>
  new Refusal(
    'conflict',
    want.rows === have.rows
      ? `${what} has the same number of rows at the new place, but not the same rows. Nothing was finished: repeat the command to copy it again.`
      : `${what} has ${have.rows} rows at the new place instead of ${want.rows}. Nothing was finished: repeat the command to copy it again.`,
  );
