import type { Payload } from '../../payload.ts';
import type { HostPerson } from '../../source.ts';

/** The account of a payload. Deleted accounts are all `ghost`, which is nobody: two people who are gone are not one. */
export function personOf(user: Payload | null) {
  const login = user?.textOrNull('username') ?? null;
  if (user === null || login === null || isGhost(login)) return { person_login: null, person_is_bot: null };
  const name = user.textOrNull('name');
  return { person_login: login, person_is_bot: botOf(user, login), ...(name !== null && { person_name: name }) };
}

/** Lists say nothing of bots, but the accounts of access tokens have names that GitLab gives. */
const botOf = (user: Payload, login: string): boolean | null =>
  isTokenAccount(login) ? true : user.has('bot') ? user.isTrue('bot') : null;

const isTokenAccount = (login: string): boolean => /^(?:(?:project|group)_\d+_bot|service_account_)/.test(login);
const isGhost = (login: string): boolean => /^ghost\d*$/.test(login);

/** The person of a commit is its author, by address alone. */
export function authorOf(commit: Payload) {
  const email = commit.textOrNull('author_email');
  const login = hiddenLogin(email);
  return {
    person_login: login,
    person_email: login === null ? email : null,
    person_name: commit.textOrNull('author_name'),
  };
}

/** An address that GitLab gives to those who hide theirs: `1234-ada@users.noreply.gitlab.com`. */
const hiddenLogin = (email: string | null): string | null =>
  /^\d+-([^@]+)@users\.noreply\./.exec(email ?? '')?.[1] ?? null;

/** Null for a member who may not work: blocked, deactivated, or still to be let in. */
export function convertMember(member: Payload): HostPerson | null {
  const login = member.text('username');
  const isActive = [member.textOrNull('state'), member.textOrNull('membership_state')].every(
    (state) => state === null || state === 'active',
  );
  if (!isActive || isGhost(login)) return null;
  const [name, verifiedEmail] = [member.textOrNull('name'), member.textOrNull('email')];
  return {
    login,
    ...(name !== null && { name }),
    ...(verifiedEmail !== null && { verifiedEmail }),
    ...(botOf(member, login) === true && { isBot: true }),
  };
}
