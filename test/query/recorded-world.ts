import { lastActivity } from '../../src/catalogue/derivation-state.ts';
import {
  peopleCopy,
  personEmailsCopy,
  squadMembersCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../src/catalogue/directory-copies.ts';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import { type Row, type RowOf, storedColumns, type Table } from '../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../src/catalogue/tables/all-tables.ts';
import type { TableReader } from '../../src/warehouse/intake-port.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import type { World } from '../reference/world.ts';

export type Records = Readonly<Partial<Record<DirectoryTable | FactTable, readonly object[]>>>;

/** Everything that an organisation's warehouse keeps, for whoever wants to read it in loops. */
export async function worldIn(
  warehouse: Warehouse,
  organisationId: string,
  { timeZone, now }: Pick<World, 'timeZone' | 'now'>,
): Promise<World> {
  return warehouse.read(organisationId, async (session) => {
    const facts: Partial<Record<FactTable, Row[]>> = {};
    for (const name of factTableNames) facts[name] = (await allRows(session, factTables[name])) as unknown as Row[];
    return {
      timeZone,
      now,
      people: await allRows(session, peopleCopy),
      personEmails: await allRows(session, personEmailsCopy),
      teams: await allRows(session, teamsCopy),
      teamMembers: await allRows(session, teamMembersCopy),
      squads: await allRows(session, squadsCopy),
      squadMembers: await allRows(session, squadMembersCopy),
      lastActivity: await allRows(session, lastActivity),
      facts: facts as Record<FactTable, Row[]>,
    };
  });
}

async function allRows<T extends Table>(session: TableReader, table: T): Promise<RowOf<T>[]> {
  const columns = [...storedColumns(table).keys()];
  return (await session.select(table, columns as never)) as unknown as RowOf<T>[];
}
