import type { Secrets } from '../secrets/secrets.ts';
import { isReference } from '../sources/setting-references.ts';
import { type SettingTexts, webhookSecretField } from '../sources/settings.ts';
import type { SettingField } from '../sources/source.ts';
import type { SourceRow } from '../store/sources.ts';

type StoredColumns = Pick<SourceRow, 'settings' | 'secrets' | 'webhook_secret'>;

const secretsOf = (id: string) => `sources/${id}/secrets`;
const webhookSecretOf = (id: string) => `sources/${id}/webhook_secret`;

/** Settings as the store keeps them: secrets encrypted; where one is to be found (`env:NAME`) is no secret. */
export async function storedSettings(
  secrets: Secrets,
  id: string,
  fields: readonly SettingField[],
  texts: SettingTexts,
): Promise<StoredColumns> {
  const hidden = new Set(fields.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const isHidden = ([name, text]: [string, string]) => hidden.has(name) && !isReference(text);
  const all = Object.entries(texts);
  const { [webhookSecretField.name]: webhookSecret, ...own } = Object.fromEntries(all.filter(isHidden));
  return {
    settings: JSON.stringify(Object.fromEntries(all.filter((entry) => !isHidden(entry)))),
    secrets: Object.keys(own).length === 0 ? null : await secrets.encrypt(JSON.stringify(own), secretsOf(id)),
    webhook_secret: webhookSecret === undefined ? null : await secrets.encrypt(webhookSecret, webhookSecretOf(id)),
  };
}

/** What is kept in clear. */
export const plainSettings = ({ settings }: Pick<SourceRow, 'settings'>): SettingTexts =>
  JSON.parse(settings) as SettingTexts;

/** What a source is read with, in clear and as it was typed. Refused where it was encrypted with another secret. */
export async function readingSettings(secrets: Secrets, source: SourceRow): Promise<SettingTexts> {
  return { ...plainSettings(source), ...(await ownSecrets(secrets, source)) };
}

/** What its webhooks are signed with. Apart from the rest: a source is read also where this cannot be decrypted. */
export async function webhookSettings(secrets: Secrets, source: SourceRow): Promise<SettingTexts> {
  const { [webhookSecretField.name]: reference } = plainSettings(source);
  return reference === undefined ? webhookSecret(secrets, source) : { [webhookSecretField.name]: reference };
}

async function ownSecrets(secrets: Secrets, { id, name, secrets: encrypted }: SourceRow): Promise<SettingTexts> {
  if (encrypted === null) return {};
  return JSON.parse(await secrets.decrypt(encrypted, secretsOf(id), `The secrets of source '${name}'`)) as SettingTexts;
}

async function webhookSecret(secrets: Secrets, { id, name, webhook_secret }: SourceRow): Promise<SettingTexts> {
  if (webhook_secret === null) return {};
  const what = `The webhook secrets of source '${name}'`;
  return { [webhookSecretField.name]: await secrets.decrypt(webhook_secret, webhookSecretOf(id), what) };
}

type Reencrypt = (text: string, context: string) => string;

/** The secrets of a source, encrypted again with another key. */
export async function reencrypted(
  secrets: Secrets,
  source: SourceRow,
  reencrypt: Reencrypt,
): Promise<Pick<SourceRow, 'secrets' | 'webhook_secret'>> {
  const own = await ownSecrets(secrets, source);
  const { [webhookSecretField.name]: webhook } = await webhookSecret(secrets, source);
  return {
    secrets: source.secrets === null ? null : reencrypt(JSON.stringify(own), secretsOf(source.id)),
    webhook_secret: webhook === undefined ? null : reencrypt(webhook, webhookSecretOf(source.id)),
  };
}
