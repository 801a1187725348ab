import { createHash } from 'node:crypto';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { stateOf } from '../ingest/state.ts';

/** They hold the organisation's own id and its Owner's. */
const ofOrganisation = new Set(['organisation', 'people', 'person_emails']);

/** A checksum and the number of rows of each table that a sync may fill. */
export async function tableChecksums(warehouse: Warehouse, organisationId: string): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {};
  for (const [table, rows] of Object.entries(await stateOf(warehouse, organisationId))) {
    if (ofOrganisation.has(table)) continue;
    const digest = createHash('sha256').update(rows.join('\n')).digest('hex');
    checksums[table] = `${rows.length} rows ${digest.slice(0, 16)}`;
  }
  return checksums;
}
