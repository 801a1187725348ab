import { organisationCopy, repositoriesCopy } from '../../catalogue/directory-copies.ts';
import { type Row, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import { columnPicker, rowComparison } from '../../warehouse/row-shapes.ts';
import { derivationRules } from '../../warehouse/schema.ts';
import { tableOf } from '../apply/batch.ts';
import { touchEveryRepository } from '../attribute/repository-parts.ts';
import { TouchedRows } from '../attribute/touched-rows.ts';
import { derivations } from '../derive/all-derivations.ts';
import { type DerivationSetting, derivationSettings } from '../derive/derivation.ts';
import { type Portion, runPipeline } from '../pipeline.ts';
import { keyPortions } from '../read/stored-rows.ts';
import { rederive } from '../rederive.ts';
import { rowsOfChangedAccounts } from '../resolve/known-accounts.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { keyed } from '../write/table-overlay.ts';
import { hasContentOf, type KnownDirectory } from './known-directory.ts';

/**
 * Brings a warehouse to the state of the directory: the copies of people, teams and settings, and every row whose
 * derived columns depend on what has changed. All of it is one change to those who read. Returns whether there was
 * anything to do. The copies are compared with the directory that the tables are known to have had before, or else read:
 * with ten thousand people that takes half of the time.
 */
export async function publish(
  session: IntakeSession,
  directory: KnownDirectory,
  before?: KnownDirectory,
): Promise<boolean> {
  const published = await session.directoryVersion();
  if (published === directory.version) return false;
  if (published === 0 && (await isEmpty(session))) await session.setDerivationVersion(derivationRules);
  if (hasContentOf(directory, published)) {
    await session.setDirectoryVersion(directory.version);
    return false;
  }
  const changed = await copyDirectory(
    session,
    directory,
    before && hasContentOf(before, published) ? before : undefined,
  );
  const [settingsBefore] = changed.get(organisationCopy) ?? [];
  const settings = directory.copies().get(organisationCopy)?.[0];
  const isChanged = (column: string) => settingsBefore !== undefined && settingsBefore[column] !== settings?.[column];
  if (isChanged('time_zone')) {
    // Days, hours and quarters are in the time zone of the organisation, so nearly everything is recomputed.
    await rederive(session, directory);
    return true;
  }
  const repositories = (changed.get(repositoriesCopy) ?? []).map((row) => String(row.repository_key));
  const touched = new TouchedRows();
  if (isChanged('incident_window_days')) await touchEveryRepository(session, touched);
  else for (const key of repositories) touched.repository(key);
  await runPipeline(session, directory, affectedRows(session, directory, isChanged), { touched });
  return true;
}

/** The copies alone. Returns the rows that differed from those of the directory before, or from the stored ones. */
export async function copyDirectory(
  session: IntakeSession,
  directory: KnownDirectory,
  before: KnownDirectory | undefined,
): Promise<ReadonlyMap<Table, readonly Row[]>> {
  const changed = new Map<Table, readonly Row[]>();
  const shown = before?.copies();
  for (const [table, rows] of directory.copies()) {
    changed.set(table, await copy(session, table, shown?.get(table) ?? (await storedRows(session, table)), rows));
  }
  await session.setDirectoryVersion(directory.version);
  return changed;
}

/** Stored rows that mean another person now, and those of derivations that read a setting which has changed. */
async function* affectedRows(
  session: IntakeSession,
  { resolver }: KnownDirectory,
  isChanged: (column: string) => boolean,
): AsyncGenerator<Portion> {
  yield* rowsOfChangedAccounts(session, resolver);
  for (const one of derivations) {
    if (one.kind !== 'row') continue;
    for (const [setting, column] of Object.entries(one.settings ?? {})) {
      if (!isChanged(derivationSettings[setting as DerivationSetting])) continue;
      for (const where of await keyPortions(session, one.table, { column, isNull: false })) {
        yield (batch) => tableOf(batch, one.table.name as FactTable).load(session, where);
      }
    }
  }
}

/** Whether nothing was ever stored here, so that today's rules derive every row. */
async function isEmpty(session: IntakeSession): Promise<boolean> {
  for (const table of Object.values<Table>(factTables)) {
    const [counted] = await session.tally(table, []);
    if ((counted?.rows ?? 0) > 0) return false;
  }
  return true;
}

async function storedRows(session: IntakeSession, table: Table): Promise<Row[]> {
  return (await session.select(table, storedNames(table) as never)) as unknown as Row[];
}

/** Replaces what differs from the rows that are shown. Returns those as they were, or as they are where they are new. */
async function copy(session: IntakeSession, table: Table, shown: readonly Row[], rows: readonly Row[]): Promise<Row[]> {
  const columns = storedNames(table);
  const pick = columnPicker(columns);
  const differs = rowComparison(columns);
  const gone = new RowsByKey(table, shown);
  const put: Row[] = [];
  const touched: Row[] = [];
  for (const row of rows) {
    const before = gone.take(row);
    if (before && !differs(pick(before), pick(row))) continue;
    put.push(row);
    touched.push(before ?? row);
  }
  const removed = gone.rest();
  if (removed.length > 0) await session.remove(table, keyed(table, removed));
  await session.put(table, put as never);
  return [...touched, ...removed];
}

/** Rows under the first value of their key, or further maps by the next one. */
type Level = Map<Value, Level | Row>;

/**
 * Rows that are found by key and taken out one after another. There is a map for each column of the key: to make one text
 * of several values for each of fifty thousand rows takes longer than everything else that is done with them.
 */
export class RowsByKey {
  readonly #key: readonly string[];
  readonly #top: Level = new Map();

  constructor({ key }: Table, rows: readonly Row[]) {
    this.#key = key;
    for (const row of rows) this.#levelOf(row).set(this.#lastOf(row), row);
  }

  /** The row with the key of this one, which is no longer there then. */
  take(row: Row): Row | undefined {
    const level = this.#levelOf(row);
    const found = level.get(this.#lastOf(row)) as Row | undefined;
    level.delete(this.#lastOf(row));
    return found;
  }

  /** The rows that were not taken. */
  rest(): Row[] {
    let levels = [this.#top];
    for (let depth = 1; depth < this.#key.length; depth += 1) {
      levels = levels.flatMap((level) => [...level.values()] as Level[]);
    }
    return levels.flatMap((level) => [...level.values()] as Row[]);
  }

  #lastOf(row: Row): Value {
    return row[this.#key.at(-1) ?? ''] ?? null;
  }

  #levelOf(row: Row): Level {
    let level = this.#top;
    for (let i = 0; i < this.#key.length - 1; i += 1) {
      const value = row[this.#key[i] ?? ''] ?? null;
      const next = (level.get(value) as Level | undefined) ?? new Map();
      level.set(value, next);
      level = next;
    }
    return level;
  }
}
