import type { Secrets } from '../secrets/secrets.ts';
import { type Actor, writeEvents } from '../store/audit.ts';
import { listSources, listSourcesOfEarlierVersions } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';
import { boundToAddress, reencrypted } from './stored-settings.ts';

interface RotationParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly now: () => Date;
}

/**
 * Encrypts the secrets of all sources with another key, in one transaction. Refused, with nothing changed, where one of
 * them cannot be decrypted. Returns how many sources have secrets.
 */
export function rotateSecrets({ store, secrets, now }: RotationParts, actor: Actor): Promise<number> {
  return secrets.rotate(async (reencrypt) => {
    let count = 0;
    await store.note(async (session) => {
      const rows = await listSources(session);
      const withSecrets = rows.filter((row) => row.secrets !== null || row.webhook_secret !== null);
      count = withSecrets.length;
      for (const row of withSecrets) {
        const rotated = await reencrypted(secrets, row, reencrypt);
        await session.run('UPDATE sources SET secrets = $2, webhook_secret = $3 WHERE id = $1', [
          row.id,
          rotated.secrets,
          rotated.webhook_secret,
        ]);
      }
      const organisations = [...new Set(withSecrets.map((row) => row.organisation_id))];
      const event = { actor, at: now(), action: 'secret.rotate' } as const;
      await writeEvents(
        session,
        organisations.map((organisationId) => ({ ...event, organisationId, subject: organisationId })),
      );
    });
    return count;
  });
}

/**
 * Encrypts secrets of earlier versions again, for the address that their source has now. Done when the store is opened:
 * what comes later in the earlier form is never sent anywhere.
 */
export async function bindSecretsToAddresses(store: Pick<Store, 'read' | 'note'>, secrets: Secrets): Promise<void> {
  for (const row of await store.read(listSourcesOfEarlierVersions)) {
    const bound = await boundToAddress(secrets, row);
    if (bound === undefined) continue;
    await store.note((session) =>
      // Another process may have changed it meanwhile.
      session.run('UPDATE sources SET secrets = $2 WHERE id = $1 AND secrets = $3 AND settings = $4', [
        row.id,
        bound,
        row.secrets,
        row.settings,
      ]),
    );
  }
}
