import { capitalised, counted } from '../../view/format.ts';

export const ownSessionsWords = {
  youSigned: 'You are signed out.',
  whereYouSigned: 'Where you are signed in',
  sessionEndsAfter12: 'A session ends after 12 hours without use, or after 30 days.',
  listYourSessions: 'The list of your sessions',
  yourSessions: 'Your sessions',
  signed: 'Signed in',
  lastUsed: 'Last used',
  with: 'With',
  which: 'Which',
  this: 'This one',
  anotherBrowser: 'Another browser',
  signOutHere: 'Sign out here',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereTitle: 'Sign out everywhere?',
  thisEnds: (sessions: number) =>
    `This ends ${counted(sessions, 'session', 'sessions')}, including this one. API keys keep working.`,
} as const;

export const settingsWords = {
  settings: 'Settings',
  youSigned: (name: string) => `You are signed in to ${name} as`,
  you: 'You',
  name: 'Name',
  address: 'Address',
  role: 'Role',
  permissions: 'Permissions',
  noneBeyondRole: 'None beyond the role',
  signed: 'Signed in with',
  plumb: 'Plumb',
  version: (version: string) => `version ${version}`,
  rolesConnectionsAuditLog: 'Owners manage roles, connections, the audit log and backups:',
  restartSetup: 'Restart setup',
  addressAndPassword: 'Address and password',
  signInLink: 'A sign-in link',
  yourOrganisationsSign: 'Your organisation’s sign-in (OpenID Connect)',
} as const;

export const passwordFormWords = {
  password: 'Password',
  newOneSignsYou: (isOwner: boolean) =>
    `A new one signs you out everywhere but here. A forgotten one: ask ${isOwner ? 'the operator of the server' : 'an Owner'} for a new link.`,
  yourPasswordChanged: 'Your password is changed. All your other sessions have ended.',
  passwordNow: 'Password now',
  newPassword: 'New password',
  newPasswordAgain: 'New password again',
  changePassword: 'Change the password',
} as const;

/** The reason why the form cannot be sent. Only the server knows which passwords are good. */
export function passwordProblem(current: string, password: string, again: string): string | undefined {
  if (current === '') return 'Enter your current password.';
  if (password === '') return 'Choose a new password.';
  if (password === current) return 'The new password is the same as the current one.';
  return password === again ? undefined : 'The two new passwords don’t match.';
}

/** `can-view-salaries` in words: `Can view salaries`. */
export const permissionName = (permission: string): string => capitalised(permission.replaceAll('-', ' '));
