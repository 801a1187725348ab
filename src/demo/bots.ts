import type { PersonRecord } from '../catalogue/directory-records.ts';
import type { Blueprint, CodeHost } from './blueprint.ts';
import type { TakenIdentities } from './taken-identities.ts';

/** Bots came to code hosts late; no organisation has had one since before that. */
const botsSince = '2019-06-03';

/** The accounts behind which nobody sits. Apps on GitHub carry [bot] in their login; elsewhere only the mark tells. */
export function botRecords(
  { name, founded, emailDomain, repositoryOwner, codeHost, secondCodeHost }: Blueprint,
  taken: TakenIdentities,
): PersonRecord[] {
  const created_date = founded > botsSince ? founded : botsSince;
  const bot = (host: CodeHost, login: string): PersonRecord => {
    const claimed = taken.claimLogin(host, [login]);
    return {
      name: login,
      logins: { [host]: claimed },
      ...(host === 'github' && { github_username: claimed }),
      is_bot: true,
      onboarded: false,
      created_date,
    };
  };
  const onGithub = codeHost === 'github' || secondCodeHost === 'github';
  const ciEmail = taken.claimEmail(['ci'], emailDomain);
  return [
    ...(onGithub
      ? [bot('github', 'dependabot[bot]'), bot('github', 'renovate[bot]')]
      : [bot(codeHost, 'renovate-bot')]),
    { ...bot(codeHost, `${repositoryOwner}-ci`), name: `${name} CI`, main_email: ciEmail, emails: [ciEmail] },
  ];
}
