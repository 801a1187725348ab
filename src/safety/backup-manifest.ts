import { Refusal } from '../refusal.ts';
import { backupTables, type StoreTable } from '../store/all-store-tables.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';

export const manifestName = 'manifest.json';
const format = 'plumb-backup';
/** 1 held the store alone; 2 also holds warehouses. */
const formatVersion = 2;

/** The parts that may be left out, for readers who may not see them. */
const partsLeftOut = ['salaries', 'survey answers'] as const;
export type PartLeftOut = (typeof partsLeftOut)[number];

/** An entry of a backup, with what reading it must give. */
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
  /** The tables of the store, in their order. */
  readonly entries: readonly BackupEntry[];
  /** The organisations whose warehouses follow, in this order, each led by a manifest of its own. */
  readonly warehouses: readonly string[];
  /** The only organisation that it holds, where it is a backup of one. */
  readonly organisation?: string;
  /** The parts that are not in the file, although the organisation may have them. */
  readonly leftOut?: readonly PartLeftOut[];
}

export const entryName = (table: StoreTable): string => `store/${table.name}.ndjson`;

export function manifestOf(
  entries: readonly BackupEntry[],
  warehouses: readonly string[],
  { at, plumbVersion, organisationId, leftOut = [] }: ManifestOptions,
): BackupManifest {
  const one = organisationId === undefined ? {} : { organisation: organisationId };
  return {
    format,
    formatVersion,
    schemaVersion,
    plumbVersion,
    createdAt: at.toISOString(),
    ...one,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    entries,
    warehouses,
  };
}

export interface ManifestOptions {
  readonly at: Date;
  readonly plumbVersion: string;
  /** Only this organisation is in it. */
  readonly organisationId?: string | undefined;
  readonly leftOut?: readonly PartLeftOut[];
}

/** Reads a manifest, and refuses one that this version cannot follow to the letter. */
export function parseManifest(text: string): BackupManifest {
  const manifest = parsedObject<BackupManifest>(text);
  if (manifest?.format !== format) throw new Refusal('bad-input', 'This is not a backup made by Plumb.');
  const { formatVersion: written, schemaVersion: schema, entries, warehouses = [] } = manifest;
  if (!isVersion(written, formatVersion)) {
    throw new Refusal(
      'bad-input',
      `The backup has format version ${written}. This Plumb reads versions up to ${formatVersion}. Use the Plumb that made it, ${manifest.plumbVersion}.`,
    );
  }
  if (!isVersion(schema, schemaVersion)) {
    throw new Refusal(
      'bad-input',
      `The backup has schema version ${schema}. This Plumb knows versions up to ${schemaVersion}. Use the Plumb that made it, ${manifest.plumbVersion}.`,
    );
  }
  if (!Array.isArray(entries) || !listsStore(entries, schema < schemaVersion)) {
    throw new Refusal('bad-input', 'The backup is damaged: its manifest does not list every table of the store.');
  }
  if (!Array.isArray(warehouses) || !warehouses.every(isOrganisationId)) {
    throw new Refusal('bad-input', 'The backup is damaged: its manifest does not say whose warehouses it holds.');
  }
  const { organisation, leftOut = [] } = manifest;
  if (!Array.isArray(leftOut) || !leftOut.every((one) => partsLeftOut.includes(one))) {
    throw new Refusal('bad-input', 'The backup is damaged: its manifest does not say what was left out.');
  }
  const isOfOne = isOrganisationId(organisation) && warehouses.every((id) => id === organisation);
  if (organisation !== undefined && !isOfOne) {
    throw new Refusal('bad-input', 'The backup is damaged: its manifest does not say which organisation it holds.');
  }
  return { ...manifest, warehouses } as BackupManifest;
}

const isVersion = (version: unknown, newest: number): version is number =>
  Number.isSafeInteger(version) && Number(version) >= 1 && Number(version) <= newest;

const isOrganisationId = (id: unknown): id is string =>
  typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** An older schema may lack tables that came later; what it has is in the same order. */
function listsStore(entries: readonly unknown[], isOlder: boolean): boolean {
  const named = entries.map((entry) => (entry as Partial<BackupEntry> | null)?.name);
  const wanted = backupTables.map(entryName).filter((name) => !isOlder || named.includes(name));
  return wanted.length > 0 && entries.length === wanted.length && entries.every((e, i) => isEntry(e, wanted[i]));
}

export function parsedObject<T extends object>(text: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : undefined;
  } catch {
    return undefined;
  }
}

export function isEntry(entry: unknown, name: string | undefined): entry is BackupEntry {
  const { name: given, rows, bytes, sha256 } = (entry ?? {}) as Partial<BackupEntry>;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  return given === name && isCount(rows) && isCount(bytes) && /^[0-9a-f]{64}$/.test(sha256 ?? '');
}
