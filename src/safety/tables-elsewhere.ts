import { ownCommand } from '../own-command.ts';
import { Refusal } from '../refusal.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MaintenancePort } from '../warehouse/maintenance-port.ts';
import { type Diagnosis, problem } from './diagnosis.ts';
import { countFound, type DoctorScope, diagnoseFindings, found, type HealthFinding } from './finding.ts';
import { examineClockOf } from './server-clocks.ts';

/** The refusal of a command where the tables are not files in the data folder, with what to use there instead. */
const instead = {
  backup:
    '`plumb backup` copies tables in the data folder, and these are in ClickHouse. Stop the servers and back up PostgreSQL and ClickHouse with their own tools, or copy everything to a folder with `plumb migrate --to FOLDER` and back up that folder.',
  restore:
    '`plumb restore` fills tables in the data folder, and these are in ClickHouse. Restore into a folder, with neither CLICKHOUSE_URL nor DATABASE_URL set, and move everything from there with `plumb migrate --to postgresql://… --to http://…`.',
  recompute:
    '`plumb verify --deep` recomputes tables in the data folder, and these are in ClickHouse. Leave out --deep, or copy everything to a folder with `plumb migrate --to FOLDER` and verify that folder.',
} as const;

export const tablesElsewhere = (what: keyof typeof instead): Refusal => new Refusal('conflict', instead[what]);

export const tablesNotRead = (): HealthFinding =>
  found(
    'tables',
    'the tables are in ClickHouse, which checks its own files. Only the store was read (`CHECK TABLE` in ClickHouse does the rest)',
  );

/** Looks at the server that has the tables: its clock, and what is left there of organisations that are gone. */
export async function examineServerOfTables(
  warehouse: Pick<IntakePort, 'organisations'> & Pick<MaintenancePort, 'clock'>,
  { organisations, maxExamples }: Pick<DoctorScope, 'organisations' | 'maxExamples'>,
): Promise<Diagnosis[]> {
  const clock = await examineClockOf('ClickHouse', async () => warehouse.clock?.());
  const there = new Set(organisations.map(({ id }) => id));
  try {
    const left = (await warehouse.organisations()).filter((id) => !there.has(id));
    const findings = left.length === 0 ? [] : [countFound(left, maxExamples, (id) => id)];
    return [...clock, diagnoseFindings(tablesLeft, findings)];
  } catch (error) {
    return [...clock, tablesUnusable(error)];
  }
}

const tablesLeft = {
  name: 'tables',
  advice: `ClickHouse has tables of organisations that were deleted. Remove those of each with \`${ownCommand} org delete ID --confirm ID --no-backup\`.`,
  things: ['organisation that was deleted', 'organisations that were deleted'],
  well: 'in ClickHouse',
} as const;

/** The engine's own words may hold its address; a refusal is ours. */
export function tablesUnusable(error: unknown): Diagnosis {
  const why = error instanceof Refusal ? error.message : 'It refuses.';
  return { name: 'tables', ...problem(`ClickHouse cannot be used: ${why} Check CLICKHOUSE_URL and the server.`) };
}
