import type { Connection, ConnectionKind, KnownSetting, SettingLine } from './sources.ts';

/** The values of a connection's form: a text for each setting, as the reader types it. */
export type SettingDraft = Readonly<Record<string, string>>;

/**
 * The settings that are known already. Secrets are empty: the server never returns them, and an empty field keeps the
 * stored one.
 */
export const draftOfSettings = (kind: ConnectionKind, known: Connection['settings'] = {}): SettingDraft =>
  Object.fromEntries(kind.settings.map(({ name }) => [name, shownText(known[name])]));

const shownText = (setting: KnownSetting | undefined): string => (typeof setting === 'string' ? setting : '');

/** Whether a setting has a value that the page cannot show: a secret, or a value that the operator keeps elsewhere. */
export const isKept = (setting: KnownSetting | undefined): boolean => typeof setting === 'object';

/** The labels of the required settings that are still missing: the form cannot be sent without them. */
export function missingSettings(
  kind: ConnectionKind,
  draft: SettingDraft,
  known: Connection['settings'] = {},
): readonly string[] {
  const isMissing = ({ name, is_required }: SettingLine) =>
    is_required && (draft[name] ?? '').trim() === '' && !isKept(known[name]);
  return kind.settings.filter(isMissing).map(({ label }) => label);
}

/**
 * The settings to send: of a new connection those that have a value, of an existing one those that differ. Null clears
 * a setting.
 */
export function settingsToSend(
  kind: ConnectionKind,
  draft: SettingDraft,
  known?: Connection['settings'],
): Readonly<Record<string, string | null>> {
  const before = draftOfSettings(kind, known);
  const changed = kind.settings.flatMap(({ name, type }): [string, string | null][] => {
    const text = tidied(draft[name] ?? '', type);
    if (text === before[name]) return [];
    return [[name, text === '' ? null : text]];
  });
  return Object.fromEntries(changed);
}

/** Readers type lists with a line or a comma for each item; requests have commas. */
function tidied(text: string, type: SettingLine['type']): string {
  if (type !== 'list') return text.trim();
  return text
    .split(/[\n,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(',');
}
