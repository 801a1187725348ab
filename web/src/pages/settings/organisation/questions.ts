export const organisationPath = '/app/organisation';

/** The settings of the organisation, as `GET /app/organisation` gives them. */
export interface OrganisationSettings {
  readonly name: string;
  readonly time_zone: string;
  readonly team_restrictions: boolean;
  readonly salary_visibility: boolean;
  readonly benchmark_opt_out: boolean;
  readonly incident_window_days: number;
  readonly survey_minimum_group: number;
  readonly survey_privacy: string;
  readonly survey_report_by: string;
  readonly onboard_automatically: boolean;
  readonly runner_prices: Readonly<Record<string, number>> | null;
}

export type SettingName = keyof OrganisationSettings;
export type ChangedSettings = Partial<Record<SettingName, unknown>>;

/** The form holds texts where the reader types; the request has the types of the settings. */
export type OrganisationDraft = Omit<
  OrganisationSettings,
  'incident_window_days' | 'survey_minimum_group' | 'runner_prices'
> & {
  readonly incident_window_days: string;
  readonly survey_minimum_group: string;
  readonly runner_prices: string;
};

export const draftOf = (settings: OrganisationSettings): OrganisationDraft => ({
  ...pick(settings),
  incident_window_days: String(settings.incident_window_days),
  survey_minimum_group: String(settings.survey_minimum_group),
  runner_prices: settings.runner_prices === null ? '' : pricesText(settings.runner_prices),
});

const names: readonly SettingName[] = [
  'name',
  'time_zone',
  'team_restrictions',
  'salary_visibility',
  'benchmark_opt_out',
  'incident_window_days',
  'survey_minimum_group',
  'survey_privacy',
  'survey_report_by',
  'onboard_automatically',
  'runner_prices',
];
const pick = (settings: OrganisationSettings): OrganisationSettings =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as OrganisationSettings;

/** Only the settings that the reader has changed: changes that somebody else made meanwhile stay. */
export function changesIn(before: OrganisationSettings, draft: OrganisationDraft): ChangedSettings {
  const first = draftOf(before);
  const changed = names.filter((name) => first[name] !== draft[name]);
  return Object.fromEntries(changed.map((name) => [name, settingIn(name, draft)]));
}

function settingIn(name: SettingName, draft: OrganisationDraft): unknown {
  if (name === 'runner_prices') return draft.runner_prices.trim() === '' ? null : pricesIn(draft.runner_prices);
  return name === 'incident_window_days' || name === 'survey_minimum_group' ? numberIn(draft[name]) : draft[name];
}

/** A number, or the text as it is for the server to refuse with a sentence. */
const numberIn = (text: string): number | string =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

const pricesText = (prices: Readonly<Record<string, number>>): string =>
  Object.entries(prices)
    .map(([runner, price]) => `${runner} = ${price}`)
    .join('\n');

/** One runner a line, `ubuntu = 0.008`. A line without a price stays text, which the server refuses. */
const pricesIn = (text: string): Readonly<Record<string, number | string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.lastIndexOf('=');
        const [runner, price] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
        return [runner.trim(), numberIn(price.trim())];
      }),
  );
