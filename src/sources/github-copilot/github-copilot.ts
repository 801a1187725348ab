import { GithubApi } from '../github/api.ts';
import { Payload } from '../payload.ts';
import type { Check, OpenSource, SourceKind } from '../source.ts';
import { githubCopilotSettings, readGithubCopilotSettings } from './settings.ts';
import { seatsStream, usageStream } from './streams.ts';

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

/** GitHub Copilot: what each person did with it on each day, and who has a seat. */
export const githubCopilot: SourceKind = {
  kind: 'github-copilot',
  label: 'GitHub Copilot',
  meaning: 'Use of GitHub Copilot by the people of an organisation, day by day, and its seats.',
  accounts: 'github',
  settings: githubCopilotSettings,
  allowedHosts: reportHosts,
  open({ settings: values, requests, host }): OpenSource {
    const { organizations, since } = readGithubCopilotSettings(values);
    const api = new GithubApi(requests);
    return {
      check: () => check(api, organizations, hasOlderMetrics(host)),
      *streams() {
        for (const organization of organizations) yield usageStream(api, organization, since, hasOlderMetrics(host));
        for (const organization of organizations) yield seatsStream(api, organization, since);
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
  }
  const account = user.status === 200 ? Payload.of(user.body, 'user').textOrNull('login') : null;
  return {
    ...(account !== null && { account }),
    sees,
    missing,
    clockDifferenceSeconds: user.at - Math.floor(Date.now() / 1_000),
  };
}

const whyNoReports = (status: number, mayBeOlder: boolean): string =>
  status === 403
    ? 'the use of each person is not shown to the token. Allow "Copilot usage metrics" in the policies of the organisation, and give the token read:org, or "Organization Copilot metrics" if it is fine-grained'
    : `there are no reports of each person, or the token does not see the organisation. ${
        mayBeOlder ? 'Only what the older metrics say of the whole organisation is read' : 'See that its name is right'
      }`;

const noSeats =
  'seats are not shown to the token. It has to be of an owner of the organisation and needs manage_billing:copilot or read:org';
