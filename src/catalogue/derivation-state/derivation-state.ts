import { boolean, integer, text, timestamp } from '../record.ts';
import { type RowOf, type Table, table } from '../table.ts';
import { posthookStateTables } from './posthook-state.ts';
import { surveyTables } from './surveys.ts';

/**
 * Every way in which records have named a person, who that turned out to be, and how many records do so. A change of
 * the directory compares this with what it would say now, and only rows named in a way whose answer changed are looked
 * for. The counts are the votes on whether an account is a bot.
 */
export const accounts = table({
  name: 'accounts',
  one: 'an account',
  meaning: 'Ways in which records name people.',
  key: ['account_id'],
  dates: {},
  columns: {
    account_id: text('Made from the parts below.'),
    linked_id: text('Person that records name outright.'),
    source: text('Where the login is valid.'),
    login: text('Login as records write it.'),
    email: text('Email address as records write it.'),
    says_bot: boolean('Whether its source calls it a bot.'),
    name: text('Name as the source knows it.'),
    merged_user_id: text('Who it is; null while it belongs to no person.'),
    is_bot: boolean('Whether it is a bot.'),
    account: text('The account, however its name is written.'),
    records: integer('How many records name the person in this way.'),
  },
});
export type AccountRow = RowOf<typeof accounts>;

/** Accounts that most of their records call bots. All their rows are a bot's, whatever those say themselves. */
export const botAccounts = table({
  name: 'bot_accounts',
  one: 'an account of a bot',
  meaning: 'Accounts that most of their records call bots.',
  key: ['account'],
  dates: {},
  columns: { account: text('The account, however its name is written.') },
});

/** Pull requests that a deployment says it carried, one row each, so that they are found from either side. */
export const namedPullRequests = table({
  name: 'named_pull_requests',
  one: 'a named pull request',
  meaning: 'Pull requests that deployments name.',
  key: ['deployment_id', 'pr_id'],
  dates: {},
  columns: { deployment_id: text('Deployment.'), pr_id: text('Pull request.') },
});

/** When a person was last seen doing anything, kept as it goes, because asking every table for it would take seconds. */
export const lastActivity = table({
  name: 'last_activity',
  one: 'a last activity',
  meaning: 'Latest activity of each person.',
  key: ['merged_user_id'],
  dates: {},
  columns: { merged_user_id: text('Person.'), last_active_at: timestamp('Latest activity.') },
});

/** What ingest remembers for itself, in the same transactions as the rows it is about. */
export const derivationStateTables = [
  accounts,
  botAccounts,
  namedPullRequests,
  lastActivity,
  ...posthookStateTables,
  ...surveyTables,
] as const satisfies readonly Table[];
