import { type Row, storedColumns, type Table } from '../../src/catalogue/table.ts';
import type { TableReader } from '../../src/warehouse/intake-port.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

/** Ways in which people have been named are remembered, even those of rows that are gone. */
const isCompared = ({ name }: Table) => name !== 'accounts';

/** Made with a key of the organisation's own, or of the moment at which records came: no two organisations have the same. */
const ofOrganisation: readonly string[] = ['answer_id', 'answer_digest', 'last_record_at'];

/** Everything an organisation's warehouse holds, table by table, in an order of its own. */
export async function stateOf(warehouse: Warehouse, organisationId: string): Promise<Record<string, string[]>> {
  return warehouse.read(organisationId, async (session) => {
    const state: Record<string, string[]> = {};
    for (const table of storedTables.filter(isCompared)) state[table.name] = await linesOf(session, table);
    return state;
  });
}

/** The same of one table. */
export function tableStateOf(warehouse: Warehouse, organisationId: string, name: string): Promise<string[]> {
  const table = storedTables.find((one) => one.name === name);
  if (!table) throw new Error(`there is no table ${name}`);
  return warehouse.read(organisationId, (session) => linesOf(session, table));
}

async function linesOf(session: TableReader, table: Table): Promise<string[]> {
  const columns = [...storedColumns(table).keys()].filter((column) => !ofOrganisation.includes(column));
  const rows = (await session.select(table, columns as never)) as unknown as Row[];
  return rows.map((row) => JSON.stringify(row)).sort();
}
