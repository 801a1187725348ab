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

type SettingName = keyof OrganisationSettings;
type ChangedSettings = Partial<Record<SettingName, unknown>>;

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

/** What readers lose by a change, a sentence each. Only these need a confirmation. */
export function whatIsTaken(before: OrganisationSettings, changed: ChangedSettings): readonly string[] {
  const taken: string[] = [];
  if (changed.team_restrictions === true) {
    taken.push('Managers will see only the work of the teams assigned to them and of those who report to them.');
  }
  if (changed.salary_visibility === false) taken.push('No one will see salaries, whatever their permissions.');
  if (changed.survey_privacy === 'anonymous') {
    taken.push(
      'Answers to surveys that begin from now on will carry no times of their own, and will be shown once a survey is closed, by groups of enough people, to everyone and in the API as well.',
    );
  }
  if (changed.survey_privacy === 'role') {
    taken.push(
      'Answers to surveys that begin from now on will not be protected in the API: Owners and Managers see each of them. Surveys that were anonymous stay so.',
    );
  }
  const least = changed.survey_minimum_group;
  if (typeof least === 'number' && least > before.survey_minimum_group) {
    taken.push(`Survey results of groups with fewer than ${least} people will be hidden.`);
  }
  if (typeof least === 'number' && least < before.survey_minimum_group) {
    taken.push(
      `Survey results of groups with as few as ${least} people will be shown, which protects their members less.`,
    );
  }
  if (changed.onboard_automatically === false) {
    taken.push('New people don’t count in metrics until someone includes them.');
  }
  if (changed.time_zone !== undefined) taken.push('Days and weeks will begin at other hours, in the past as well.');
  return taken;
}

const labels: Readonly<Record<SettingName, string>> = {
  name: 'name',
  time_zone: 'time zone',
  team_restrictions: 'team restrictions',
  salary_visibility: 'salary visibility',
  benchmark_opt_out: 'benchmarks',
  incident_window_days: 'days to count a failure',
  survey_minimum_group: 'smallest group of a survey',
  survey_privacy: 'survey privacy',
  survey_report_by: 'groups of surveys',
  onboard_automatically: 'new people in metrics',
  runner_prices: 'prices of runners',
};

/** What was done, for the reader: `Saved: time zone, survey privacy.` */
export const savedSentence = (changed: ChangedSettings): string =>
  `Saved: ${(Object.keys(changed) as SettingName[]).map((name) => labels[name]).join(', ')}.`;

export function organisationSentence(settings: OrganisationSettings): string {
  const salaries = settings.salary_visibility ? 'Salaries are shown to those who may see them' : 'Salaries are hidden';
  const surveys =
    settings.survey_privacy === 'anonymous' ? 'surveys are anonymous' : 'survey answers are for Owners and Managers';
  const managers = settings.team_restrictions ? 'Managers see their own teams' : 'Managers see everyone';
  return `${salaries}, ${surveys}, ${managers}.`;
}
