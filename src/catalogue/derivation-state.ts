import { amount, boolean, integer, longText, text, textList, timestamp } from './record.ts';
import { type RowOf, storedColumns, type Table, table } from './table.ts';
import { surveyResponses } from './tables/surveys.ts';

/**
 * How the answers of each survey are shown: what the settings of the organisation said when its first record came. The
 * settings may change afterwards; what was promised to those who answered stays.
 */
export const surveys = table({
  name: 'surveys',
  one: 'a survey',
  meaning: 'How answers of each survey are shown.',
  key: ['survey_id'],
  dates: {},
  columns: {
    survey_id: text('Survey. Empty for records that name none.'),
    survey_privacy: text('Whether answers are gated by role, or anonymous.', ['role', 'anonymous']),
    respondents_least: integer('The fewest respondents of a reporting group.'),
    report_by: text('What respondents are divided by.', ['team', 'department', 'location']),
    last_record_at: timestamp(
      'When the last record of it came. Null where it is never divided, or came before an upgrade.',
    ),
    divided_at: timestamp('When its respondents were divided into reporting groups. Null until then.'),
    answered_on: timestamp('Midnight of the day that all of its answers carry, from the division on.'),
  },
});
export type SurveyRow = RowOf<typeof surveys>;

const { team_names: _, ...answerColumns } = surveyResponses.columns;

/**
 * Answers as they were when their survey was divided, each in its reporting group. They never change: asking
 * before and after a change tells nothing by the difference. In the place of the person is a name for the respondent that is good
 * for this survey alone.
 */
export const reportedAnswers = table({
  name: 'reported_answers',
  one: 'a reported answer',
  meaning: 'Answers to anonymous surveys in their reporting groups.',
  key: ['survey_response_id'],
  dates: { final_response_submitted_at: 'final_response_submitted_at' },
  columns: {
    ...answerColumns,
    report_group: text('Reporting group.'),
    report_team_names: textList('Teams of the reporting group, where the survey reports by team.'),
  },
});
export type ReportedAnswer = RowOf<typeof reportedAnswers>;

/** The columns that an answer has in both tables. */
export const answerColumnNames: readonly string[] = [...storedColumns(surveyResponses as Table).keys()];

const surveyTables = [surveys, reportedAnswers] as const satisfies readonly Table[];

/**
 * Every range of lines that the hook has reported, so that one that is delivered again adds nothing to the sums on
 * sessions and files.
 */
export const postedLineRanges = table({
  name: 'posthook_line_ranges',
  one: 'a range of lines',
  meaning: 'Ranges of lines that coding agents wrote.',
  key: ['session_id', 'range_id'],
  dates: {},
  columns: {
    // The key has both, since some agents number their ranges from one in each session.
    session_id: text('Session that wrote it.'),
    range_id: text('Identifier of the range.'),
    file_path: text('File it was written to.'),
    lines: amount('How many lines.'),
  },
});

/** The lines of each file of a session in each commit, keyed in the same way for the same reason. */
export const postedCommitFiles = table({
  name: 'posthook_commit_files',
  one: 'a file of a session in a commit',
  meaning: 'Lines of sessions in the files of commits.',
  key: ['session_id', 'commit_id', 'file_path'],
  dates: {},
  columns: {
    session_id: text('Session.'),
    commit_id: text('Commit.'),
    file_path: text('File.'),
    committed_lines: amount('Lines of the session in it.'),
  },
});

/**
 * Parts of sessions that are not known yet, each as its sender sent it. Whose a session is shows when the session itself
 * comes: then the parts of its engineer are taken in, and those of other senders fall away.
 */
export const heldParts = table({
  name: 'posthook_held_parts',
  one: 'a held part',
  meaning: 'Parts of sessions that have not come yet.',
  key: ['session_id', 'merged_user_id', 'posted_table', 'part_key'],
  dates: {},
  columns: {
    session_id: text('Session that it says it is part of.'),
    merged_user_id: text('Person whose key sent it.'),
    posted_table: text('Table of the payload.'),
    part_key: text('What tells it from other parts of the session, as JSON.'),
    record: longText('The part, as JSON.'),
  },
});

/** A person other than its engineer who sent a session with the same identifier. It was refused, and `plumb doctor` says so. */
export const disputedSessions = table({
  name: 'posthook_disputed_sessions',
  one: 'a disputed session',
  meaning: 'Sessions that a second person called theirs.',
  key: ['session_id'],
  dates: {},
  columns: { session_id: text('Session.'), merged_user_id: text('Person whose key sent it, though it is another’s.') },
});

const posthookStateTables = [
  postedLineRanges,
  postedCommitFiles,
  heldParts,
  disputedSessions,
] as const satisfies readonly Table[];

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
    source: text('Source of the records. The login is valid there.'),
    login_source: text('Where the login is valid, where that is not the source.'),
    login: text('Login as records write it.'),
    email: text('Email address as records write it.'),
    says_bot: boolean('Whether its source calls it a bot.'),
    name: text('Name as the source knows it.'),
    merged_user_id: text('Who it is. Null while it belongs to no person.'),
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

/** Issues that a pull request names, one row each, so that they are found from either side. Not all of them are stored. */
export const namedIssues = table({
  name: 'named_issues',
  one: 'a named issue',
  meaning: 'Issues that pull requests name.',
  key: ['pr_id', 'link_key'],
  dates: {},
  columns: {
    pr_id: text('Pull request.'),
    link_key: text('Key of the issue in its tracker, or its place on a code host, in lower case.'),
  },
});

/** When a person was last active, kept with each change, because reading every table for it would take seconds. */
export const lastActivity = table({
  name: 'last_activity',
  one: 'a last activity',
  meaning: 'Latest activity of each person.',
  key: ['merged_user_id'],
  dates: {},
  columns: { merged_user_id: text('Person.'), last_active_at: timestamp('Latest activity.') },
});

/** The memory of ingest, written in the same transactions as the rows that it is about. */
export const derivationStateTables = [
  accounts,
  botAccounts,
  namedPullRequests,
  namedIssues,
  lastActivity,
  ...posthookStateTables,
  ...surveyTables,
] as const satisfies readonly Table[];
