import { expect, test } from 'vitest';
import {
  changesIn,
  draftOf,
  type OrganisationSettings,
} from '../../../web/src/pages/settings/organisation/questions.ts';
import {
  organisationSentence,
  savedSentence,
  whatIsTaken,
} from '../../../web/src/pages/settings/organisation/words.ts';

const settings: OrganisationSettings = {
  name: 'Acme',
  time_zone: 'UTC',
  team_restrictions: false,
  salary_visibility: true,
  benchmark_opt_out: false,
  incident_window_days: 7,
  survey_minimum_group: 5,
  survey_privacy: 'role',
  survey_report_by: 'team',
  onboard_automatically: true,
  runner_prices: { ubuntu: 0.008 },
};

test('What is not changed is not sent', () => {
  expect(changesIn(settings, draftOf(settings))).toEqual({});
});

test('Numbers and prices are sent as numbers, an empty price list as none', () => {
  const draft = { ...draftOf(settings), survey_minimum_group: '8', runner_prices: 'ubuntu = 0.01\n\nbig = 0.5\n' };
  expect(changesIn(settings, draft)).toEqual({ survey_minimum_group: 8, runner_prices: { ubuntu: 0.01, big: 0.5 } });
  expect(changesIn(settings, { ...draft, survey_minimum_group: '5', runner_prices: ' ' })).toEqual({
    runner_prices: null,
  });
});

test('What is no number is left for the server to refuse', () => {
  const draft = { ...draftOf(settings), survey_minimum_group: 'many', runner_prices: 'ubuntu' };
  expect(changesIn(settings, draft)).toEqual({ survey_minimum_group: 'many', runner_prices: { ubuntu: '' } });
});

test('Only what takes something away is confirmed', () => {
  expect(whatIsTaken(settings, { name: 'Acme Ltd', incident_window_days: 3 })).toEqual([]);
  expect(whatIsTaken(settings, { team_restrictions: true })).toHaveLength(1);
  expect(whatIsTaken(settings, { salary_visibility: false, survey_privacy: 'anonymous' })).toHaveLength(2);
  expect(whatIsTaken(settings, { survey_minimum_group: 8 })[0]).toContain('fewer than 8 people will be hidden');
  expect(whatIsTaken(settings, { survey_minimum_group: 2 })[0]).toContain('protects their members less');
  expect(whatIsTaken({ ...settings, team_restrictions: true }, { team_restrictions: false })).toEqual([]);
});

test('The form of the organisation says what was saved, and how the organisation stands', () => {
  expect(savedSentence({ time_zone: 'Europe/Vienna', survey_privacy: 'anonymous' })).toBe(
    'Saved: time zone, survey privacy.',
  );
  expect(organisationSentence(settings)).toBe(
    'Salaries are shown to those who may see them, survey answers are for Owners and Managers, Managers see everyone.',
  );
});
