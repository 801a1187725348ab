import { type Secrets, UnreadableSecret } from '../secrets/secrets.ts';
import { type Actor, writeEvents } from '../store/audit.ts';
import { type EncryptedText, listEncryptedTexts } from '../store/encrypted-texts.ts';
import { listSources, listSourcesOfEarlierVersions } from '../store/source-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import { boundToAddress, reencrypted } from './stored-settings.ts';

interface RotationParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly now: () => Date;
}

/**
 * Encrypts the secrets of all sources and the addresses of messages with another key, in one transaction. Refused, with
 * nothing changed, where one of them cannot be decrypted. Returns how many there are.
 */
export function rotateSecrets({ store, secrets, now }: RotationParts, actor: Actor): Promise<RotatedSecrets> {
  return secrets.rotate(async (reencrypt) => {
    let rotatedSecrets: RotatedSecrets = { sources: 0, addresses: 0 };
    await store.note(async (session) => {
      const rows = await listSources(session);
      const withSecrets = rows.filter((row) => row.secrets !== null || row.webhook_secret !== null);
      for (const row of withSecrets) {
        const rotated = await reencrypted(secrets, row, reencrypt);
        await session.run('UPDATE sources SET secrets = $2, webhook_secret = $3 WHERE id = $1', [
          row.id,
          rotated.secrets,
          rotated.webhook_secret,
        ]);
      }
      const texts = await listEncryptedTexts(session);
      for (const one of texts) await rotateText(session, secrets, one, reencrypt);
      rotatedSecrets = { sources: withSecrets.length, addresses: texts.filter(({ isPassing }) => !isPassing).length };
      const of = [
        ...withSecrets.map((row) => row.organisation_id),
        ...texts.map(({ organisationId }) => organisationId),
      ];
      const organisations = [...new Set(of)];
      const event = { actor, at: now(), action: 'secret.rotate' } as const;
      await writeEvents(
        session,
        organisations.map((organisationId) => ({ ...event, organisationId, subject: organisationId })),
      );
    });
    return rotatedSecrets;
  });
}

interface RotatedSecrets {
  /** Sources with secrets. */
  readonly sources: number;
  /** Alerts and digests with addresses. */
  readonly addresses: number;
}

async function rotateText(
  session: Writing,
  secrets: Secrets,
  { text, context, what, isPassing, replace }: EncryptedText,
  reencrypt: (text: string, context: string) => string,
): Promise<void> {
  try {
    const plain = await secrets.decrypt(text, context, `The addresses of ${what}`);
    await replace(session, reencrypt(plain, context));
  } catch (error) {
    // A message that nobody can send is over after a day: it must not keep the secret from being changed.
    if (!(isPassing && error instanceof UnreadableSecret)) throw error;
  }
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
