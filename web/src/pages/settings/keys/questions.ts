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

const idleMs = 30 * msPerDay;
export const isIdle = ({ last_used_at, created_at }: KeyLine, now: Date): boolean =>
  now.getTime() - Date.parse(last_used_at ?? created_at) > idleMs;
