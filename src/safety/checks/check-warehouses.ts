import { damagedFileParts } from '../../store/open.ts';
import type { IntakePort, TableReader } from '../../warehouse/intake-port.ts';
import type { EmbeddedPort } from '../../warehouse/maintenance-port.ts';
import { warehouseFilesIn } from '../../warehouse/open.ts';
import { derivationRules, storedTables } from '../../warehouse/schema.ts';
import { Findings, found, type HealthFinding, unreadable } from '../finding.ts';

interface Inspection {
  readonly findings: readonly HealthFinding[];
  /** Notices: states that will change by themselves, and are no damage. */
  readonly notices: readonly HealthFinding[];
  /** Rows, by table; all organisations together in which nothing was found. */
  readonly rows: Readonly<Record<string, number>>;
  /** The organisations of the store in whose warehouses nothing was found, and which can be recomputed to compare. */
  readonly sound: readonly string[];
}

/** Compares the blocks of every warehouse's file with their checksums. None of them may be open. */
export async function damagedWarehouseBlocks(folder: string): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  for (const { path, owner } of warehouseFilesIn(folder)) {
    findings.push(...(await damagedBlocks(path, `the warehouse file of organisation ${owner}`)));
  }
  return findings;
}

/** The state of directories in the store. */
export interface StoredDirectories {
  readonly organisations: ReadonlySet<string>;
  /** Whether tables that show a version of a directory have in them what it says now. */
  isShown(organisationId: string, version: number): Promise<boolean>;
}

/** Reads every warehouse, and compares it with the store where that could be read. */
export async function inspectWarehouses(
  warehouse: IntakePort & EmbeddedPort,
  directories: StoredDirectories | undefined,
): Promise<Inspection> {
  const findings: HealthFinding[] = [];
  const notices = new Findings();
  const rows: Record<string, number> = {};
  const sound: string[] = [];
  for (const organisationId of await warehouse.organisations()) {
    if (directories && !directories.organisations.has(organisationId)) {
      findings.push(found('warehouse', `left over: organisation ${organisationId} is not in the store`));
      continue;
    }
    try {
      const problems = await warehouse.check(organisationId);
      findings.push(...problems.map((problem) => found('warehouse', `organisation ${organisationId}: ${problem}`)));
      if (problems.length > 0) continue;
      const state = await warehouse.read(organisationId, stateOf, { lane: 'heavy' });
      for (const [table, count] of state.rows) rows[`warehouse/${table}`] = (rows[`warehouse/${table}`] ?? 0) + count;
      if (directories && !(await directories.isShown(organisationId, state.directoryVersion))) {
        notices.add(
          'directory',
          'a warehouse shows another directory than the store has, and is brought up when next used',
          organisationId,
        );
      }
      if (state.derivationVersion === derivationRules) sound.push(organisationId);
      else {
        notices.add(
          'derived',
          'a warehouse was derived by the rules of another version of Plumb, and is recomputed when a server runs',
          organisationId,
        );
      }
    } catch (error) {
      findings.push(unreadable(`the warehouse of organisation ${organisationId} cannot be read`, error));
    }
  }
  return { findings, notices: notices.all(), rows, sound };
}

interface State {
  readonly directoryVersion: number;
  readonly derivationVersion: number;
  readonly rows: readonly (readonly [table: string, rows: number])[];
}

async function stateOf(reader: TableReader): Promise<State> {
  const rows: [string, number][] = [];
  for (const table of storedTables) rows.push([table.name, (await reader.tally(table, []))[0]?.rows ?? 0]);
  return {
    directoryVersion: await reader.directoryVersion(),
    derivationVersion: await reader.derivationVersion(),
    rows,
  };
}

/**
 * Compares every part of an embedded engine's file with its checksum. The file must not be open. `what` names it in the
 * findings: "the store file".
 */
export async function damagedBlocks(path: string, what: string): Promise<HealthFinding[]> {
  const findings = new Findings();
  for await (const { part, at } of damagedFileParts(path)) {
    const problem =
      part === 'start' ? `${what} does not begin like one` : `a ${part} of ${what} does not match its checksum`;
    findings.add('file', problem, `byte ${at}`);
  }
  return findings.all();
}
