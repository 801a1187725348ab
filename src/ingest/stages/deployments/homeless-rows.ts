import type { Table } from '../../../catalogue/table.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../../catalogue/tables/release-details.ts';
import type { Writing } from '../../../warehouse/warehouse.ts';
import { outcomeColumns } from '../../derive/deployments/pull-request-outcome.ts';
import { contentsColumns } from '../../derive/deployments/release-contents.ts';
import type { Change, DeploymentTouches } from './deployment-touches.ts';

/** Pull requests and releases that are in no repository any more have no part in any story. */
export async function forgetHomeless(session: Writing, touches: DeploymentTouches): Promise<void> {
  await clear(session, pullRequests, outcomeColumns, touches.pullRequests);
  await clear(session, releaseDetails, contentsColumns, touches.releases);
}

async function clear(
  session: Writing,
  table: Table,
  columns: readonly string[],
  changes: ReadonlyMap<string, Change<{ readonly repository_key: string | null }>>,
): Promise<void> {
  const [key = ''] = table.key;
  const nothing = Object.fromEntries(columns.map((column) => [column, null]));
  const homeless = [...changes].flatMap(([id, { before, after }]) =>
    after && after.repository_key === null && before?.repository_key ? [{ ...nothing, [key]: id }] : [],
  );
  await session.patch(table, columns as never, homeless);
}
