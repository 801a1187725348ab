import type { Table } from '../../catalogue/table.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import type { Writing } from '../../warehouse/warehouse.ts';
import { pullRequestAttributionColumns } from './pull-request-attribution.ts';
import { releaseContentsColumns } from './release-contents.ts';
import type { RowChange, TouchedRows } from './touched-rows.ts';

/** Pull requests and releases that are in no repository any more are attributed to nothing. */
export async function clearUnassigned(session: Writing, touched: TouchedRows): Promise<void> {
  await clear(session, pullRequests, pullRequestAttributionColumns, touched.pullRequests);
  await clear(session, releaseDetails, releaseContentsColumns, touched.releases);
}

async function clear(
  session: Writing,
  table: Table,
  columns: readonly string[],
  changes: ReadonlyMap<string, RowChange<{ readonly repository_key: string | null }>>,
): Promise<void> {
  const [key = ''] = table.key;
  const nothing = Object.fromEntries(columns.map((column) => [column, null]));
  const unassigned = [...changes].flatMap(([id, { before, after }]) =>
    after && after.repository_key === null && before?.repository_key ? [{ ...nothing, [key]: id }] : [],
  );
  await session.patch(table, columns as never, unassigned);
}
