import { keyOf } from '../../name-key.ts';
import type { Identity } from '../person-identities.ts';

/** A code host whose members and teams a source reads. */
export interface CodeHost {
  readonly sourceId: string;
  /** Where its logins are valid, as in `identities.source`. */
  readonly host: string;
  /** Whether people who leave it are offboarded. */
  readonly offboardLeavers: boolean;
}

/** The host of a source. A kind of source that has members is called as its host is. */
export const codeHostOf = (
  source: { readonly id: string; readonly kind: string },
  settings: Readonly<Record<string, unknown>>,
): CodeHost => ({
  sourceId: source.id,
  host: keyOf(source.kind),
  offboardLeavers: settings.offboard_leavers === true,
});

export const loginIdentity = (host: string, login: string): Identity => ({
  kind: 'login',
  source: host,
  key: keyOf(login),
  value: login.trim(),
});
