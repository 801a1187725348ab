import type { Row, Table } from '../../catalogue/table.ts';
import { factTables } from '../../catalogue/tables/tables.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';
import { noRepository } from './rules/repository-settings.ts';

/** Every repository that anything is known of. Deployments without a repository are attributed together, as one. */
export async function everyRepository(session: TableReader): Promise<string[]> {
  const keys = new Set<string>();
  for (const name of ['pull_requests', 'deployments', 'release_details', 'workflow_runs'] as const) {
    const rows = await session.tally(factTables[name] as Table, ['repository_key' as never]);
    for (const { repository_key } of rows as unknown as Row[]) {
      if (typeof repository_key === 'string') keys.add(repository_key);
      else if (name === 'deployments') keys.add(noRepository);
    }
  }
  return [...keys];
}
