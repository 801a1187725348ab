import { type SettingDraft, settingsToSend } from './connection-settings.ts';
import type { Choices, ConnectionKind, PickableItem, SettingLine } from './sources.ts';

/** The guide of a kind: which rights it needs, and how a token with them is made. */
export const guideOf = ({ kind }: Pick<ConnectionKind, 'kind'>): string => `/docs/guides/sources/${kind}`;

/** Ways to prove who asks, such as a token or an app: the labels of what each needs, the usual one first. */
export function waysIn(kind: ConnectionKind): readonly (readonly SettingLine[])[] {
  const replacing = kind.settings.filter(({ instead_of }) => instead_of !== null);
  const replaced = kind.settings.filter(({ name }) => replacing.some(({ instead_of }) => instead_of === name));
  return replacing.length === 0 ? [] : [replaced, replacing];
}

/** The settings of one step of the form, without those of the ways that were not chosen. */
export function settingsOfStep(kind: ConnectionKind, step: SettingLine['step'], way: number): readonly SettingLine[] {
  const ways = waysIn(kind);
  const others = ways.filter((_, at) => at !== way).flat();
  return kind.settings
    .filter((line) => line.step === step && !others.includes(line))
    .map((line) => (ways[way]?.includes(line) ? { ...line, is_required: true } : line))
    .toSorted((a, b) => Number(a.is_secret) - Number(b.is_secret));
}

/** The labels of what has to be given before a check. */
export const missingForCheck = (kind: ConnectionKind, draft: SettingDraft, way: number): readonly string[] =>
  settingsOfStep(kind, 'access', way)
    .filter(({ name, is_required, usual }) => is_required && usual === null && (draft[name] ?? '').trim() === '')
    .map(({ label }) => label);

/** What a check is made with: access and further settings, and nothing that is chosen after it. */
export const settingsToCheck = (kind: ConnectionKind, draft: SettingDraft, way: number) =>
  settingsToSend(
    { ...kind, settings: (['access', 'advanced'] as const).flatMap((step) => settingsOfStep(kind, step, way)) },
    draft,
  );

/** What is read where nobody chooses: everything but archived ones and forks. */
export const activeItems = ({ items }: Choices): ReadonlySet<string> =>
  new Set(items.filter(({ leftOut }) => leftOut === undefined).map(({ value }) => value));

/** Whether the choice is what a connection without one reads, new ones included. */
export function isEverythingActive(choices: Choices, chosen: ReadonlySet<string>): boolean {
  const active = activeItems(choices);
  return chosen.size === active.size && [...chosen].every((value) => active.has(value));
}

/** The setting that names what was chosen; nothing where a connection without it reads the same, and what is new as well. */
export function chosenSetting(
  kind: ConnectionKind,
  choices: Choices | null,
  chosen: ReadonlySet<string>,
): Readonly<Record<string, readonly string[]>> {
  const line = choices && kind.settings.find(({ name }) => name === choices.setting);
  if (!line || (!line.is_required && isEverythingActive(choices, chosen))) return {};
  return { [line.name]: [...chosen] };
}

/** What is chosen where a connection is saved already: what its setting names, else what it reads without one. */
export function savedChoice(choices: Choices, value: string): ReadonlySet<string> {
  const named = value.split(',').filter((one) => one !== '');
  return named.length > 0 ? new Set(named) : activeItems(choices);
}

/** The text of the setting after a choice: empty where a connection without it reads the same, and what is new as well. */
export const choiceText = (line: SettingLine, choices: Choices, chosen: ReadonlySet<string>): string =>
  !line.is_required && isEverythingActive(choices, chosen) ? '' : [...chosen].join(',');

/** Items whose name has all words that are looked for. */
export function itemsFound(items: readonly PickableItem[], search: string): readonly PickableItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter(({ value, label = '' }) => {
    const name = `${value} ${label}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  // What nobody reads unless they say so comes last.
  return found.toSorted((a, b) => Number(a.leftOut !== undefined) - Number(b.leftOut !== undefined));
}

export type HistoryChoice = '3' | '12' | '24' | 'all' | 'day';

/** The first day that is read, or nothing for the whole history. */
export function historyFrom(choice: HistoryChoice, today: string, day: string): string | undefined {
  if (choice === 'all') return undefined;
  if (choice === 'day') return day === '' ? undefined : day;
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - Number(choice), 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return first.toISOString().slice(0, 10);
}

/** A right that is missing, and what to do about it, from one sentence of a check. */
export function splitMissing(text: string): { readonly title: string; readonly detail: string } {
  const [, title = text, detail = ''] = /^(.*?)(?:: |\. )(.*)$/s.exec(text) ?? [];
  return { title, detail: detail && `${detail[0]?.toUpperCase()}${detail.slice(1)}` };
}
