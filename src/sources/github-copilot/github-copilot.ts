import { GithubApi } from '../github/api.ts';
import { appInstallationIn, githubAccessFields } from '../github/app-installation.ts';
import { Payload } from '../payload.ts';
import {
  type Check,
  type OpenSource,
  type SettingField,
  type SettingValues,
  type SourceKind,
  SourceProblem,
} from '../source.ts';
import { addressField, allowHostsField, keepFreeField } from '../source-settings.ts';
import { seatsStream, usageStream } from './streams.ts';
import { teamsStream, teamsUnseen, toSeeTeams } from './teams.ts';

/**
 * Where GitHub keeps report files: https://docs.github.com/en/copilot/reference/copilot-allowlist-reference. Links to them
 * are signed, so nobody there gets the token. Another host is refused unless the setting `allow_hosts` names it.
 */
const reportHosts: readonly string[] = [
  'copilot-reports.github.com',
  'copilot-reports.*.ghe.com',
  'copilot-reports-*.b01.azurefd.net',
  'usagereports*.blob.core.windows.net',
];

const githubCopilotSettings: readonly SettingField[] = [
  addressField('address of GitHub’s API (https://api.NAME.ghe.com with data residency)', 'https://api.github.com'),
  ...githubAccessFields('token of an owner of the organisation that may read its Copilot metrics and seats'),
  {
    name: 'organization',
    label: 'Organisation',
    meaning: 'whose use of Copilot is read (the owners of the repositories when unset)',
    type: 'text',
    isAccess: true,
  },
  {
    name: 'repositories',
    label: 'Repositories',
    meaning: 'each owner/name, for their owners (only needed where no organisation is set)',
    type: 'list',
  },
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing before this day is read (when unset, all that GitHub still has, up to a year)',
    type: 'date',
  },
  keepFreeField,
  allowHostsField,
];

interface GithubCopilotSettings {
  readonly organizations: readonly string[];
  /** A day: 2026-01-31. */
  readonly since?: string;
}

function readGithubCopilotSettings(values: SettingValues): GithubCopilotSettings {
  const { organization, repositories, since } = values;
  const named =
    typeof organization === 'string' && organization.trim() !== '' ? [organization.trim()] : ownersOf(repositories);
  if (named.length === 0) {
    throw new SourceProblem('organization is missing', 'Name the one that pays for Copilot: --set organization=acme');
  }
  const wrong = named.find((name) => !/^[\w.-]+$/.test(name));
  if (wrong !== undefined) {
    throw new SourceProblem(`'${wrong}' is no name of an organisation`, 'Give its login: --set organization=acme');
  }
  return { organizations: named, ...(typeof since === 'string' && { since }) };
}

/** Each owner once, in the order in which they are named. */
function ownersOf(repositories: SettingValues[string] | undefined): readonly string[] {
  const names = Array.isArray(repositories) ? repositories : [];
  const owners = names.map((name: string) => name.trim().split('/')[0] ?? '').filter((owner) => owner !== '');
  return [...new Map(owners.map((owner) => [owner.toLowerCase(), owner])).values()];
}

/** GitHub Copilot: what each person did with it on each day, and who has a seat. */
export const githubCopilot: SourceKind = {
  kind: 'github-copilot',
  label: 'GitHub Copilot',
  meaning: 'Use of GitHub Copilot by the people of an organisation, day by day, and its seats.',
  accounts: 'github',
  settings: githubCopilotSettings,
  allowedHosts: reportHosts,
  tokenIssuer: appInstallationIn,
  open({ settings: values, requests, host }): OpenSource {
    const { organizations, since } = readGithubCopilotSettings(values);
    const api = new GithubApi(requests);
    return {
      check: () => check(api, organizations, hasOlderMetrics(host)),
      *streams() {
        for (const organization of organizations) yield usageStream(api, organization, since, hasOlderMetrics(host));
        for (const organization of organizations) yield seatsStream(api, organization, since);
        for (const organization of organizations) yield teamsStream(api, organization);
      },
    };
  },
};

/** GitHub itself has had none since April 2026, and never with data residency. A server of one's own may have them. */
const hasOlderMetrics = (host: string): boolean => !/^api\.(?:github\.com|[\w-]+\.ghe\.com)$/i.test(host);

async function check(api: GithubApi, organizations: readonly string[], mayBeOlder: boolean): Promise<Check> {
  const sees: string[] = [];
  const missing: string[] = [];
  const user = await api.get('/user', { alsoGood: [403, 404] });
  for (const organization of organizations) {
    const reports = await api.get(`/orgs/${organization}/copilot/metrics/reports/users-28-day/latest`, {
      alsoGood: [403, 404],
    });
    if (reports.status === 200) {
      const lastDay = Payload.of(reports.body, 'report').textOrNull('report_end_day');
      sees.push(`${organization}: the use of each person, up to ${lastDay ?? 'today'}`);
    } else if (reports.status === 204) sees.push(`${organization}: the use of each person, none yet`);
    else missing.push(`${organization}: ${whyNoReports(reports.status, mayBeOlder)}`);

    const billing = await api.get(`/orgs/${organization}/copilot/billing`, { alsoGood: [403, 404, 422] });
    const total =
      billing.status === 200
        ? Payload.of(billing.body, 'billing').objectOrNull('seat_breakdown')?.integerOrNull('total')
        : undefined;
    if (total != null) sees.push(`${organization}: ${total.toLocaleString('en')} ${total === 1 ? 'seat' : 'seats'}`);
    else missing.push(`${organization}: ${noSeats}`);

    // Older metrics name no people, and so no teams.
    if (reports.status < 300) missing.push(...(await teamsMissing(api, organization)));
  }
  const account = user.status === 200 ? Payload.of(user.body, 'user').textOrNull('login') : null;
  return {
    ...(account !== null && { account }),
    sees,
    missing,
    clockDifferenceSeconds: user.at - Math.floor(Date.now() / 1_000),
  };
}

async function teamsMissing(api: GithubApi, organization: string): Promise<string[]> {
  const { status } = await api.get(`/orgs/${organization}/teams`, { query: { per_page: 1 }, alsoGood: [403, 404] });
  return status < 300 ? [] : [`${organization}: ${teamsUnseen}. ${toSeeTeams}`];
}

const whyNoReports = (status: number, mayBeOlder: boolean): string =>
  status === 403
    ? 'the use of each person is not shown to the token. Allow "Copilot usage metrics" in the policies of the organisation, and give the token read:org, or "Organization Copilot metrics" if it is fine-grained or an app'
    : `there are no reports of each person, or the token does not see the organisation. ${
        mayBeOlder ? 'Only what the older metrics say of the whole organisation is read' : 'See that its name is right'
      }`;

const noSeats =
  'seats are not shown to the token. It has to be of an owner of the organisation and needs manage_billing:copilot or read:org. An app needs "GitHub Copilot Business"';
