import { type Secrets, UnreadableSecret } from '../secrets/secrets.ts';
import { type SettingTexts, webhookSecretField } from '../sources/settings.ts';
import type { SourceKind } from '../sources/source.ts';
import type { SourceRow } from '../store/sources.ts';
import { plainSettings, readingSettings, webhookSettings } from './stored-settings.ts';

/** The settings of a source for people: of a secret only that it is set, or why it cannot be used. */
export async function shownSettings(
  secrets: Secrets,
  kinds: readonly SourceKind[],
  row: SourceRow,
): Promise<SettingTexts> {
  const shown: Record<string, string> = { ...plainSettings(row) };
  const webhook = await namesOf(secrets, row.webhook_secret, () => webhookSettings(secrets, row));
  if (row.webhook_secret !== null) {
    shown[webhookSecretField.name] = typeof webhook === 'string' ? webhook : 'set';
  }
  const own = await namesOf(secrets, row.secrets, () => readingSettings(secrets, row));
  if (typeof own !== 'string') {
    for (const name of own) shown[name] ??= 'set';
    return shown;
  }
  // Which they are cannot be seen any more; those that have to be there are.
  const needed = kinds
    .find(({ kind }) => kind === row.kind)
    ?.settings.filter((field) => field.isSecret && field.isRequired);
  for (const { name } of needed ?? []) shown[name] ??= own;
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
/** Also damaged ones: which of the two it is cannot be seen. */
const movedSetting = 'encrypted for another address';
