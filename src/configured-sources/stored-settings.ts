import type { Json } from '../catalogue/record.ts';
import { isEarlierFormat } from '../secrets/encryption.ts';
import { type Secrets, UnreadableSecret } from '../secrets/secrets.ts';
import { isReference } from '../sources/setting-references.ts';
import type { SettingField, SourceKind, SourceMemory } from '../sources/source.ts';
import { requiredSettings, type SettingTexts, webhookSecretField } from '../sources/source-settings.ts';
import { findCursor, noteCursor } from '../store/cursors.ts';
import type { SourceRow } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';

type StoredColumns = Pick<SourceRow, 'settings' | 'secrets' | 'webhook_secret'>;

type Source = Pick<SourceRow, 'id' | 'kind' | 'name'> & StoredColumns;

/**
 * What the secrets of a source belong to. The address is part of it: moved to a row that leads elsewhere, a token cannot
 * be decrypted, so it is never sent there. Without an address it is the usual one of the kind.
 */
const secretsOf = ({ id, kind }: Pick<SourceRow, 'id' | 'kind'>, { base_url: address }: SettingTexts) =>
  `sources/${id}/secrets of ${kind} ${address === undefined ? 'at its usual address' : `at ${address}`}`;
/** Of texts that an earlier version encrypted. */
const earlierSecretsOf = (id: string) => `sources/${id}/secrets`;
const webhookSecretOf = (id: string) => `sources/${id}/webhook_secret`;

/** The secrets include a token that Plumb has made for the webhooks of a kind that has no setting for it. */
export const storedFields = (kind: SourceKind): readonly SettingField[] => [...kind.settings, webhookSecretField];

/** A token made by Plumb is kept with the settings, and nobody gives it. */
export function withoutMadeToken(kind: SourceKind, texts: SettingTexts, given: SettingTexts): SettingTexts {
  const { [webhookSecretField.name]: token, ...others } = texts;
  const isMade = kind.webhook && !kind.webhook.signature && !(webhookSecretField.name in given);
  return isMade && token !== undefined ? others : texts;
}

/** Settings as the store keeps them: secrets encrypted; where one is to be found (`env:NAME`) is no secret. */
export async function storedSettings(
  secrets: Secrets,
  source: Pick<SourceRow, 'id' | 'kind'>,
  fields: readonly SettingField[],
  texts: SettingTexts,
): Promise<StoredColumns> {
  const hidden = new Set(fields.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const isHidden = ([name, text]: [string, string]) => hidden.has(name) && !isReference(text);
  const all = Object.entries(texts);
  const { [webhookSecretField.name]: webhookSecret, ...own } = Object.fromEntries(all.filter(isHidden));
  return {
    settings: JSON.stringify(Object.fromEntries(all.filter((entry) => !isHidden(entry)))),
    secrets:
      Object.keys(own).length === 0 ? null : await secrets.encrypt(JSON.stringify(own), secretsOf(source, texts)),
    webhook_secret:
      webhookSecret === undefined ? null : await secrets.encrypt(webhookSecret, webhookSecretOf(source.id)),
  };
}

/** The settings that are kept in clear. */
export const plainSettings = ({ settings }: Pick<SourceRow, 'settings'>): SettingTexts =>
  JSON.parse(settings) as SettingTexts;

/** The settings of a source in clear, as they were typed. Refused where they were encrypted with another secret. */
export async function readingSettings(secrets: Secrets, source: Source): Promise<SettingTexts> {
  return { ...plainSettings(source), ...(await ownSecrets(secrets, source)) };
}

/**
 * The secret that signs the webhooks of the source. It is decrypted apart from the rest: a source is read also where
 * this fails.
 */
export async function webhookSettings(secrets: Secrets, source: Source): Promise<SettingTexts> {
  const { [webhookSecretField.name]: reference } = plainSettings(source);
  return reference === undefined ? webhookSecret(secrets, source) : { [webhookSecretField.name]: reference };
}

async function ownSecrets(secrets: Secrets, source: Source): Promise<SettingTexts> {
  const { name, secrets: encrypted } = source;
  if (encrypted === null) return {};
  const what = `The secrets of source '${name}'`;
  if (isEarlierFormat(encrypted) && (await secrets.isReadable(encrypted))) {
    throw new UnreadableSecret(
      `${what} were encrypted by an earlier version, without the address that they are for`,
      'Start the server again, which does that, or set them again with `plumb source set`.',
    );
  }
  return JSON.parse(await secrets.decrypt(encrypted, secretsOf(source, plainSettings(source)), what)) as SettingTexts;
}

async function webhookSecret(secrets: Secrets, { id, name, webhook_secret }: Source): Promise<SettingTexts> {
  if (webhook_secret === null) return {};
  const what = `The webhook secrets of source '${name}'`;
  return { [webhookSecretField.name]: await secrets.decrypt(webhook_secret, webhookSecretOf(id), what) };
}

type Reencrypt = (text: string, context: string) => string;

/** The secrets of a source, encrypted again with another key. */
export async function reencrypted(
  secrets: Secrets,
  source: Source,
  reencrypt: Reencrypt,
): Promise<Pick<SourceRow, 'secrets' | 'webhook_secret'>> {
  const own = await ownSecrets(secrets, source);
  const { [webhookSecretField.name]: webhook } = await webhookSecret(secrets, source);
  return {
    secrets: source.secrets === null ? null : reencrypt(JSON.stringify(own), secretsOf(source, plainSettings(source))),
    webhook_secret: webhook === undefined ? null : reencrypt(webhook, webhookSecretOf(source.id)),
  };
}

/**
 * The secrets that an earlier version encrypted, encrypted again for the address that their source has. Undefined where
 * there is nothing to do, or they cannot be decrypted here.
 */
export async function boundToAddress(secrets: Secrets, source: Source): Promise<string | undefined> {
  const { id, secrets: encrypted } = source;
  if (encrypted === null || !isEarlierFormat(encrypted) || !(await secrets.isReadable(encrypted))) return undefined;
  try {
    const text = await secrets.decrypt(encrypted, earlierSecretsOf(id), 'The secrets');
    return await secrets.encrypt(text, secretsOf(source, plainSettings(source)));
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined;
    throw error;
  }
}

/** The settings of a source for people: of a secret only that it is set, or why it cannot be used. */
export async function shownSettings(
  secrets: Secrets,
  kinds: readonly SourceKind[],
  row: SourceRow,
): Promise<SettingTexts> {
  const shown: Record<string, string> = { ...plainSettings(row) };
  const webhook = await namesOf(secrets, row.webhook_secret, () => webhookSettings(secrets, row));
  const kind = kinds.find((known) => known.kind === row.kind);
  const isSetting = kind === undefined || kind.webhook?.signature !== undefined;
  if (row.webhook_secret !== null && isSetting) {
    shown[webhookSecretField.name] = typeof webhook === 'string' ? webhook : 'set';
  }
  const own = await namesOf(secrets, row.secrets, () => readingSettings(secrets, row));
  if (typeof own !== 'string') {
    for (const name of own) shown[name] ??= 'set';
    return shown;
  }
  // The names of these secrets cannot be seen any more; the required ones are assumed.
  const needed = requiredSettings(kind?.settings ?? [], shown).filter(({ isSecret }) => isSecret);
  for (const { name } of needed) shown[name] ??= own;
  return shown;
}

/** The names of settings, or why they cannot be read. */
async function namesOf(
  secrets: Secrets,
  encrypted: string | null,
  read: () => Promise<SettingTexts>,
): Promise<readonly string[] | string> {
  if (encrypted !== null && !(await secrets.isReadable(encrypted))) return lockedSetting;
  try {
    return Object.keys(await read());
  } catch (error) {
    if (error instanceof UnreadableSecret) return movedSetting;
    throw error;
  }
}

export const lockedSetting = 'encrypted with another PLUMB_SECRET';
/** Damaged secrets are shown so, too: the two cases cannot be told apart. */
const movedSetting = 'encrypted for another address';

/** The memory that sources of a kind have of an organisation. It stays when a source is removed. */
export function sourceMemory(
  store: Pick<Store, 'read' | 'note'>,
  organisationId: string,
  kind: string,
  now: () => Date,
): SourceMemory {
  return {
    async get(key) {
      const value = await store.read((session) => findCursor(session, organisationId, kind, key), { organisationId });
      return value === undefined ? undefined : (JSON.parse(value) as Json);
    },
    set: (key, value) =>
      store.note((session) => noteCursor(session, organisationId, kind, key, JSON.stringify(value), now())),
  };
}

/** Undefined where it was encrypted with another secret or for another address. */
export async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof UnreadableSecret) return undefined;
    throw error;
  });
}
