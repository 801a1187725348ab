import { fewRows } from '../../../../src/charts/chart-description.ts';
import type { Verdict } from '../../../../src/query/verdict.ts';
import { accessRoles } from '../../ask/people-answers.ts';
import { counted, shown } from '../../view/format.ts';
import type { OwnFigure } from './questions.ts';

export const personWords = {
  person: 'Person',
  thisPerson: 'This person',
  changeDetails: 'Change details',
  roleAndAccess: 'Role and access',
  workOthers: 'The work of others is',
  forOwnersManagers: 'for Owners, Managers and their squad leads. Everyone sees their own.',
  inNoTeam: 'In no team.',
  in: (teams: string) => `In ${teams}.`,
  work: 'Work',
  about: 'About',
} as const;

export const accessWords = {
  nowItHolds: (name: string, role: string, managed: number, managed2: string) =>
    `${name} is now ${role}${managed > 0 && role === 'Manager' ? ` of ${managed2}` : ''}. This applies at once, to their keys too.`,
  roleAndAccess: 'Role and access',
  role: 'Role',
  maySeeSalaries: 'May see salaries',
  peopleWhoseWork: 'For people whose work they see. Each look is recorded in the audit log.',
  withoutEffectWhileOrganisation: 'No effect while the organisation hides salaries.',
  teamsAssigned: 'Teams assigned to them',
  asManagerTheySee: 'As a Manager they see the work of these teams and of their reports.',
  withoutEffectWhileManagers: 'No effect while Managers aren’t restricted to their teams.',
  save: 'Save',
  removeSAccess: (name: string) => `Remove ${name}’s access?`,
  sendInvite: 'Send an invite',
  commandThatMakesSign: 'Command that makes a sign-in link',
  copy: 'Copy',
  addEmailAddressFirst: 'Add an email address first, under “Change details”.',
  linkThatWorksOnce: 'A link that works once. With it they choose a password, or replace a forgotten one.',
  forOwnerWhoCan: (works: string) =>
    `${works} For an Owner who can already sign in, only the operator of the server can make one.`,
  operatorServerCanAlso: (works: string) => `${works} The operator of the server can also make one.`,
} as const;

export const detailsWords = {
  changeDetails: 'Change details',
  whatYouSetHere: 'What you set here overrides connections until you change it again.',
  saved: (savedFields: string) => `Saved: ${savedFields}.`,
  name: 'Name',
  address: 'Address',
  oneToSign: 'The one to sign in with.',
  allAddresses: 'All addresses',
  onePerLineAddresses:
    'One per line. Addresses added here can also sign in with an OpenID provider. Those that came with records can’t, until they are removed, saved and added again.',
  logins: 'Logins',
  sourceAndLogin: 'Source and login, one per line, for example github: ada',
  jobTitle: 'Job title',
  level: 'Level',
  location: 'Location',
  addressManager: 'Address of the manager',
  teams: 'Teams',
  squads: 'Squads',
  thisBot: 'This is a bot',
  saidHereItHolds: 'Overrides what logins and records say. Bots don’t count as authors or reviewers.',
  save: 'Save',
  is: (name: string, onboarded: boolean) => `${name} is ${onboarded ? 'in metrics' : 'no longer in metrics'}.`,
  inMetrics: 'In metrics',
  notInMetrics: 'Not in metrics',
  theirWorkCounts: 'Their work counts in metrics.',
  metricsLeaveTheirWork: 'Metrics leave their work out.',
  excludeFromMetrics: 'Exclude from metrics',
  excludeFromMetricsTitle: (name: string) => `Exclude ${name} from metrics?`,
  exclude: 'Exclude',
  theirWorkStopsCounting:
    'Their work stops counting in every metric, in the past as well. Their records stay, and including them again brings everything back.',
  includeInMetrics: 'Include in metrics',
  mergedIntoThisPerson: 'Merged into this person',
  undoMerge: 'Undo the merge',
  makePersonTheirOwn: (name: string) => `Make ${name} a person of their own again?`,
  personTheirOwnAgain: (name: string) => `${name} is a person of their own again.`,
  theirAddressesLogins: 'Their addresses, logins and work go back to them.',
  removeFromDirectory: 'Remove from the directory',
  youCannotRemoveYourself: 'You can’t remove yourself. Another Owner can.',
  forPeopleWhoNever: 'For people who never belonged here. If someone left, exclude them from metrics instead.',
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removePerson: 'Remove the person',
  removed: (name: string) => `${name} is removed.`,
  theirKeysStopWorking:
    'Their keys stop working, their sessions end, and their work belongs to no one. This can’t be undone.',
} as const;

export const factsWords = {
  about: 'About',
  address: 'Address',
  allAddresses: 'All addresses',
  logins: 'Logins',
  teams: 'Teams',
  squads: 'Squads',
  manager: 'Manager',
  jobTitle: 'Job title',
  location: 'Location',
  role: 'Role',
  counts: 'Counts',
  yesInMetrics: 'yes: in metrics',
  noNotInMetrics: 'no: not in metrics',
  knownSince: 'Known since',
} as const;

export const groupPickerWords = {
  chosen: (label: string) => `${label} chosen`,
  take: (name: string) => `Take out of ${name}`,
  findOrNameNew: (one: string) => `Find a ${one}, or name a new one`,
  addAsNew: (added: string, one: string) => `Add “${added}” as a new ${one}`,
  theyreInItAlready: 'They’re in it already',
} as const;

export const ownWorkWords = {
  pullRequestsOpenedPer: (level: string) => `Pull requests opened per ${level}`,
  pullRequests: 'pull requests',
  newestPullRequests: 'Newest pull requests',
  newestFirst: (maxRecent: number) => `At most ${maxRecent}, the newest first`,
  listPullRequests: 'The list of pull requests',
  pullRequest: 'Pull request',
  repository: 'Repository',
  state: 'State',
  opened: 'Opened',
  cycleTime: 'Cycle time',
  request: 'Request',
} as const;

export const signInLinkWords = {
  give: (name: string, hours: number) =>
    `Give it to ${name} and no one else. It is shown this once, and works once within ${hours} hours.`,
  makeSignInLink: 'Make a sign-in link',
  signInLink: (name: string) => `Sign-in link of ${name}`,
  copyLink: 'Copy the link',
} as const;

export const ownFigures: readonly OwnFigure[] = [
  { metric: 'pull-requests-count', label: 'Pull requests opened', of: 'pull requests' },
  { metric: 'cycle-time', aggregation: 'MEDIAN', label: 'Cycle time, median', of: 'pull requests' },
  { metric: 'pickup-time', aggregation: 'MEDIAN', label: 'First review wait, median', of: 'pull requests' },
  { metric: 'review-rounds', label: 'Review rounds, average', of: 'pull requests' },
  { metric: 'reviews-count', label: 'Reviews given', of: 'reviews' },
  { metric: 'completed-issues-count', label: 'Issues completed', of: 'issues' },
];

const labels: Readonly<Record<string, string>> = {
  main_email: 'address',
  emails: 'addresses',
  job_title: 'job title',
  manager_email: 'manager',
  is_bot: 'whether it is a bot',
};

export const savedFields = (changed: Readonly<Record<string, unknown>>): string =>
  Object.keys(changed)
    .map((field) => labels[field] ?? field)
    .join(', ');

/** The rights that a person loses when their access changes, a sentence each. Only these need a confirmation. */
export function accessTaken(
  before: { readonly role: string; readonly permissions: readonly string[]; readonly managed: readonly string[] },
  after: { readonly role: string; readonly permissions: readonly string[]; readonly managed: readonly string[] },
): readonly string[] {
  const taken: string[] = [];
  if (accessRoles.indexOf(after.role) > accessRoles.indexOf(before.role)) {
    taken.push(`As ${after.role} they see and may do less than as ${before.role}, and so do their keys.`);
  }
  const permissions = before.permissions.filter((one) => !after.permissions.includes(one));
  if (permissions.length > 0) taken.push(`They lose ${permissions.join(', ')}.`);
  const teams = before.managed.filter((one) => !after.managed.includes(one));
  if (teams.length > 0) taken.push(`They no longer manage ${teams.join(', ')}.`);
  return taken;
}

interface SaidPoint {
  readonly value: number | null;
  readonly n: number | null;
}

/** The part of a figure that the sentence uses. */
interface SaidFigure {
  readonly isFirst: boolean;
  readonly now: SaidPoint;
  readonly before: SaidPoint | undefined;
  readonly verdict: Verdict | null;
}

/** `They opened 12 pull requests, 15 before. Half of them took less than 2d 3h in all.` Few are no reason for a median. */
export function personSentence(figures: readonly SaidFigure[], isOwn: boolean): string {
  const [opened, cycle] = figures;
  if (!opened || opened.isFirst) return ' ';
  const who = isOwn ? 'You' : 'They';
  const count = opened.now.value ?? 0;
  // Where the history begins later, the number before is of fewer days.
  const before = opened.verdict === 'no_comparison' ? undefined : opened.before?.value;
  const compared = typeof before === 'number' ? `, ${shown(before, 'count')} before` : '';
  if (count === 0) return `${who} opened no pull request in this window${compared}.`;
  const median = cycle?.now.value;
  const isEnough = (cycle?.now.n ?? 0) >= fewRows && typeof median === 'number';
  const typical = isEnough ? ` Half of them took less than ${shown(median, 'duration')} in all.` : '';
  return `${who} opened ${counted(count, 'pull request', 'pull requests')}${compared}.${typical}`;
}
