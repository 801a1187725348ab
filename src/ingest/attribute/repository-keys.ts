import type { Table } from '../../catalogue/table.ts';
import { factTables } from '../../catalogue/tables/all-tables.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import type { AttributionColumn, AttributionReader } from './attributed-columns.ts';
import { notNull } from './conditions.ts';
import { noRepository } from './rules/repository-settings.ts';
import type { TouchedRows } from './touched-rows.ts';

/** How many rows of these tables are in each repository. Those in none are counted together, under a key of their own. */
export async function countByRepository<T extends Table>(
  session: Pick<AttributionReader, 'tally'>,
  tables: readonly T[],
  where?: Condition<AttributionColumn<T>>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const groups = await session.tally(table, ['repository_key' as never], where);
    for (const { repository_key, rows } of groups as unknown as { repository_key: string | null; rows: number }[]) {
      const key = repository_key ?? noRepository;
      counts.set(key, (counts.get(key) ?? 0) + rows);
    }
  }
  return counts;
}

/** A repository is known while it has a pull request or a deployment. */
export const knownRepositories = (session: Pick<AttributionReader, 'tally'>): Promise<Map<string, number>> =>
  countByRepository(session, [pullRequests, deployments], notNull('repository_key'));

/** Touches every repository that anything is known of: all of its rows are compared. */
export async function touchEveryRepository(session: TableReader, touched: TouchedRows): Promise<void> {
  const tables = Object.values<Table>(factTables).filter(
    ({ repository, mayNameService }) => repository !== undefined && !mayNameService,
  );
  for (const key of (await countByRepository(session, tables)).keys()) touched.repository(key);
}
