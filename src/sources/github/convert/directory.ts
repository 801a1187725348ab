import type { Payload } from '../../payload.ts';
import type { HostPerson, HostTeam } from '../../source.ts';

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
