/** What the pages say that the server draws itself: signing in and out, and what went wrong there. */
export const signInWords = {
  signIn: 'Sign in',
  signInTo: (place: string) => `Sign in to ${place}`,
  email: 'Email address',
  password: 'Password',
  signInWith: (provider: string) => `Sign in with ${provider}`,
  noPassword:
    'First time here, or forgot your password? Ask an Owner of your organisation for a sign-in link. Owners ask the operator of this server.',
  chooseOrganisation: 'Choose an organisation',
  organisations: (count: number) => `You belong to ${count} organisations.`,
  welcome: (organisation: string) => `Welcome to ${organisation}`,
  invited: (person: string) => `You’re signing in as ${person}. Choose a password to sign in with from now on.`,
  newPassword: 'New password',
  passwordRule: (characters: number) => `At least ${characters} characters. A few words you remember work best.`,
  setPassword: 'Set password and sign in',
  worksOnce: (person: string) => `This link works once. If you aren’t ${person}, close this page.`,
  signOutOf: 'Sign out of Plumb',
  askSignOut: 'Sign out?',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  back: 'Back',
} as const;

/** The page behind the link of a mail. */
export const stopWords = {
  ask: (kind: 'alert' | 'digest') => (kind === 'alert' ? 'Stop this alert?' : 'Stop this digest?'),
  stop: (kind: 'alert' | 'digest') => (kind === 'alert' ? 'Stop this alert' : 'Stop this digest'),
  about: (name: string, address: string, organisation: string) =>
    `${name} of ${organisation} won’t be sent to ${address} any more.`,
  onlyYou: 'Others still get it.',
  stopped: 'Stopped',
  again: (kind: 'alert' | 'digest', name: string) =>
    `You won’t get the ${kind} ${name} again. To get it back, open Settings, then Notifications.`,
  deadLink: 'This link doesn’t work',
  gone: 'What it was for may have been removed. Copy the whole link from the newest email.',
  notStopped: 'Couldn’t stop it',
  open: 'Open Plumb',
} as const;

/** Why someone is not where they wanted to be, and what to do next. */
export const problemWords = {
  deadLink: 'This link doesn’t work',
  noAccess: 'You don’t have access',
  checkEntry: 'Check what you entered',
  notSignedIn: 'Couldn’t sign you in',
  newLink: 'Ask an Owner of your organisation for a new link, or sign in with your password.',
  formTooLarge: 'The form is too large.',
  notBuilt: 'The pages aren’t built yet',
  build:
    'Run npm run build in Plumb’s folder and start the server again, or start it with npm start, which builds them.',
  openReference: 'Open the reference',
  noPage: 'There’s nothing at this address',
  nothingChanged: 'Nothing was changed',
  openPlumb: 'Open Plumb',
  inPlumb: (heading: string) => `${heading} · Plumb`,
} as const;
