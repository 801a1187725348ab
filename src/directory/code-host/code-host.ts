import { codeHosts } from '../../catalogue/record-ids.ts';
import { accountsOf } from '../../sources/kinds.ts';
import { keyOf } from '../../text-comparison.ts';
import type { Identity } from '../person-identities.ts';

/** A code host whose members and teams a source reads. */
export interface CodeHost {
  readonly sourceId: string;
  /** Where its logins are valid, as in `identities.source`. */
  readonly host: string;
  /** Whether people who leave it are offboarded. */
  readonly offboardLeavers: boolean;
}

/** The host of a source that has members. */
export function codeHostOf(
  { id, kind }: { readonly id: string; readonly kind: string },
  settings: Readonly<Record<string, unknown>>,
): CodeHost {
  const host = codeHosts.find((name) => name === accountsOf(kind));
  if (host === undefined) throw new Error(`the accounts of ${kind} are of no code host, so that it has no members`);
  return { sourceId: id, host, offboardLeavers: settings.offboard_leavers === true };
}

export const loginIdentity = (host: string, login: string): Identity => ({
  kind: 'login',
  source: host,
  key: keyOf(login),
  value: login.trim(),
});
