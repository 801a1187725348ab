import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Table } from '../catalogue/table.ts';
import { Refusal } from '../refusal.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import { type MovingPort, noRows, type RowsDigest, type RowsPortion, together } from '../warehouse/moving-port.ts';
import { storedTables } from '../warehouse/schema.ts';

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

type Tables = Pick<IntakePort, 'read' | 'change' | 'holds' | 'remove'> & { readonly moving: MovingPort };

const maxTries = 5;
const retryMs = 1_000;

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
    const have = await patiently(() => to.moving.digest(organisation, table, { signal }));
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
    const have = await to.moving.digest(organisation, table, { signal });
    if (have.rows === 0) continue;
    if (!isSame(await from.moving.digest(organisation, table, { signal }), have)) {
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
      if (!(error instanceof Refusal) || error.reason !== 'unavailable' || tries === maxTries) throw error;
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
  const portions = from.moving.rowsOut(organisation, table, { signal });
  const first = await portions.next();
  // Nothing is written for a table without rows.
  if (first.done) return noRows;
  let copied = noRows;
  const counted = async (portion: RowsPortion) => {
    copied = together(copied, portion);
    await tell({ organisation, table: table.name, state: 'copying', rows: copied.rows });
  };
  try {
    await to.moving.rowsIn(organisation, table, oneAhead(first.value, portions, signal, counted));
    return copied;
  } finally {
    // A writer that fails at once leaves the first file unread.
    first.value.parquet.destroy();
    await portions.return(undefined);
  }
}

/** While one portion is written at the new place the next one is read at the old. */
async function* oneAhead(
  first: RowsPortion,
  portions: AsyncGenerator<RowsPortion>,
  signal: AbortSignal,
  written: (portion: RowsPortion) => Promise<void>,
): AsyncGenerator<RowsPortion> {
  let portion: RowsPortion | undefined = first;
  let reading: ReturnType<typeof portions.next> | undefined;
  try {
    while (portion) {
      reading = portions.next();
      // Awaited below: until then its failure must not end the process.
      reading.catch(() => {});
      signal.throwIfAborted();
      yield portion;
      await written(portion);
      const next: IteratorResult<RowsPortion> = await reading;
      portion = next.done ? undefined : next.value;
    }
  } finally {
    // Rows that were read and not written keep a file or a connection open.
    const left = await reading?.catch(() => undefined);
    if (left && !left.done) left.value.parquet.destroy();
  }
}

export const different = (what: string, want: RowsDigest, have: RowsDigest): Refusal =>
  new Refusal(
    'conflict',
    want.rows === have.rows
      ? `${what} has the same number of rows at the new place, but not the same rows. Nothing was finished: repeat the command to copy it again.`
      : `${what} has ${have.rows} rows at the new place instead of ${want.rows}. Nothing was finished: repeat the command to copy it again.`,
  );

/** A digest of rows that come batch by batch and always in the same order, each as the values of the same columns. */
export class DigestOfRows {
  readonly #columns: readonly string[];
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(rows: readonly Readonly<Record<string, unknown>>[]): void {
    const lines = rows.map((row) => `${JSON.stringify(this.#columns.map((name) => row[name] ?? null))}\n`);
    this.#hash.update(lines.join(''));
    this.#rows += rows.length;
  }

  end(): RowsDigest {
    return { rows: this.#rows, digest: this.#hash.digest('hex') };
  }
}

export const isSame = (one: RowsDigest, other: RowsDigest): boolean =>
  one.rows === other.rows && one.digest === other.digest;
