import { aboutMetric, isMetric, measureOf, wordFor } from '../../../ask/metric-facts.ts';
import { capitalised, counted } from '../../../view/format.ts';
import { aggregationIn } from '../../../view/goal-values.ts';
import type { AlertDocument, Delivery, DigestDocument, Notification, Origin, Received, Rule } from './questions.ts';

export const notificationsWords = {
  notifications: 'Notifications',
  theList: 'The list of notifications',
  toYou: 'Sent to you',
  toYouMeaning: 'Digests and alerts that come to your email address.',
  noneToYou: 'Nothing is sent to you yet. Make a digest or an alert below.',
  what: 'What',
  from: 'From',
  you: 'You',
  removed: 'a person who was removed',
  address: 'Address',
  state: 'State',
  on: 'On',
  stopped: 'Stopped',
  silent: 'Silent',
  change: 'Change',
  stop: 'Stop',
  start: 'Start again',
  stopName: (what: string) => `Stop: ${what}`,
  startName: (what: string) => `Start again: ${what}`,
  isStopped: (what: string) => `Stopped: ${what}. It no longer comes to you.`,
  isStarted: (what: string) => `Started again: ${what}.`,
  yours: 'Made by you',
  all: 'All of the organisation',
  noneMade: 'No digests or alerts yet.',
  owner: 'Owner',
  to: 'Sent to',
  test: 'Send a test',
  testName: (what: string) => `Send a test: ${what}`,
  tested: (sent: number) =>
    sent === 0
      ? 'No test was sent: the alert has no receivers.'
      : `A test is on its way to ${counted(sent, 'receiver', 'receivers')}.`,
  remove: 'Remove',
  removeName: (what: string) => `Remove: ${what}`,
  removeTitle: (what: string) => `Remove “${what}”?`,
  removeVerb: 'Remove it',
  removeMeaning: 'It’s no longer sent, and what waits to be sent is dropped. This can’t be undone.',
  isRemoved: (what: string) => `Removed: ${what}.`,
  deliveries: 'Last deliveries',
  deliveriesOfAll: 'The newest 100 messages of the organisation.',
  deliveriesToYou: 'The newest 100 messages to your address.',
  noDeliveries: 'Nothing was sent yet.',
  when: 'When',
  message: 'Message',
  result: 'Result',
  cannotMail: 'Email isn’t set up',
  operatorSets: 'Until it is, emails fail. The operator of this server has to set',
  channels: 'Managers and Owners also send to Slack, Teams, webhooks and other people, from a file:',
  applyCommand: 'plumb alert apply FILE',
  guide: 'Alerts and digests',
} as const;

type Medium = keyof typeof mediumNames;
const mediumNames = { email: 'email', slack: 'Slack', teams: 'Teams', webhook: 'webhook' } as const;

/** `Slack hooks.slack.com/…x4Zq`; an email address alone. */
export function receiverWords(receiver: Notification['to'][number]): string {
  const [[medium, text] = ['email', ''] as const] = Object.entries(receiver) as [Medium, string][];
  return medium === 'email' ? text : `${mediumNames[medium]} ${text}`;
}

const goalsWaited = { review: 'for a review', merge: 'to be merged', deploy: 'to be deployed' } as const;
const byPeriod = { week: 'by week', month: 'by month', quarter: 'by quarter' } as const;

/** The teams of the filters, at the end of a sentence. */
function ofTeams(filters: Readonly<Record<string, unknown>> | undefined, nameOf: (team: string) => string): string {
  const { team, ...others } = filters ?? {};
  const teams = [team ?? []].flat().map((one) => nameOf(String(one)));
  const more = Object.keys(others).length;
  return [...teams, ...(more > 0 ? [counted(more, 'more filter', 'more filters')] : [])]
    .map((text) => ` · ${text}`)
    .join('');
}

function ruleWords(rule: Rule, nameOf: (team: string) => string): string {
  if ('goal_missed' in rule) {
    const { goal, periods } = rule.goal_missed;
    return `The goal “${goal}” is missed ${periods === 1 ? 'once' : `${periods} periods in a row`}`;
  }
  if ('source_behind' in rule) return `A source isn’t read for ${counted(rule.source_behind.hours, 'hour', 'hours')}`;
  if ('waiting' in rule) {
    const { for: what, hours, filters } = rule.waiting;
    return `Pull requests wait ${goalsWaited[what]} for over ${counted(hours, 'hour', 'hours')}${ofTeams(filters, nameOf)}`;
  }
  const { metric, aggregation, filters, period } = rule.unusual;
  const label = isMetric(metric) ? aboutMetric(metric).label : metric;
  const known = aggregationIn(aggregation ?? '');
  const statistic = known && isMetric(metric) ? ` (${wordFor(known, measureOf(metric))})` : '';
  return `Unusual ${byPeriod[period]}: ${label}${statistic}${ofTeams(filters, nameOf)}`;
}

export const alertWords = ({ rule }: Pick<AlertDocument, 'rule'>, nameOf: (team: string) => string): string =>
  ruleWords(rule, nameOf);

/** `monday 08:00` → `Mondays at 08:00`. */
export function scheduleWords(every: string): string {
  const words = every.split(' ');
  const time = words.at(-1) ?? '';
  if (words[0] === 'day') return `every day at ${time}`;
  if (words[0] === 'month') return `each month on day ${words[1]} at ${time}`;
  return `${capitalised(words[0] ?? '')}s at ${time}`;
}

export function digestWords(
  { board, filters, every }: Pick<DigestDocument, 'board' | 'filters' | 'every'>,
  titleOf: (board: string) => string,
  nameOf: (team: string) => string,
): string {
  return `${board === null ? 'Overview' : `Board “${titleOf(board)}”`}, ${scheduleWords(every)}${ofTeams(filters, nameOf)}`;
}

/** What has no sentence because it belongs to others, by its name. */
export const originWords = ({ kind, slug }: Origin): string => `${kind === 'alert' ? 'Alert' : 'Digest'} “${slug}”`;

export function resultWords({ state, status, tries }: Delivery): string {
  if (state === 'sent') return 'Sent';
  const why = status === null ? '' : `: ${status}`;
  if (state === 'failed') return `Failed${why}`;
  return tries === 0 ? 'On its way' : `Tried ${tries === 1 ? 'once' : `${tries} times`}${why}. It is tried again`;
}

export function notificationsSentence(received: readonly Received[], deliveries: readonly Delivery[]): string {
  const stopped = received.filter(({ is_stopped }) => is_stopped).length;
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  const going = received.length - stopped;
  const comes =
    going === 0
      ? 'No digest or alert comes to you'
      : `${counted(going, 'digest or alert comes', 'digests and alerts come')} to you`;
  const parts = [`${comes}${stopped > 0 ? `, ${stopped} stopped` : ''}.`];
  if (failed > 0) parts.push(`${counted(failed, 'delivery has', 'deliveries have')} failed.`);
  return parts.join(' ');
}
