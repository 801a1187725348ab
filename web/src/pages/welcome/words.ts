import { counted, grouped } from '../../view/format.ts';
import type { Setup, WelcomeFacts, WelcomeStep } from './questions.ts';
import { isStepDone, nextStep, steps } from './questions.ts';

export const welcomeWords = {
  welcome: 'Welcome',
  setup: 'Setup is',
  forOwners: 'for Owners.',
  openOverview: 'Open the overview',
  back: 'Back',
  connect: (label: string) => `Connect ${label}`,
  nothingSavedOrRead: 'Nothing is saved or read until the check passes and you start.',
  importFile: 'Import a file',
  youSeeWhatEach: 'You see what each column becomes before anything is kept.',
  welcomeToPlumb: (firstName: string | undefined) => `Welcome to Plumb, ${firstName}`,
} as const;

export const inviteStepWords = {
  added: (name: string) => `${name} is added.`,
  emailAddress: 'Email address',
  name: 'Name',
  takenFromAddress: 'Taken from the address when empty.',
  role: 'Role',
  sendInvite: 'Send an invite',
  giveThisLink: (name: string, hours: number) =>
    `Give this link to ${name} and no one else. It is shown only now, and works once within ${hours} hours.`,
  signInLink: (name: string) => `Sign-in link of ${name}`,
  copyLink: 'Copy the link',
} as const;

export const ownerStepWords = {
  you: 'You are',
  ownerYouSeeEverything: (email: string) => `(${email}), Owner: you see everything and may change everything here.`,
  secondOwnerKeepsYou: 'A second Owner keeps you from being locked out:',
  giveSomeoneRole: 'give someone the role',
  nameOrganisation: 'Name of the organisation',
  timeZone: 'Time zone',
  whereDaysAndWeeks: 'Where days and weeks begin. Your browser is in this one.',
  whereDaysAndWeeksBegin: (own: string) => `Where days and weeks begin. Your browser is in ${own}.`,
  save: 'Save',
} as const;

export const startCardsWords = {
  connect: (label: string) => `Connect ${label}`,
  firstNumbersInAbout: 'First numbers in about ten minutes. You need a read-only token.',
  otherSources: 'Other sources',
  connect2: 'Connect',
  lookAroundFirst: 'Look around first',
  madeUpCompany: (name: string) =>
    `${name} is a made-up company. To come back, sign out there and sign in as yourself.`,
  openSampleData: 'Open sample data',
  importFile: 'Import a file',
  haveExportFromAnother: 'Have an export from another tool? Bring it in.',
  import: 'Import',
} as const;

export const stepListWords = {
  whatHappensNext: 'What happens next',
  done: '(done)',
  leftForLater: 'Left for later.',
  skipForNow: 'Skip for now',
  openOverview: 'Open the overview',
  setupStartsAgain: 'Setup starts again.',
  restartSetup: 'Restart setup',
  setupDoneYouFind: 'Setup is done. You can reopen it from settings.',
  finishSetup: 'Finish setup',
  connectSourceOrImport: 'Connect a source or import a file above.',
  showConnections: 'Show connections',
  firstRecordsHere: 'The first records are here.',
  newestRecordsComeFirst: 'The newest records come first. You can use everything that has arrived.',
  nothingBeingReadYet: 'Nothing is being read yet.',
} as const;

export const teamsStepWords = {
  listTeams: 'The list of teams',
  thereNoTeamsYet: 'There are no teams yet. Connections bring those of your organisation. Add others here.',
  teamTeamsAndMore: (teams: number, teams2: string) =>
    `${counted(teams, 'team', 'teams')}: ${teams2}${teams > 12 ? ' and more' : ''}.`,
  putPeopleIntoTeams: 'Put people into teams',
  made: (names: string) => `Made: ${names}.`,
  namesNewTeams: 'Names of new teams',
  onePerLine: 'One per line.',
  makeTeams: 'Make teams',
  make: (names: number) => `Make ${counted(names, 'team', 'teams')}`,
} as const;

export const stepNames: Readonly<Record<WelcomeStep, string>> = {
  account: 'Account created',
  data: 'Bring in data',
  chart: 'See the first chart',
  people: 'Check people and teams',
  invite: 'Invite your managers',
};

/** The state of each step in a few words. Unknown is not called missing. */
export function stepSays(step: WelcomeStep, facts: WelcomeFacts): string {
  const { email, connections = 0, people = 0, teams = 0, invited = 0, isSyncing } = facts;
  const isDone = isStepDone(step, facts);
  switch (step) {
    case 'account':
      return email;
    case 'data':
      if (connections > 0) return counted(connections, 'connection', 'connections');
      return isDone ? 'Imported' : 'About 5 minutes';
    case 'chart':
      if (isDone) return 'Ready';
      return isSyncing ? 'Importing history…' : 'Once data arrives';
    case 'people':
      return isDone
        ? `${counted(people, 'person', 'people')}, ${counted(teams, 'team', 'teams')}`
        : 'We match accounts, you confirm the unclear ones';
    case 'invite':
      return isDone ? `${grouped(invited)} invited` : 'They see their teams, engineers see their own work';
  }
}

export function welcomeSentence(facts: WelcomeFacts, setup: Pick<Setup, 'skipped'>): string {
  const left = steps.filter((step) => !isStepDone(step, facts)).length;
  if (left === 0) return 'Everything is in place. You can come back to any step.';
  if (nextStep(facts, setup) === undefined) return 'What you skipped stays here.';
  return 'See how work gets to production, and where it waits. It runs on your own server, and nothing leaves it.';
}
