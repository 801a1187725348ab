import type { Actor } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { auditedBackup } from '../safety/audited-backup.ts';
import type { BackupOptions, BackupSource } from '../safety/backup.ts';

/** A backup of everything, or of the organisation that a command names. */
export async function* namedBackup(
  source: BackupSource,
  actor: Actor,
  options: BackupOptions,
  org?: string,
): AsyncGenerator<Uint8Array> {
  if (org === undefined) return yield* auditedBackup(source, actor, options);
  const { id } = await source.store.read((session) => resolveOrganisation(session, org));
  yield* auditedBackup(source, actor, { ...options, organisationId: id });
}
