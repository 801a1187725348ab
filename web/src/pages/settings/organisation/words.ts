import type { ChangedSettings, OrganisationSettings, SettingName } from './questions.ts';

export const organisationWords = {
  organisation: 'Organisation',
  settings: 'The settings',
} as const;

export const organisationFormWords = {
  onlyOwnersChange: 'Only Owners change this',
  organisation: 'Organisation',
  name: 'Name',
  timeZone: 'Time zone',
  whereDaysAndWeeks: 'Where days and weeks begin, for everyone.',
  whoSeesWhat: 'Who sees what',
  restrictManagers: 'Restrict Managers to their teams',
  managersSeeWorkTeams:
    'Managers see the work of the teams assigned to them and of those who report to them, instead of everyone’s.',
  showSalaries: 'Show salaries',
  onlyToPeople: 'Only to people who can view salaries. Each look is recorded in the audit log.',
  surveyPrivacy: 'Survey privacy',
  surveysThatBegin:
    'For surveys that start from now on. By role: Owners and Managers get every answer from the API. Anonymous: everyone sees groups only.',
  byRole: 'by role',
  groupsSurvey: 'Groups of a survey',
  whatThoseWhoAnswer: 'How respondents to anonymous surveys are grouped.',
  byTeam: 'by team',
  byDepartment: 'by department',
  byLocation: 'by location',
  smallestGroupSurvey: 'Smallest group shown',
  resultsFewerPeopleHidden: 'Results from fewer people are hidden on pages, and everywhere for anonymous surveys.',
  howItCounted: 'How things are counted',
  includeNewPeople: 'Include new people in metrics',
  peopleWhoFirstAppear: 'New people count as soon as they appear in records. Bots don’t.',
  daysInWhichIncident: 'Days after a deployment in which an incident counts against it',
  pricesRunners: 'Runner prices',
  usDollarsMinute:
    'US dollars per minute, one runner per line, such as ubuntu = 0.008. If empty: ubuntu 0.008, windows 0.016, macos 0.08.',
  keepOurFigures: 'Keep our figures out of benchmarks',
  otherOrganisations: 'Other organisations on this server are compared without yours. You still see how you compare.',
  save: 'Save',
  discardChanges: 'Discard changes',
  saveTheseSettings: 'Save these settings?',
} as const;

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
  if (changed.time_zone !== undefined) taken.push('Days and weeks will begin at different hours, in the past too.');
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
