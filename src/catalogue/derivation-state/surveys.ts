import { integer, text, textList, timestamp } from '../record.ts';
import { type RowOf, storedColumns, type Table, table } from '../table.ts';
import { surveyResponses } from '../tables/survey-responses.ts';

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
    survey_id: text('Survey; empty for records that name none.'),
    survey_privacy: text('Whether answers are gated by role, or anonymous.', ['role', 'anonymous']),
    respondents_least: integer('The fewest respondents of a reporting group.'),
    report_by: text('What respondents are divided by.', ['team', 'department', 'location']),
    last_record_at: timestamp('When the last record of it came; null where that was before an upgrade.'),
    divided_at: timestamp('When its respondents were divided into reporting groups; null until then.'),
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

/** What an answer has in both tables. */
export const answerColumnNames: readonly string[] = [...storedColumns(surveyResponses as Table).keys()];

export const surveyTables = [surveys, reportedAnswers] as const satisfies readonly Table[];
