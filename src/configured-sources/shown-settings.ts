import type { Secrets } from '../secrets/secrets.ts';
import { type SettingTexts, webhookSecretField } from '../sources/settings.ts';
import type { SourceKind } from '../sources/source.ts';
import type { SourceRow } from '../store/sources.ts';
import { plainSettings, readingSettings } from './stored-settings.ts';

/** The settings of a source for people: of a secret only that it is set, or why it cannot be used. */
export async function shownSettings(
  secrets: Secrets,
  kinds: readonly SourceKind[],
  row: SourceRow,
): Promise<SettingTexts> {
  const shown: Record<string, string> = { ...plainSettings(row) };
  if (row.webhook_secret !== null) {
    shown[webhookSecretField.name] = (await secrets.isReadable(row.webhook_secret)) ? 'set' : lockedSetting;
  }
  if (row.secrets === null || (await secrets.isReadable(row.secrets))) {
    for (const name of Object.keys(await readingSettings(secrets, row))) shown[name] ??= 'set';
    return shown;
  }
  // Which they are cannot be seen any more; those that have to be there are.
  const needed = kinds
    .find(({ kind }) => kind === row.kind)
    ?.settings.filter((field) => field.isSecret && field.isRequired);
  for (const { name } of needed ?? []) shown[name] ??= lockedSetting;
  return shown;
}

export const lockedSetting = 'encrypted with another PLUMB_SECRET';
