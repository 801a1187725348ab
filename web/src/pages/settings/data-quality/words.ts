import { counted, grouped } from '../../../view/format.ts';
import type { DataQualityAnswer, QualityLine } from './questions.ts';

export const dataQualityWords = {
  dataQuality: 'Data quality',
  qualityAllData: 'Data quality for the whole organisation is',
  qualityData: 'The quality of the data',
  onceRecordsArrive: 'Once records arrive, this page lists what keeps them from counting.',
  requestBehindThisPage: 'The request behind this page',
  request: 'The request',
  copy: 'Copy',
  none: 'none',
  whatToDo: 'What to do:',
  show: 'Show which',
} as const;

export const detailsWords = {
  ofBot: (name: string) => `${name} (bot)`,
  unnamed: 'unnamed',
  anywhere: 'anywhere',
  whatConnectionsCouldNot: 'What connections could not see',
  accountsWithLogin: 'Accounts with the login of one person and the address of another',
  account: 'Account',
  counts: 'Counts for',
  itsAddressBelongs: 'Its address belongs to',
  accountsCalledBothBot: 'Accounts called both bot and person',
  recordsBot: 'Records: bot',
  recordsPerson: 'Records: person',
  countsName: 'Counts as',
  mergedPullRequestsWithout: 'Merged pull requests without a deployment, by status',
  status: 'Status',
  pullRequests: 'Pull requests',
  servicesIncidentsWithoutRepository: 'Services of incidents without a repository, those with the most incidents first',
  service: 'Service',
  incidents: 'Incidents',
  unmatchedAccounts: 'Unmatched accounts, those with the most records first',
  where: 'Where',
  name: 'Name',
  rows: 'Rows',
  peopleNotInMetrics: 'People not in metrics',
  person: 'Person',
  address: 'Address',
  rowsLeft: 'Rows left out',
  peopleInMetrics: 'People in metrics who left the code host',
  logins: 'Logins',
  goneSince: 'Gone since',
  wholeConnection: 'the whole connection',
  failedSyncs: 'Failed syncs',
  stream: 'Stream',
  whatWentWrong: 'What went wrong',
  whatToDo: 'What to do',
  itTriedAgain: 'The next sync tries again.',
  lastSuccess: 'Last success',
  repositoriesThatConnection: 'Repositories that a connection has read and no longer finds',
  repository: 'Repository',
  connection: 'Connection',
  repositoriesInWhichNothing: 'Repositories in which nothing happened for 30 days',
  newestRecord: 'Newest record',
} as const;

export const freshnessTableWords = {
  dataFreshness: 'Data freshness',
  everyTableCompleteThrough: (time: string) => `Every table is complete through ${time}.`,
  noTableSays: 'No table is known to be complete yet.',
  hasHadNothingNew: (time: string) => `has had nothing new since ${time}. Check what sends its records.`,
  hasntSentAnything: (source: string) => `${source} hasn’t sent anything for`,
  since: (time: string) => `since ${time}.`,
  checkConnection: 'Check the connection',
  rowsAndFreshnessEach: 'Rows and freshness of each table',
  table: 'Table',
  rows: 'Rows',
  newestRecord: 'Newest record',
  dataThrough: 'Data through',
} as const;

export const people = { path: '/people', part: 'matching', name: 'Match people' };

/** All lines, those that need work first, ordered by how much they distort numbers. */
export function qualityLines(answer: DataQualityAnswer): readonly QualityLine[] {
  const { unknown_identities: unknown, not_onboarded: absent, sources } = answer;
  const failing = sources.flatMap((source) => [
    ...(source.last_error ? [source.name] : []),
    ...source.streams.filter(({ last_error }) => last_error).map(() => source.name),
  ]);
  const gone = sources.flatMap(({ no_longer_listed }) => no_longer_listed);
  const notSeen = sources.flatMap(({ not_seen }) => not_seen);
  const undeployed = answer.pull_requests_without_deployment;
  const quiet = answer.repositories_without_recent_data;
  const lines: readonly QualityLine[] = [
    {
      topic: 'sources',
      title: 'Failed syncs',
      count: failing.length,
      means: 'Their records are missing since the last success.',
      toDo: 'See below what to do for each, then check the connection and sync it again.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
    {
      topic: 'gone',
      title: 'Repositories no longer found',
      count: gone.length,
      means: 'Their records stay and count. Nothing new arrives. Each is listed for 30 days.',
      toDo: 'Nothing if it was deleted or archived on purpose. Otherwise give the token access again, name it in the connection’s settings, or connect its new owner.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
    {
      topic: 'not-seen',
      title: 'Not visible to a connection',
      count: notSeen.length,
      means: 'These numbers are too small, or start late. Syncing again doesn’t help.',
      toDo: 'Nothing if that is intended, or if the provider shows it to no one. If a right is missing, grant it.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
    {
      topic: 'unknown',
      title: 'Unmatched accounts',
      count: unknown.accounts,
      means: `${counted(unknown.rows, 'row is', 'rows are')} unmatched. Filters by person or team don’t count them.`,
      toDo: 'Add the login or address to the person it belongs to, or add the person.',
      where: people,
    },
    {
      topic: 'not-onboarded',
      title: 'People not in metrics',
      count: absent.people,
      means: `${counted(absent.rows, 'of their records isn’t', 'of their records aren’t')} counted.`,
      toDo: 'Include the people who should count. Those who left, or work elsewhere, can stay as they are.',
      where: { path: '/people', part: 'onboarding', name: 'Include people' },
    },
    {
      topic: 'left',
      title: 'People in metrics who left the code host',
      count: answer.people_who_left.people,
      means: 'They still count, in rates per person too.',
      toDo: 'Exclude those who left. A connection can do this for you with “Exclude leavers”.',
      where: { path: '/people', part: 'onboarding', name: 'Exclude people' },
    },
    {
      topic: 'links',
      title: 'Accounts with the login of one person and the address of another',
      count: answer.disputed_links.length,
      means: 'Their work counts for the person who has the login.',
      toDo: 'Merge the two if they are the same person. Otherwise remove the login from the wrong one.',
      where: people,
    },
    {
      topic: 'disputed',
      title: 'Accounts called a bot by some records and a person by others',
      count: answer.disputed_accounts.length,
      means: 'Most of their records decide. Bots don’t count as authors or reviewers.',
      toDo: 'Say on the person’s page whether it’s a bot. That overrides what records say.',
      where: { path: '/people', name: 'Open people' },
    },
    {
      topic: 'undeployed',
      title: 'Merged pull requests without a known deployment',
      count: undeployed.pull_requests,
      means: 'They have no lead time, and appear in no deployment.',
      toDo: 'Changes waiting to deploy resolve on their own. For the rest, set a deployment source or send deployments.',
      where: { path: '/delivery', name: 'Open delivery' },
    },
    {
      topic: 'incidents',
      title: 'Incidents without a repository',
      count: answer.incidents_without_repository.incidents,
      means: 'Their service matches no repository, or several, so they don’t count against a deployment.',
      toDo: 'Send them with the repository (owner/name), or with the deployment that caused them.',
      where: { path: '/delivery', name: 'Open delivery' },
    },
    {
      topic: 'quiet',
      title: 'Repositories in which nothing happened for 30 days',
      count: quiet.repositories,
      means: 'They may be finished, or no longer synced.',
      toDo: 'If work goes on there, check that the connection’s token still sees them.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
  ];
  return [...lines.filter(({ count }) => count > 0), ...lines.filter(({ count }) => count === 0)];
}

/** The page's sentence: whether numbers can be trusted, and what distorts them most. */
export function qualitySentence(answer: DataQualityAnswer): string {
  if (answer.freshness.tables.length === 0) return 'No data yet, so there’s nothing to judge.';
  const open = qualityLines(answer).filter(({ count }) => count > 0);
  const [first] = open;
  if (!first) return 'Nothing to fix.';
  const rows = answer.freshness.tables.reduce((sum, { rows: all }) => sum + all, 0);
  const lost = answer.unknown_identities.rows + answer.not_onboarded.rows;
  const share = lost > 0 ? ` ${grouped(lost)} of ${counted(rows, 'row', 'rows')} count for no one.` : '';
  return `${counted(open.length, 'thing', 'things')} to look at, ${first.title[0]?.toLowerCase()}${first.title.slice(1)} first.${share}`;
}
