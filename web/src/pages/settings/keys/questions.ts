import { addDays, msPerDay } from '../../../../../src/calendar.ts';
import type { NamedOne } from '../../../ask/people-answers.ts';

export const keysPath = '/app/keys';

export interface KeyLine {
  readonly id: string;
  readonly name: string;
  /** The common beginning of all keys and the end of this one. */
  readonly prefix: string;
  readonly creator: NamedOne | null;
  readonly role: string | null;
  readonly status: 'active' | 'expired' | 'revoked' | 'creator removed';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly is_own: boolean;
}

export interface Keys {
  readonly keys: readonly KeyLine[];
  /** What a key of the reader will see, as a sentence. */
  readonly sees: string;
  readonly owners: readonly { readonly name: string; readonly email: string | null }[];
}

/** A key that was just made: shown now and never again. */
export interface ShownKey {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly prefix: string;
  readonly expires_at: string | null;
}

export const isWorking = ({ status }: Pick<KeyLine, 'status'>): boolean => status === 'active';

/** A first request with the new key, ready to be pasted. */
export function firstRequest({ key }: Pick<ShownKey, 'key'>, publicUrl: string, today: string): string {
  const filters = { start_date: addDays(today, -29), end_date: today };
  return [
    `curl -s '${publicUrl.replace(/\/$/, '')}/metrics/pull-requests-count' \\`,
    `  -H 'Authorization: ${key}' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ filters })}'`,
  ].join('\n');
}

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

const idleMs = 30 * msPerDay;
const isIdle = ({ last_used_at, created_at }: KeyLine, now: Date): boolean =>
  now.getTime() - Date.parse(last_used_at ?? created_at) > idleMs;
