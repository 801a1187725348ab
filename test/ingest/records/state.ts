import { type Row, storedColumns, type Table } from '../../../src/catalogue/table.ts';
import { storedTables } from '../../../src/warehouse/schema.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';

/** Ways in which people have been named are remembered, even those of rows that are gone. */
const isCompared = ({ name }: Table) => name !== 'accounts';

/** Made with a key of the organisation's own, so that no two organisations have the same. */
const isOfOrganisation = (column: string): boolean => column === 'answer_id';

/** Everything an organisation's warehouse holds, table by table, in an order of its own. */
export async function stateOf(warehouse: Warehouse, organisationId: string): Promise<Record<string, string[]>> {
  return warehouse.read(organisationId, async (session) => {
    const state: Record<string, string[]> = {};
    for (const table of storedTables.filter(isCompared)) {
      const columns = [...storedColumns(table).keys()].filter((column) => !isOfOrganisation(column));
      const rows = (await session.select(table, columns as never)) as unknown as Row[];
      state[table.name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return state;
  });
}
