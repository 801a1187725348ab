import { placeOfShortId } from '../catalogue/record-ids.ts';
import { type Row, storedAs, storedNames, type Table, type Value } from '../catalogue/table.ts';
import { factTables } from '../catalogue/tables/all-tables.ts';
import { deployments } from '../catalogue/tables/deployments.ts';
import type { Condition, TableReader } from '../warehouse/intake-port.ts';
import { storedReferences } from './apply/apply-records.ts';
import { tableOf } from './apply/batch.ts';
import { type IdColumn, idColumnOf, writeOutIds } from './apply/full-ids.ts';
import { type Portion, runPipeline } from './pipeline.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import type { RecordChange } from './read/record-changes.ts';
import { maxStoredRows, orphanParents, portioned, type StoredReading, storedPortions } from './read/stored-rows.ts';
import { gatherBots } from './resolve/bots.ts';
import { families } from './resolve/family-columns.ts';
import { changedAccounts, recountAccounts } from './resolve/known-accounts.ts';
import { knownBots } from './resolve/resolver.ts';
import { type IntakeSession, patchDifferent } from './write/intake-session.ts';
import { keyed, keyTextOf } from './write/table-overlay.ts';

/**
 * Recomputes everything derived from what records gave: the pipeline with all stored rows as its portions. All of it is
 * one change, so readers see the old rows until it ends.
 */
export async function rederive(
  session: IntakeSession,
  directory: KnownDirectory,
  { maxRows = maxStoredRows, signal }: Partial<StoredReading> = {},
): Promise<void> {
  await rewriteShortIds(session, directory, { maxRows, signal });
  await moveStatedProduction(session, { maxRows, signal });
  await recountAccounts(session, directory.resolver, await knownBots(session));
  await gatherBots(session);
  await changedAccounts(session, directory.resolver, await knownBots(session));
  await runPipeline(session, directory, everyRow(session, maxRows), { everything: { maxRows, signal } });
}

/** Every stored row that records brought. Parents bring their parts along; parts without a parent follow. */
async function* everyRow(session: TableReader, maxRows: number): AsyncGenerator<Portion> {
  for (const { name, table } of families) {
    for await (const where of storedPortions(session, table, maxRows)) {
      yield (batch) => tableOf(batch, name).load(session, recordedOnly(table, where));
    }
  }
  for (const { name, link, parents } of await orphanParents(session)) {
    for (const some of portioned(parents, maxRows)) {
      yield (batch) => tableOf(batch, name).load(session, { column: link, in: some });
    }
  }
}

/** Inferred rows are inferred again. */
const recordedOnly = ({ recorded }: Table, where: Condition): Condition =>
  recorded ? { all: [where, { column: recorded.column, in: [recorded.value] }] } : where;

/**
 * Gives rows that an earlier version stored under short ids, `acme/web#7`, the ids that records have now. Where both are
 * stored, the row with a source stays and the short one goes; the parts of either are parts of that row. Reads the ids of
 * the tables that can have short ones, and whole rows of those alone. A second time it finds nothing.
 */
export async function rewriteShortIds(
  session: IntakeSession,
  { earlierNames }: Pick<KnownDirectory, 'earlierNames'>,
  { maxRows, signal }: StoredReading,
): Promise<void> {
  const parts = { session, earlierNames };
  // Parents stand before their parts, whose ids follow from theirs.
  for (const table of Object.values<Table>(factTables)) {
    const id = idColumnOf(table);
    if (id) {
      const columns = [...new Set([...table.key, id.column])] as never[];
      for await (const where of storedPortions(session, table, maxRows)) {
        signal?.throwIfAborted();
        const rows = (await session.select(table, columns, where)) as unknown as Row[];
        const short = rows.filter((row) => placeOfShortId(row[id.column]) !== undefined);
        for (const some of portioned(short, maxRows)) await rewriteRows(parts, table, id, some);
      }
    }
    for (const column of table.references ?? []) {
      for await (const where of storedPortions(session, table, maxRows)) {
        signal?.throwIfAborted();
        const given = { all: [where, { column, isNull: false }] };
        const rows = (await session.select(
          table,
          [...table.key, 'source', column] as never[],
          given,
        )) as unknown as Row[];
        const now = rows.map(
          (row) => [row, { [column]: storedReferences(table, column, row, earlierNames.firstNameOf) }] as const,
        );
        await patchDifferent(session, table, [column], now);
        await session.flushIfLarge();
      }
    }
  }
}

/** Takes over what records said of production from the column in which an earlier version kept it. */
async function moveStatedProduction(session: IntakeSession, { maxRows, signal }: StoredReading): Promise<void> {
  for await (const where of storedPortions(session, deployments, maxRows)) {
    signal?.throwIfAborted();
    const kept = { all: [where, { column: 'given_is_production', isNull: false }] } as const;
    const rows = await session.select(deployments, ['deployment_id', 'production', 'given_is_production'], kept);
    const now = rows.map((row) => {
      const production = row.production ?? row.given_is_production;
      return [row, { production, given_is_production: null }] as const;
    });
    await patchDifferent(session, deployments, ['production', 'given_is_production'], now);
    await session.flushIfLarge();
  }
}

interface RewritingParts extends Pick<KnownDirectory, 'earlierNames'> {
  readonly session: IntakeSession;
}

async function rewriteRows(parts: RewritingParts, table: Table, id: IdColumn, keys: readonly Row[]): Promise<void> {
  if (keys.length === 0) return;
  const { session } = parts;
  const rows = (await session.select(table, storedNames(table) as never, keyed(table, keys))) as unknown as Row[];
  const source = storedAs(table, 'source');
  const changes = rows.map(
    (row): RecordChange => ({ key: row, fields: { source: row[source] ?? null }, isDeleted: false }),
  );
  const written = (await writeOutIds(parts, table, changes)).map((change, i) =>
    rewritten(table, rows[i] ?? {}, change),
  );
  const isKeyed = table.key.includes(id.column);
  const taken = new Set<string>();
  if (isKeyed) {
    const stored = (await session.select(table, table.key as never, keyed(table, written))) as unknown as Row[];
    for (const row of stored) taken.add(keyTextOf(table, row));
    await session.remove(table, keyed(table, rows));
  }
  const kept = written.filter((row) => {
    const key = keyTextOf(table, row);
    const isFree = !taken.has(key);
    taken.add(key);
    return isFree;
  });
  await session.put(table, kept as never);
  await session.flushIfLarge();
}

/** A row under its full id, and with what that says. */
function rewritten(table: Table, row: Row, { key, implied = {} }: RecordChange): Row {
  const filled: Record<string, Value> = { ...row, ...key };
  for (const [field, value] of Object.entries(implied)) {
    const column = storedAs(table, field);
    filled[column] ??= value as Value;
  }
  return filled;
}
