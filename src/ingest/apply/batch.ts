import type { Table } from '../../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../catalogue/tables/all-tables.ts';
import type { KnownDirectory } from '../publish/known-directory.ts';
import { knownBots } from '../resolve/resolver.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { TableOverlay } from '../write/table-overlay.ts';

type FactOverlays = { readonly [N in FactTable]: TableOverlay<(typeof factTables)[N]> };

/** The rows that a part of a change touches, and what is needed to derive them. */
export interface Batch
  extends Pick<KnownDirectory, 'resolver' | 'earlierNames' | 'settingsOf' | 'zone' | 'runnerPrices' | 'surveyKey'> {
  readonly session: IntakeSession;
  readonly tables: FactOverlays;
  /** Accounts that most of their records call bots. */
  readonly bots: ReadonlySet<string>;
  /** Accounts of which more or fewer records say now whether they are bots. */
  readonly changedVotes: Set<string>;
  /** Whether every loaded row is recomputed, even one that looks unchanged. */
  readonly isRecomputed: boolean;
}

export async function openBatch(
  session: IntakeSession,
  directory: KnownDirectory,
  isRecomputed = false,
): Promise<Batch> {
  const { resolver, earlierNames, settingsOf, zone, runnerPrices, surveyKey } = directory;
  const tables = Object.fromEntries(factTableNames.map((name) => [name, new TableOverlay(factTables[name])]));
  return {
    resolver,
    earlierNames,
    settingsOf,
    zone,
    runnerPrices,
    surveyKey,
    session,
    tables: tables as unknown as FactOverlays,
    bots: await knownBots(session),
    changedVotes: new Set(),
    isRecomputed,
  };
}

/** The rows of a table by its name, where the columns of the table are not known. */
export const tableOf = ({ tables }: Pick<Batch, 'tables'>, name: FactTable): TableOverlay<Table> =>
  tables[name] as unknown as TableOverlay<Table>;
