import type { DocumentKindName } from './document-tables.ts';
import type { Reading, Writing } from './store.ts';

/** A text of the store, beside those of sources, that is encrypted with PLUMB_SECRET. */
export interface EncryptedText {
  readonly organisationId: string;
  /** `alert 'lead-time'`. */
  readonly what: string;
  readonly text: string;
  /** Only in the same context can it be decrypted: moved to another row it is worth nothing. */
  readonly context: string;
  /** A message that waits for a day at most. */
  readonly isPassing: boolean;
  readonly replace: (session: Writing, text: string) => Promise<void>;
}

export const messageAddressContext = (organisationId: string, deliveryId: string): string =>
  `messages/${organisationId}/${deliveryId}/address`;

/** Receivers of an alert or a digest, with their addresses and what signs. */
export const documentSecretsContext = (organisationId: string, kind: DocumentKindName, slug: string): string =>
  `documents/${organisationId}/${kind}/${slug}/secrets`;

/** Those of an organisation, or of all. */
export async function listEncryptedTexts(session: Reading, organisationId?: string): Promise<EncryptedText[]> {
  const documents = await session.rows<DocumentSecrets>(
    `SELECT organisation_id, kind, slug, secrets FROM documents
     WHERE secrets IS NOT NULL AND ($1::text IS NULL OR organisation_id = $1) ORDER BY organisation_id, kind, slug`,
    [organisationId ?? null],
  );
  const messages = await session.rows<MessageAddress>(
    `SELECT organisation_id, id, about_kind, about_slug, address FROM messages
     WHERE address IS NOT NULL AND ($1::text IS NULL OR organisation_id = $1) ORDER BY organisation_id, id`,
    [organisationId ?? null],
  );
  return [...documents.map(ofDocument), ...messages.map(ofMessage)];
}

interface DocumentSecrets {
  readonly organisation_id: string;
  readonly kind: DocumentKindName;
  readonly slug: string;
  readonly secrets: string;
}

interface MessageAddress {
  readonly organisation_id: string;
  readonly id: string;
  readonly about_kind: string;
  readonly about_slug: string;
  readonly address: string;
}

/** What has been replaced meanwhile is left as it is. */
const ofDocument = ({ organisation_id, kind, slug, secrets }: DocumentSecrets): EncryptedText => ({
  organisationId: organisation_id,
  what: `${kind} '${slug}'`,
  text: secrets,
  context: documentSecretsContext(organisation_id, kind, slug),
  isPassing: false,
  replace: (session, text) =>
    session.run(
      'UPDATE documents SET secrets = $5 WHERE organisation_id = $1 AND kind = $2 AND slug = $3 AND secrets = $4',
      [organisation_id, kind, slug, secrets, text],
    ),
});

const ofMessage = ({ organisation_id, id, about_kind, about_slug, address }: MessageAddress): EncryptedText => ({
  organisationId: organisation_id,
  what: `a message of ${about_kind} '${about_slug}'`,
  text: address,
  context: messageAddressContext(organisation_id, id),
  isPassing: true,
  replace: (session, text) =>
    session.run('UPDATE messages SET address = $4 WHERE organisation_id = $1 AND id = $2 AND address = $3', [
      organisation_id,
      id,
      address,
      text,
    ]),
});
