import { addDays } from '../../../../../src/calendar.ts';
import { counted } from '../../../view/format.ts';
import type { Keys } from './questions.ts';
import { isIdle, isWorking } from './questions.ts';

export const keysWords = {
  apiKeys: 'API keys',
  listKeys: 'The list of keys',
  makeKey: 'Make a key',
  keysOrganisation: 'Keys of the organisation',
  yourKeys: 'Your keys',
  keysOthersAndKeys: 'Keys of others, and keys that see more, are for Owners',
  ask: ': ask',
  whichKeys: 'Which keys',
  working: (working: number) => `${working} working`,
  ended: (ended: number) => `${ended} ended`,
  thereNoneMake: 'No keys yet. Create one above for a program, a script or an assistant.',
  noneHasEnded: (working: number) => `No key has ended. ${counted(working, 'key works', 'keys work')}.`,
} as const;

export const keyTableWords = {
  hasSuccessorShownAbove: (name: string) =>
    `“${name}” has a successor, shown above. The old key works for one more day.`,
  keyRevokedItNo: (name: string, prefix: string) => `The key “${name}” (${prefix}) is revoked. It no longer works.`,
  nameAndKey: 'Name and key',
  underName: 'Under the name: how all keys begin and how this one ends',
  made: 'Made',
  by: (madeBy: string) => `by ${madeBy}`,
  lastUsed: 'Last used',
  worksUntil: 'Works until',
  change: 'Change',
  rotate: 'Rotate',
  rotateName: (name: string) => `Rotate ${name}`,
  rotateTitle: (name: string) => `Rotate “${name}”?`,
  rotateKey: 'Rotate the key',
  newKeyWithSame: 'You get a new key with the same name and rights, shown once. The old one stops working after a day.',
  revoke: 'Revoke',
  revokeName: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeKey: 'Revoke the key',
  programsWithIt: 'Programs that use this key are refused from now on. This can’t be undone.',
  noneItHasEnded: 'ended',
  apiKeys: 'API keys',
  youPerson: (isOwn: boolean, name: string | undefined, role: string | null | undefined) =>
    `${isOwn ? 'you' : (name ?? 'someone who was removed')}${role ? `, ${role}` : ''}`,
  revoked: (day: string) => `revoked ${day}`,
  endedWhoMade: 'ended: its owner was removed',
  expired: (day: string) => `expired ${day}`,
  itRevoked: 'it is revoked',
} as const;

export const newKeyFormWords = {
  keyMadeItStands: (name: string) => `The key “${name}” is made. It stands at the top of this page until you leave it.`,
  name: 'Name',
  whatWillUse: 'What will use it, so you can recognise it later.',
  works: 'Works',
  makeKey: 'Make the key',
} as const;

export const shownOnceWords = {
  yourNewKey: (name: string) => `Your new key “${name}”`,
  copyItNow: (expiresAt: string | null | undefined, day: string) =>
    `Copy it now. It won’t be shown again. It works ${expiresAt ? `until ${day}` : 'until it is revoked'}. Anyone who has it acts as you.`,
  iHaveItHide: 'I have it, hide it',
  key: 'The key',
  copyKey: 'Copy the key',
  firstRequest: 'A first request',
  firstRequestWithKey: 'A first request with the key',
  copyRequest: 'Copy the request',
} as const;

/** How long a new key works: the value of the form, and its name for people. */
export function expiryChoices(today: string): readonly (readonly [string, string])[] {
  const inDays = (days: number) => addDays(today, days);
  return [
    [inDays(30), '30 days'],
    [inDays(90), '90 days'],
    [inDays(365), 'a year'],
    ['', 'until it is revoked'],
  ];
}

/** The page's sentence: how many keys work, and how many of them seem unused. */
export function keysSentence({ keys }: Pick<Keys, 'keys'>, isOwner: boolean, now: Date): string {
  const working = keys.filter(isWorking);
  const whose = isOwner ? 'in the organisation' : 'of yours';
  if (working.length === 0) return isOwner ? 'No key works at the moment.' : 'You have no key that works.';
  const count = working.length === 1 ? `1 key ${whose} works` : `${working.length} keys ${whose} work`;
  const idle = working.filter((key) => isIdle(key, now)).length;
  if (idle === 0) return `${count}.`;
  return `${count}. ${idle === working.length ? (idle === 1 ? 'It was' : 'All were') : idle === 1 ? '1 was' : `${idle} were`} not used for 30 days.`;
}
