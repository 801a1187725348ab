import type { Actor } from '../directory/directory.ts';
import { AuditedRows, backupAction } from '../store/audit-events.ts';
import { listOrganisations } from '../store/organisations.ts';
import { type BackupOptions, type BackupSource, backup } from './backup.ts';

/** A backup that every organisation in it has an entry of, made before the first byte leaves. */
export async function* auditedBackup(
  source: BackupSource,
  actor: Actor,
  options: BackupOptions,
): AsyncGenerator<Uint8Array> {
  const { store } = source;
  const { organisationId: only, at, leftOut = [] } = options;
  const entries = new Map<string, AuditedRows>();
  for (const { id } of await store.read(listOrganisations)) {
    if (only !== undefined && only !== id) continue;
    const without = Object.fromEntries(leftOut.map((one) => [`without_${one.replace(' ', '_')}`, true]));
    const details = only === undefined ? undefined : { only_this_organisation: true, ...without };
    const event = { organisationId: id, actor, at, action: backupAction, subject: id, ...(details && { details }) };
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
