import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import type { EmbeddedPort } from '../warehouse/maintenance-port.ts';
import { schemaVersion, storedTables } from '../warehouse/schema.ts';
import { type BackupWriter, damaged } from './backup-archive.ts';
import { type BackupEntry, isEntry, parsedObject } from './backup-manifest.ts';

/**
 * Leads the tables of one organisation. It is apart from the manifest of the whole backup, because sizes and checksums
 * of Parquet files are known only once they are written, and only one organisation's are on the disk at a time.
 */
interface WarehouseManifest {
  readonly organisationId: string;
  readonly schemaVersion: number;
  readonly entries: readonly BackupEntry[];
}

const ending = '.parquet';

/** Beside its tables a copy has what the warehouse says about itself: its versions, one row. */
export const stateTable = 'state';

export const warehouseManifestName = (organisationId: string): string => `warehouse/${organisationId}/manifest.json`;

export const tableFile = (table: string): string => `${table}${ending}`;

const tableEntryName = (organisationId: string, table: string): string =>
  `warehouse/${organisationId}/${tableFile(table)}`;

/** The table whose rows an entry holds. */
export const tableOf = ({ name }: BackupEntry): string => name.slice(name.lastIndexOf('/') + 1, -ending.length);

const warehouseManifestOf = (organisationId: string, entries: readonly BackupEntry[]): WarehouseManifest => ({
  organisationId,
  schemaVersion,
  entries,
});

/** A table that this Plumb does not know is refused rather than left out: what was backed up has to come back. */
export function parseWarehouseManifest(text: string, organisationId: string, path: string): WarehouseManifest {
  const manifest = parsedObject<WarehouseManifest>(text);
  const of = warehouseManifestName(organisationId);
  if (manifest?.organisationId !== organisationId || !Array.isArray(manifest.entries)) {
    throw damaged(path, `${of} does not say what follows`);
  }
  const { schemaVersion: written } = manifest;
  if (!Number.isSafeInteger(written)) throw damaged(path, `${of} has no schema version`);
  if (Number(written) > schemaVersion) {
    throw new Refusal(
      'bad-input',
      `The backup has warehouses of schema version ${written}. This Plumb knows versions up to ${schemaVersion}. Use the Plumb that made it.`,
    );
  }
  const tables = [stateTable, ...storedTables.map(({ name }) => name)];
  const known = new Set(tables.map((table) => tableEntryName(organisationId, table)));
  for (const entry of manifest.entries as readonly Partial<BackupEntry>[]) {
    // Taken out of the set, so that a table named twice is not there any more.
    if (!known.delete(entry?.name ?? '') || !isEntry(entry, entry.name)) {
      throw damaged(path, `${of} lists '${entry?.name}', which is not a table that this Plumb knows`);
    }
  }
  return manifest as WarehouseManifest;
}

/**
 * Adds one organisation's warehouse, all of it from one snapshot. Its tables are first written to the disk, since a tar
 * wants sizes and the manifest checksums before the bytes; they are gone again before the next organisation begins.
 * Returns how many rows they have. Tables that are left out come back empty.
 */
export async function addWarehouse(
  warehouse: Pick<EmbeddedPort, 'makeCopyFolder' | 'copyOut'>,
  organisationId: string,
  writer: BackupWriter,
  { signal, leftOut }: { readonly signal: AbortSignal; readonly leftOut: readonly string[] },
): Promise<number> {
  const folder = await warehouse.makeCopyFolder();
  try {
    const copied = await warehouse.copyOut(organisationId, folder, { signal });
    const copies = copied.filter(({ table }) => !leftOut.includes(table));
    const entries: BackupEntry[] = [];
    for (const { table, rows } of [{ table: stateTable, rows: 1 }, ...copies]) {
      // A table without a file comes back empty, as it is.
      if (rows === 0) continue;
      entries.push({
        name: tableEntryName(organisationId, table),
        rows,
        ...(await measure(join(folder, tableFile(table)))),
      });
    }
    await writer.addJson(warehouseManifestName(organisationId), warehouseManifestOf(organisationId, entries));
    for (const entry of entries) {
      await writer.add(entry.name, entry.bytes, createReadStream(join(folder, tableFile(tableOf(entry)))));
    }
    return copies.reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
