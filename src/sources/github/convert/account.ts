import type { Payload } from '../../payload.ts';
import type { HostPerson, HostTeam } from '../../source.ts';

/** How a record names the person it is of. */
export interface RecordPerson {
  readonly person_login: string | null;
  readonly person_email?: string | null;
  readonly person_name?: string | null;
  readonly person_is_bot: boolean | null;
}

/**
 * The account of a payload. A deleted account is null in one interface and the account `ghost` in the other; it is nobody
 * here, since two people who are gone are not one.
 */
export function personOf(account: Payload | null): RecordPerson {
  const login = account?.textOrNull('login') ?? null;
  if (account === null || login === null || login === 'ghost') return { person_login: null, person_is_bot: null };
  return { person_login: login, person_is_bot: isBot(login, account.textOrNull('type')) };
}

/** The account of a commit's author, and what git knows of them. */
export function authorOf(account: Payload | null, author: Payload | null): RecordPerson {
  const known = personOf(account);
  const email = author?.textOrNull('email') ?? null;
  // GraphQL has no account for the author of a bot's commit, but its address has the login.
  const login = known.person_login ?? noReplyLogin(email);
  return {
    person_login: login,
    person_email: email !== null && isNoReply(email) ? null : email,
    person_name: author?.textOrNull('name') ?? null,
    person_is_bot: known.person_is_bot ?? (login?.endsWith('[bot]') ? true : null),
  };
}

/** Organisations and accounts that stand for imported people are neither. */
const isBot = (login: string, type: string | null): boolean | null =>
  type === 'Bot' || login.endsWith('[bot]') ? true : type === 'User' ? false : null;

/** An address that GitHub gives to those who hide theirs: `1234+ada@users.noreply.github.com`, once without a number. */
const noReply = /^(?:\d+\+)?([^@]+)@users\.noreply\./;
const noReplyLogin = (email: string | null): string | null => noReply.exec(email ?? '')?.[1] ?? null;
const isNoReply = (email: string): boolean => noReply.test(email) || email.toLowerCase() === 'noreply@github.com';

/** A member as GraphQL or REST names them. Only GraphQL knows names and addresses in bulk. */
export function convertMember(member: Payload): HostPerson {
  const login = member.text('login');
  const name = member.textOrNull('name');
  const [verifiedEmail] = member.texts('organizationVerifiedDomainEmails');
  const isBot = login.endsWith('[bot]') || member.textOrNull('type') === 'Bot';
  return { login, ...(name && { name }), ...(verifiedEmail && { verifiedEmail }), ...(isBot && { isBot }) };
}

export function convertTeam(team: Payload, members: readonly Payload[]): HostTeam {
  const parent = (team.objectOrNull('parentTeam') ?? team.objectOrNull('parent'))?.text('name');
  return {
    name: team.text('name'),
    ...(parent && { parent }),
    logins: members.map((member) => member.text('login')),
  };
}
