import { alternatives, didYouMean, mustBeOneOf } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import type { OrganisationRow } from '../store/organisation-rows.ts';

type OrganisationSettings = Omit<OrganisationRow, 'id' | 'version' | 'created_at' | 'survey_key'>;

const surveyPrivacies = ['role', 'anonymous'];
const surveyReports = ['team', 'department', 'location'];

/** A setting: how it is read from the text of a command, and what the documentation says of it. */
interface OrganisationSetting<T> {
  readonly read: (text: string) => T;
  /** The allowed values, in words. */
  readonly takes: string;
  /** The value that holds until the setting is set. */
  readonly unset: string;
  readonly meaning: string;
}

const settings: { readonly [N in keyof OrganisationSettings]: OrganisationSetting<OrganisationSettings[N]> } = {
  name: {
    read: (text) => {
      if (text.trim() === '') throw new Refusal('bad-input', 'name must not be blank.');
      return text.trim();
    },
    takes: 'a text that no other organisation is called, in whatever case, and that is no identifier',
    unset: 'as it was created',
    meaning: 'What the organisation is called, on pages and in commands.',
  },
  time_zone: {
    read: (text) => {
      const zone = knownTimeZone(text);
      if (zone) return zone;
      const hint = didYouMean(text, Intl.supportedValuesOf('timeZone'));
      throw new Refusal('bad-input', `time_zone must be an IANA name such as Europe/Vienna, not '${text}'.${hint}`);
    },
    takes: 'an IANA name such as `Europe/Vienna`',
    unset: '`UTC`',
    meaning: 'Whose days, weeks and hours windows, buckets and dates are of.',
  },
  team_restrictions: {
    ...trueOrFalse('team_restrictions'),
    unset: '`false`',
    meaning: 'Whether Managers see only the people of their teams, those who report to them, and themselves.',
  },
  salary_visibility: {
    ...trueOrFalse('salary_visibility'),
    unset: '`false`',
    meaning: 'Whether people with the permission `can-view-salaries` may ask for salaries.',
  },
  benchmark_opt_out: {
    ...trueOrFalse('benchmark_opt_out'),
    unset: '`false`',
    meaning: 'Whether other organisations are compared without this one.',
  },
  incident_window_days: {
    ...wholeNumber('incident_window_days', 1, 365),
    unset: '`7`',
    meaning: 'How many days after a deployment an incident that names none is still put down to it.',
  },
  survey_minimum_group: {
    ...wholeNumber('survey_minimum_group', 1, 1_000),
    unset: '`5`',
    meaning:
      'How many respondents have to be left for answers to surveys to be shown, on pages, and how many a reporting group of an anonymous survey that begins from now on has at least.',
  },
  survey_privacy: {
    ...oneOf('survey_privacy', surveyPrivacies),
    unset: '`role`',
    meaning:
      'Whether the answers of surveys that begin from now on are gated by the role of the person who asks, or anonymous for everyone.',
  },
  survey_report_by: {
    ...oneOf('survey_report_by', surveyReports),
    unset: '`team`',
    meaning:
      'What the respondents of an anonymous survey that begins from now on are divided by, to be shown in groups.',
  },
  onboard_automatically: {
    ...trueOrFalse('onboard_automatically'),
    unset: '`true`',
    meaning: 'Whether people who arrive in records count in metrics, unless they are bots or were excluded.',
  },
  runner_prices: {
    read: (text) => (text.trim() === '' ? null : prices(text)),
    takes: 'JSON such as `{"ubuntu": 0.008}`, or nothing for the default',
    unset: '`{"ubuntu": 0.008, "windows": 0.016, "macos": 0.08}`',
    meaning: 'What a minute of each kind of CI runner costs, in US dollars.',
  },
};

export const settingNames = Object.keys(settings);

/** The page of docs/ that lists the settings. */
export function settingsDocument(): string {
  const rows = Object.entries(settings).map(
    ([name, { takes, unset, meaning }]) => `| \`${name}\` | ${takes} | ${unset} | ${meaning} |`,
  );
  return `# Settings of an organisation

Written from the declarations by \`npm run docs\`. \`plumb org set --org Acme time_zone=Europe/Vienna\` sets one or several. Owners
also set them on the page Settings, Organisation.

| Setting | Takes | Until it is set | Means |
|---|---|---|---|
${rows.join('\n')}
`;
}

export const isSettingName = (name: string): boolean => Object.hasOwn(settings, name);

/** A setting's value, from its text. */
export const readSetting = (name: string, text: string): unknown =>
  settings[name as keyof OrganisationSettings].read(text);

/** The zone as it was named, in its proper case: the engine's own name for it may be an older one (Asia/Calcutta). */
function knownTimeZone(text: string): string | undefined {
  const zone = text.trim();
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
  } catch {
    return undefined;
  }
}

function trueOrFalse(name: string): Pick<OrganisationSetting<boolean>, 'read' | 'takes'> {
  const read = (text: string): boolean => {
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'on' || word === 'yes') return true;
    if (word === 'false' || word === 'off' || word === 'no') return false;
    throw new Refusal('bad-input', `${name} must be true or false, not '${text}'.`);
  };
  return { read, takes: '`true` or `false`' };
}

function oneOf(name: string, words: readonly string[]): Pick<OrganisationSetting<string>, 'read' | 'takes'> {
  const read = (text: string): string => {
    const word = text.trim().toLowerCase();
    if (words.includes(word)) return word;
    throw new Refusal('bad-input', `${name} ${mustBeOneOf(words, text)}`);
  };
  const named = words.map((word) => `\`${word}\``);
  return { read, takes: alternatives(named) };
}

function wholeNumber(name: string, min: number, max: number): Pick<OrganisationSetting<number>, 'read' | 'takes'> {
  const read = (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Refusal('bad-input', `${name} must be a whole number from ${min} to ${max}, not '${text}'.`);
  };
  return { read, takes: `a whole number from ${min} to ${max}` };
}

function prices(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const isPriceList =
    typeof parsed === 'object' &&
    parsed !== null &&
    !Array.isArray(parsed) &&
    Object.values(parsed).every((price) => typeof price === 'number' && price >= 0);
  if (!isPriceList) {
    throw new Refusal(
      'bad-input',
      `runner_prices must be JSON such as {"ubuntu": 0.008}, US dollars a minute, not '${text}'.`,
    );
  }
  return JSON.stringify(parsed);
}

/** An organisation with its settings, for people. */
export interface OrganisationView {
  readonly id: string;
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
  readonly runner_prices: unknown;
}

export function organisationView({
  version: _,
  created_at: __,
  runner_prices,
  onboard_automatically,
  survey_privacy,
  survey_report_by,
  survey_key: ___,
  ...settings
}: OrganisationRow): OrganisationView {
  return {
    ...settings,
    survey_privacy: survey_privacy ?? 'role',
    survey_report_by: survey_report_by ?? 'team',
    onboard_automatically: onboard_automatically ?? true,
    runner_prices: runner_prices === null ? null : JSON.parse(runner_prices),
  };
}
