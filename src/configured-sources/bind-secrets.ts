import type { Secrets } from '../secrets/secrets.ts';
import { listSourcesOfEarlierVersions } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { boundToAddress } from './stored-settings.ts';

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
