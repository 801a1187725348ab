import type { Actor } from '../directory/directory.ts';
import { type BackupOptions, type BackupSource, backup } from '../safety/backup.ts';
import { AuditedRows } from '../store/audit-events.ts';
import { listOrganisations } from '../store/organisations.ts';

/** A backup that every organisation in it has an entry of, made before the first byte leaves. */
export async function* auditedBackup(
  source: BackupSource,
  actor: Actor,
  options: BackupOptions,
): AsyncGenerator<Uint8Array> {
  const { store } = source;
  const entries = new Map<string, AuditedRows>();
  for (const { id } of await store.read(listOrganisations)) {
    const event = { organisationId: id, actor, at: options.at, action: 'backup.create', subject: id };
    entries.set(id, await AuditedRows.begin(store, event));
  }
  const rows = new Map<string, number>();
  const taken = (organisationId: string, count: number) => void rows.set(organisationId, count);
  try {
    yield* backup(source, { ...options, taken });
  } finally {
    for (const [id, count] of rows) await entries.get(id)?.add(count);
  }
}
