import { counted } from '../../../view/format.ts';
import type { Rule } from './questions.ts';

type Choices = readonly (readonly [value: string, name: string])[];

export const digestFormWords = {
  team: 'Team',
  allTeams: 'All teams',
  newDigest: 'New digest',
  newDigestMeaning: 'How things stand, by email to you, in your organisation’s time zone.',
  shows: 'Shows',
  overview: 'The overview',
  board: (title: string) => `Board: ${title}`,
  comes: 'Comes',
  day: 'On',
  at: 'At',
  make: 'Make the digest',
  made: 'The digest is made. It stands above.',
} as const;

export const alertFormWords = {
  team: 'Team',
  allTeams: 'All teams',
  newAlert: 'New alert',
  newAlertMeaning: 'An email to you when something happens, once for each cause.',
  when: 'Tell me when',
  waitingFor: 'Waiting for',
  hours: 'For over',
  metric: 'Metric',
  statistic: 'Statistic',
  period: 'By',
  goal: 'Goal',
  chooseGoal: 'Choose a goal',
  noGoal: 'Choose a goal first.',
  periods: 'How often in a row',
  quiet: 'Quiet hours',
  quietHint: 'Messages wait until they end.',
  weekends: 'Quiet at weekends',
  from: 'Quiet from',
  until: 'Quiet until',
  twoTimes: 'Quiet hours need two different times.',
  make: 'Make the alert',
  made: 'The alert is made. It stands above.',
} as const;

export const ruleChoices: Choices = [
  ['waiting', 'Pull requests wait'],
  ['unusual', 'A metric is unusual'],
  ['goal_missed', 'A goal is missed'],
  ['source_behind', 'A source isn’t read'],
];

export const waitingChoices: Choices = [
  ['review', 'a review'],
  ['merge', 'the merge'],
  ['deploy', 'the deployment'],
];

export const periodChoices: Choices = [
  ['week', 'week'],
  ['month', 'month'],
  ['quarter', 'quarter'],
];

export const hoursChoices: Choices = [1, 3, 6, 12, 24, 48, 72, 120, 168].map((hours) => [
  String(hours),
  hours > 24 ? counted(hours / 24, 'day', 'days') : counted(hours, 'hour', 'hours'),
]);

export const periodsChoices: Choices = [1, 2, 3, 4].map((periods) => [
  String(periods),
  counted(periods, 'period', 'periods'),
]);

export const rhythmChoices: Choices = [
  ['day', 'every day'],
  ['week', 'every week'],
  ['month', 'every month'],
];

/** Their own list: the one of the heat maps would become a file that every page with a chart loads. */
export const weekdayChoices: Choices = [
  ['monday', 'Monday'],
  ['tuesday', 'Tuesday'],
  ['wednesday', 'Wednesday'],
  ['thursday', 'Thursday'],
  ['friday', 'Friday'],
  ['saturday', 'Saturday'],
  ['sunday', 'Sunday'],
];

/** Every month has so many days. */
export const dayChoices: Choices = Array.from({ length: 28 }, (_, at) => [String(at + 1), `Day ${at + 1}`]);

export const hourChoices: Choices = Array.from({ length: 24 }, (_, hour) => {
  const time = `${String(hour).padStart(2, '0')}:00`;
  return [time, time];
});

/** What the name of an alert in addresses is made of. */
export function nameForAlert(rule: Rule): string {
  if ('waiting' in rule) return `waiting for ${rule.waiting.for}`;
  if ('unusual' in rule) return `unusual ${rule.unusual.metric}`;
  return 'goal_missed' in rule ? `missed ${rule.goal_missed.goal}` : 'source behind';
}

/** The schedule of a digest without its time: `monday`, `day` or `month 1`. */
export function everyOf(rhythm: string, weekday: string, dayOfMonth: string): string {
  if (rhythm === 'month') return `month ${dayOfMonth}`;
  return rhythm === 'day' ? 'day' : weekday;
}
