import { Refusal } from '../refusal.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';
import { type StoreTable, storeTables } from '../store/tables.ts';

export const manifestName = 'manifest.json';
const format = 'plumb-backup';
const formatVersion = 1;

/** What one table's entry must turn out to be. */
export interface BackupEntry {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The first entry of a backup: what it is, and what has to follow. */
export interface BackupManifest {
  readonly format: string;
  readonly formatVersion: number;
  readonly schemaVersion: number;
  readonly plumbVersion: string;
  readonly createdAt: string;
  readonly entries: readonly BackupEntry[];
}

export const entryName = (table: StoreTable): string => `store/${table.name}.ndjson`;

export function manifestOf(entries: readonly BackupEntry[], at: Date, plumbVersion: string): BackupManifest {
  return { format, formatVersion, schemaVersion, plumbVersion, createdAt: at.toISOString(), entries };
}

/** Reads a manifest, and refuses one that this version cannot follow to the letter. */
export function parseManifest(text: string): BackupManifest {
  const manifest = parsed(text);
  if (manifest?.format !== format) throw new Refusal('bad-input', 'This is not a backup made by Plumb.');
  const { formatVersion: written, schemaVersion: schema, entries } = manifest;
  if (written !== formatVersion) {
    throw new Refusal(
      'bad-input',
      `The backup has format version ${written}; this Plumb reads version ${formatVersion}. Use the Plumb that made it, ${manifest.plumbVersion}.`,
    );
  }
  if (schema !== schemaVersion) {
    throw new Refusal(
      'bad-input',
      `The backup has schema version ${schema}; this Plumb has version ${schemaVersion}. Use the Plumb that made it, ${manifest.plumbVersion}.`,
    );
  }
  const wanted = storeTables.map(entryName);
  if (!Array.isArray(entries) || entries.length !== wanted.length || !entries.every((e, i) => isEntry(e, wanted[i]))) {
    throw new Refusal('bad-input', 'The backup is damaged: its manifest does not list every table of the store.');
  }
  return manifest as BackupManifest;
}

function parsed(text: string): Partial<BackupManifest> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(entry: Partial<BackupEntry> | null, name: string | undefined): boolean {
  return (
    entry?.name === name &&
    Number.isSafeInteger(entry?.rows) &&
    Number.isSafeInteger(entry?.bytes) &&
    /^[0-9a-f]{64}$/.test(entry?.sha256 ?? '')
  );
}
