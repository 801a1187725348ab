import { DataExtents } from '../data-extent/data-extents.ts';
import { type Freshness, freshnessOf } from '../data-quality/data-status.ts';
import { filledTables, quietRepositories, recentDays, undeployedPullRequests } from '../data-quality/gaps.ts';
import { incidentsWithoutRepository } from '../data-quality/incidents-without-repository.ts';
import { byRows, describeAccount, describeLogin, notOnboarded } from '../data-quality/unresolved-people.ts';
import { isBotLogin } from '../directory/identifier.ts';
import { sessionsDisputed, sessionsLeftOut } from '../ingest/apply/posthook/session-claims.ts';
import { type DisputedAccount, disputedAccounts, isCalledBot } from '../ingest/resolve/bots.ts';
import { unknownAccounts } from '../ingest/resolve/suggestions.ts';
import type { LookOptions, RecordCheck } from '../safety/examine-records.ts';
import { countFound } from '../safety/finding.ts';
import type { TableReader } from '../warehouse/intake-port.ts';

/** The checks of the doctor about records. */
export const recordChecks: readonly RecordCheck[] = [
  {
    name: 'sessions left out',
    advice:
      'Sessions are left out of AI shares, because they claim a commit of someone else. Where they are right, an Owner can import them, or add the account of the commit to their engineer.',
    things: ['session', 'sessions'],
    look: async (session, { maxExamples }) => countFound(await sessionsLeftOut(session), maxExamples, quoted),
  },
  {
    name: 'sessions refused',
    advice:
      'Sessions were refused, because a second engineer sent them under an identifier that is taken. See that every machine sends with the key of its engineer.',
    things: ['session', 'sessions'],
    look: async (session, { maxExamples }) => countFound(await sessionsDisputed(session), maxExamples, quoted),
  },
  {
    name: 'bots',
    advice:
      'Records of the same account disagree on whether it is a bot. What most of them say holds, unless the login ends in [bot] or the directory says it. `plumb person set … is_bot=true` or `is_bot=false` decides it.',
    things: ['account', 'accounts'],
    look: async (session, { maxExamples }) =>
      countFound(await disputedAccounts(session), maxExamples, (disputed) => {
        const { account, bot, person } = disputed;
        return `${describeAccount(account)} (${counted(bot)} bot, ${counted(person)} person: ${verdictOn(disputed)})`;
      }),
  },
  {
    name: 'unknown identities',
    advice:
      'Accounts that belong to no person in the directory leave their rows without one. `plumb person unknown` lists them. Add them to their people with `plumb person set`.',
    things: ['account', 'accounts'],
    look: async (session, { maxExamples }) => {
      const people = (await unknownAccounts(session)).filter(({ is_bot }) => !is_bot);
      const sorted = byRows(people, ({ login, email }) => login ?? email ?? '');
      return countFound(sorted, maxExamples, ({ source, login, email, rows }) => {
        const account = login === null ? (email ?? 'without a name') : describeLogin(source, login);
        return `${account} (${rowsText(rows)})`;
      });
    },
  },
  {
    name: 'not in metrics',
    advice: 'Their work is not counted. Include those who should count.',
    things: ['person', 'people'],
    look: async (session, { maxExamples }) => {
      const people = (await notOnboarded(session, Number.POSITIVE_INFINITY)).most_active.filter(({ rows }) => rows > 0);
      return countFound(people, maxExamples, ({ name, rows }) => `${name} (${rowsText(rows)})`);
    },
  },
  {
    name: 'pull requests without deployment',
    advice:
      'Merged pull requests that no deployment is known to have carried have no lead time. See which deployments, releases or workflows of their repositories are brought in.',
    things: ['pull request', 'pull requests'],
    look: async (session, { maxExamples }) => {
      const { pull_requests: count, by_status } = await undeployedPullRequests(session);
      const statuses = countFound(
        by_status,
        maxExamples,
        ({ status, pull_requests }) => `${status} ${pull_requests.toLocaleString('en')}`,
      );
      return { ...statuses, count };
    },
  },
  {
    name: 'incidents without a repository',
    advice:
      'The service of these incidents is the name of no known repository, or of several, so they make no deployment fail. Name the repository (owner/name) or the deployment in them.',
    things: ['incident', 'incidents'],
    look: async (session, { maxExamples }) => {
      const { incidents: count, most_named } = await incidentsWithoutRepository(session, Number.POSITIVE_INFINITY);
      const services = countFound(
        most_named,
        maxExamples,
        ({ service, incidents }) => `${service ?? 'without a service'} ${incidents.toLocaleString('en')}`,
      );
      return { ...services, count };
    },
  },
  {
    name: 'repositories without recent data',
    advice: `Nothing is known of these repositories in the last ${recentDays} days. See whether their source still reads them.`,
    things: ['repository', 'repositories'],
    look: async (session, { now, maxExamples }) => {
      const { repositories: count, longest_quiet } = await quietRepositories(session, now, maxExamples);
      const examples = longest_quiet.map(
        ({ repository, newest_record_at }) => `${repository} (${newest_record_at ?? 'never'})`,
      );
      return { count, examples, more: count - examples.length };
    },
  },
  {
    name: 'freshness',
    advice: 'Through when the data of each table is complete.',
    things: ['table', 'tables'],
    isNotice: true,
    look: async (session, options) =>
      countFound(
        await freshnessOfTables(session, options),
        options.maxExamples,
        ({ table, rows, data_through }) => `${table} ${data_through ?? 'nowhere complete yet'} (${rowsText(rows)})`,
      ),
  },
];

/** As status pages say it. */
async function freshnessOfTables(
  reader: TableReader,
  { organisationId, store, now }: LookOptions,
): Promise<Freshness['tables']> {
  // The question has to ask about the state that is read.
  const warehouse = {
    read: <T>(_organisationId: string, work: (tables: TableReader) => Promise<T>) => work(reader),
    versionOf: () => undefined,
  };
  const filled = await filledTables(reader);
  const extents = new DataExtents({ store, warehouse, now: () => now });
  const tables = filled.map(({ table }) => table);
  return freshnessOf(filled, await extents.statuses(organisationId, tables), false).tables;
}

const rowsText = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;

const quoted = (id: string): string => `'${id}'`;

/** Whether the rows of an account count as a bot's or a person's, and what decided it where its records did not. */
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
