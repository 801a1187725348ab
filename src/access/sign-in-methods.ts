import type { Store } from '../store/store.ts';
import { FailedSignInLog, FailedSignIns } from './failed-sign-ins.ts';
import { OpenidProvider, type OpenidSettings } from './openid-provider.ts';
import { OpenidSignIn } from './openid-sign-in.ts';
import { OrganisationChoices } from './organisation-choices.ts';
import { PasswordSignIn } from './password-sign-in.ts';
import { Passwords } from './passwords.ts';
import { SignIns } from './sign-in-links.ts';
import { Sessions } from './sign-in-sessions.ts';

/** The ways in, and what they share: who is signed in, how often one may fail, and what is written down about it. */
export interface SignInMethods {
  readonly sessions: Sessions;
  readonly choices: OrganisationChoices;
  readonly failedLog: FailedSignInLog;
  readonly signIns: SignIns;
  readonly passwordSignIn: PasswordSignIn;
  /** Signing in through another service, where one is configured. */
  readonly openid: { readonly provider: OpenidProvider; readonly signIn: OpenidSignIn } | undefined;
}

export function openSignInMethods(
  { openid }: { readonly openid?: OpenidSettings | undefined },
  parts: { readonly store: Store; readonly now: () => Date; readonly onError: (error: unknown) => void },
): SignInMethods {
  const { store, now, onError } = parts;
  const sessions = new Sessions(store, now);
  const passwords = new Passwords();
  const failed = new FailedSignIns(now);
  const failedLog = new FailedSignInLog(store, now, onError);
  const choices = new OrganisationChoices(store, sessions, now);
  const provider = openid && new OpenidProvider(openid, now);
  return {
    sessions,
    choices,
    failedLog,
    signIns: new SignIns({ store, passwords, sessions, now }),
    passwordSignIn: new PasswordSignIn({ store, passwords, failed, log: failedLog, sessions, choices, now }),
    openid: provider && { provider, signIn: new OpenidSignIn({ store, provider, choices, now }) },
  };
}
