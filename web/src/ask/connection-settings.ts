import type { Connection, ConnectionKind, KnownSetting, SettingLine } from './sources.ts';

/** What the form of a connection holds: a text for each setting, as it is typed. */
export type SettingDraft = Readonly<Record<string, string>>;

/** What is known already. Secrets are empty: nobody gets them back, and an empty one stays as it is. */
export const draftOfSettings = (kind: ConnectionKind, known: Connection['settings'] = {}): SettingDraft =>
  Object.fromEntries(kind.settings.map(({ name }) => [name, shownText(known[name])]));

const shownText = (setting: KnownSetting | undefined): string => (typeof setting === 'string' ? setting : '');

/** Whether a setting has a value that is not shown: a secret, or what the operator keeps elsewhere. */
export const isKept = (setting: KnownSetting | undefined): boolean => typeof setting === 'object';

/** What keeps the form from being sent: the labels of what is needed and missing. */
export function missingSettings(
  kind: ConnectionKind,
  draft: SettingDraft,
  known: Connection['settings'] = {},
): readonly string[] {
  const isMissing = ({ name, is_required }: SettingLine) =>
    is_required && (draft[name] ?? '').trim() === '' && !isKept(known[name]);
  return kind.settings.filter(isMissing).map(({ label }) => label);
}

/** The settings to send: for a new connection those that are given, for one that exists those that differ; null clears. */
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

/** Lists are typed one a line or with commas; they are sent with commas. */
function tidied(text: string, type: SettingLine['type']): string {
  if (type !== 'list') return text.trim();
  return text
    .split(/[\n,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(',');
}
