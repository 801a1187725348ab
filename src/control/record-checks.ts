import { freshness, quietRepositories, recentDays, undeployedPullRequests } from '../data-quality/gaps.ts';
import { describeAccount, describeLogin, notOnboarded, unknownIdentities } from '../data-quality/unresolved-people.ts';
import { isBotLogin } from '../directory/identifier.ts';
import { sessionsDisputed, sessionsLeftOut } from '../ingest/apply/posthook/session-claims.ts';
import { type DisputedAccount, disputedAccounts, isCalledBot } from '../ingest/resolve/bot-accounts.ts';
import type { RecordCheck } from '../safety/record-checks.ts';

/** What the doctor looks for in records. */
export const recordChecks: readonly RecordCheck[] = [
  {
    name: 'sessions left out',
    advice:
      'Sessions are left out of AI shares, because they claim a commit of somebody else. Where they are right, an Owner can import them, or add the account of the commit to their engineer.',
    look: async (session) => (await sessionsLeftOut(session)).map(quoted),
  },
  {
    name: 'sessions refused',
    advice:
      'Sessions were refused, because a second engineer sent them under an identifier that is taken. See that every machine sends with the key of its engineer.',
    look: async (session) => (await sessionsDisputed(session)).map(quoted),
  },
  {
    name: 'bots',
    advice:
      'Records of the same account disagree on whether it is a bot. What most of them say holds, unless the login ends in [bot] or the directory says it; `plumb person set … is_bot=true` or `is_bot=false` decides it.',
    look: async (session) =>
      (await disputedAccounts(session)).map((disputed) => {
        const { account, bot, person } = disputed;
        return `${describeAccount(account)} (${counted(bot)} bot, ${counted(person)} person: ${verdictOn(disputed)})`;
      }),
  },
  {
    name: 'unknown identities',
    advice:
      'Accounts that belong to no person in the directory leave their rows without one. `plumb person unknown` lists them; add them to their people with `plumb person set`.',
    look: async (session) =>
      (await unknownIdentities(session)).most_named
        .filter(({ is_bot }) => !is_bot)
        .map(({ source, login, email, rows }) => {
          const account = login === null ? (email ?? 'without a name') : describeLogin(source, login);
          return `${account} (${rowsText(rows)})`;
        }),
  },
  {
    name: 'not onboarded',
    advice: 'Metrics of people leave out everyone who is known and not onboarded. Onboard those who should count.',
    look: async (session) =>
      (await notOnboarded(session)).most_active
        .filter(({ rows }) => rows > 0)
        .map(({ name, rows }) => `${name} (${rowsText(rows)})`),
  },
  {
    name: 'pull requests without deployment',
    advice:
      'Merged pull requests that no deployment is known to have carried have no lead time. See which deployments, releases or workflows of their repositories are brought in.',
    look: async (session) =>
      (await undeployedPullRequests(session)).by_status.map(
        ({ status, pull_requests }) => `${status} ${pull_requests.toLocaleString('en')}`,
      ),
  },
  {
    name: 'repositories without recent data',
    advice: `Nothing is known of these repositories in the last ${recentDays} days. See whether their source still reads them.`,
    look: async (session, now) =>
      (await quietRepositories(session, now)).longest_quiet.map(
        ({ repository, newest_record_at }) => `${repository} (${newest_record_at ?? 'never'})`,
      ),
  },
  {
    name: 'freshness',
    advice: 'Newest records.',
    isNotice: true,
    look: async (session) =>
      (await freshness(session)).tables.map(
        ({ table, rows, newest_record_at }) => `${table} ${newest_record_at ?? 'without a time'} (${rowsText(rows)})`,
      ),
  },
];

const rowsText = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;

const quoted = (id: string): string => `'${id}'`;

/** What the rows of an account count as, and what decided it where its records did not. */
function verdictOn(disputed: DisputedAccount): string {
  const { account, isBot } = disputed;
  // One login, named with the addresses of two people.
  if (isBot === null) return 'taken for a bot or a person, as the directory says of whom each record names';
  const verdict = isBot ? 'taken for a bot' : 'taken for a person';
  if (isBot && account.startsWith('login:') && isBotLogin(account))
    return `${verdict}, because its login ends in [bot]`;
  return isBot === isCalledBot(disputed) ? verdict : `${verdict}, because the directory says so`;
}

const counted = (records: number): string => `${records} ${records === 1 ? 'says' : 'say'}`;
