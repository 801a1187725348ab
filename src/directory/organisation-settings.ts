import { Refusal } from '../refusal.ts';
import type { OrganisationRow } from '../store/organisations.ts';

type OrganisationSettings = Omit<OrganisationRow, 'id' | 'version' | 'created_at' | 'survey_key'>;

const surveyPrivacies = ['role', 'anonymous'];

/** How each setting is read from the text of a command. */
const settings: { readonly [N in keyof OrganisationSettings]: (text: string) => OrganisationSettings[N] } = {
  name: (text) => {
    if (text.trim() === '') throw new Refusal('bad-input', 'name must not be blank.');
    return text.trim();
  },
  time_zone: (text) => {
    const zone = knownTimeZone(text);
    if (!zone) throw new Refusal('bad-input', `time_zone must be an IANA name such as Europe/Vienna, not '${text}'.`);
    return zone;
  },
  team_restrictions: trueOrFalse('team_restrictions'),
  salary_visibility: trueOrFalse('salary_visibility'),
  benchmark_opt_out: trueOrFalse('benchmark_opt_out'),
  incident_window_days: wholeNumber('incident_window_days', 1, 365),
  survey_minimum_group: wholeNumber('survey_minimum_group', 1, 1_000),
  survey_privacy: (text) => {
    const word = text.trim().toLowerCase();
    if (surveyPrivacies.includes(word)) return word;
    throw new Refusal('bad-input', `survey_privacy must be one of ${surveyPrivacies.join(', ')}, not '${text}'.`);
  },
  onboard_automatically: trueOrFalse('onboard_automatically'),
  runner_prices: (text) => (text.trim() === '' ? null : prices(text)),
};

export const settingNames = Object.keys(settings);

export const isSettingName = (name: string): boolean => Object.hasOwn(settings, name);

/** A setting's value, from its text. */
export const readSetting = (name: string, text: string): unknown => settings[name as keyof OrganisationSettings](text);

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

function trueOrFalse(name: string): (text: string) => boolean {
  return (text) => {
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'on' || word === 'yes') return true;
    if (word === 'false' || word === 'off' || word === 'no') return false;
    throw new Refusal('bad-input', `${name} must be true or false, not '${text}'.`);
  };
}

function wholeNumber(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Refusal('bad-input', `${name} must be a whole number from ${least} to ${most}, not '${text}'.`);
  };
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
