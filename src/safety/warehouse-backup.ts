import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedPort } from '../warehouse/embedded-port.ts';
import type { BackupEntry } from './backup-manifest.ts';
import type { BackupWriter } from './backup-writer.ts';
import {
  stateTable,
  tableEntryName,
  tableFile,
  tableOf,
  warehouseManifestName,
  warehouseManifestOf,
} from './warehouse-manifest.ts';

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
