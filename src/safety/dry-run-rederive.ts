import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { EmbeddedPort } from '../warehouse/maintenance-port.ts';
import { openWarehouse, type WarehouseSettings } from '../warehouse/open.ts';
import { found, type HealthFinding, unreadable } from './finding.ts';

/** Derives what an organisation's records gave, in the warehouse that it was made for. */
interface Deriving {
  /** Brings the copies of people and teams to what the store says. */
  bringUp(organisationId: string): Promise<void>;
  rederive(organisationId: string): Promise<void>;
}

export interface DryRun {
  /** The data folder. Copies are made beside its warehouses. */
  readonly folder: string;
  readonly limits?: NonNullable<WarehouseSettings['limits']>;
  readonly derivingIn: (store: Store, warehouse: IntakePort) => Deriving;
}

export const dryRunFolder = '.verifying';
const underWay = new Set<string>();

/** Whether this process is recomputing what is in a folder. */
export const isDryRunUnderWay = (folder: string): boolean => underWay.has(join(folder, dryRunFolder));

/**
 * Recomputes every organisation and tells what would be different. That is done in a copy, one organisation at a time:
 * what is examined is never written to, imports go on meanwhile, and a process that is killed has changed nothing.
 */
export async function dryRunRederive(
  store: Store,
  warehouse: EmbeddedPort,
  organisationIds: readonly string[],
  { folder, limits, derivingIn }: DryRun,
): Promise<HealthFinding[]> {
  const path = join(folder, dryRunFolder);
  if (underWay.has(path)) {
    throw new Refusal('conflict', 'Everything is being recomputed for another caller already. Try again later.');
  }
  underWay.add(path);
  try {
    const findings: HealthFinding[] = [];
    for (const organisationId of organisationIds) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { mode: 0o700 });
      const copy = await openWarehouse({ folder: path, ...(limits ? { limits } : {}) });
      try {
        await copyAcross(warehouse, copy, organisationId);
        findings.push(...(await differencesIn(copy, organisationId, derivingIn(store, copy))));
      } catch (error) {
        findings.push(unreadable(`organisation ${organisationId} cannot be recomputed`, error));
      } finally {
        await copy.close();
      }
    }
    return findings;
  } finally {
    rmSync(path, { recursive: true, force: true });
    underWay.delete(path);
  }
}

async function copyAcross(from: EmbeddedPort, to: EmbeddedPort, organisationId: string): Promise<void> {
  const [written, taken] = [await from.makeCopyFolder(), await to.makeCopyFolder()];
  try {
    await from.copyOut(organisationId, written);
    for (const name of readdirSync(written)) renameSync(join(written, name), join(taken, name));
    await to.copyIn(organisationId, taken);
  } finally {
    for (const folder of [written, taken]) await rm(folder, { recursive: true, force: true });
  }
}

async function differencesIn(
  warehouse: EmbeddedPort,
  organisationId: string,
  deriving: Deriving,
): Promise<HealthFinding[]> {
  await deriving.bringUp(organisationId);
  const before = await warehouse.checksum(organisationId);
  await deriving.rederive(organisationId);
  const after = new Map((await warehouse.checksum(organisationId)).map((one) => [one.table, one]));
  return before
    .filter(({ table, rows, digest }) => rows !== after.get(table)?.rows || digest !== after.get(table)?.digest)
    .map(({ table }) => found('derived', `organisation ${organisationId}: ${table} is not what its records give`));
}
