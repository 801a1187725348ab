import { storedColumns } from '../../catalogue/table.ts';
import { surveyResponses } from '../../catalogue/tables/survey-responses.ts';
import { persons } from './people.ts';
import { allOf, integer, joined, listed, raw, type Sql, sql } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

/** Answers that name no survey are those of one. */
const surveyOf = (alias: string): Sql => raw(`coalesce(${alias}.survey_id, '')`);

/** Somebody who was invited from outside is known by nothing but the invitation. */
const respondents = (alias: string): Sql =>
  raw(`count(DISTINCT coalesce(${alias}.actor, ${alias}.survey_recipient_id))`);

/** When an answer was given, replaced by one day for all of its survey. */
const times: ReadonlySet<string> = new Set([
  'final_response_submitted_at',
  'response_created_at',
  'response_updated_at',
]);

/**
 * Answers without what tells whose they are: in the place of their times stands midnight (UTC) of the day on which the
 * lower median answer of their survey was submitted, and when the survey was sent to the recipient is left out.
 */
export function anonymousAnswers(context: SqlContext): Sql {
  const { dialect } = context;
  const table = context.table(surveyResponses);
  const columns = [...storedColumns(surveyResponses).keys()].map((name) => {
    const own = columnOf(context, 's', name);
    if (times.has(name)) return sql`CASE WHEN ${own} IS NOT NULL THEN y.day END AS ${dialect.identifier(name)}`;
    if (name === 'sent_at') return sql`CASE WHEN false THEN ${own} END AS ${dialect.identifier(name)}`;
    return own;
  });
  const submitted = raw('coalesce(m.final_response_submitted_at, m.response_updated_at, m.response_created_at)');
  const days = sql`SELECT ${surveyOf('m')} AS survey, ${dialect.lowerMedianDay(submitted)} AS day FROM ${table} AS m GROUP BY ${surveyOf('m')}`;
  return sql`(SELECT ${listed(columns)} FROM ${table} AS s LEFT JOIN (${days}) AS y ON y.survey = ${surveyOf('s')})`;
}

/** Whether an answer, called t, is of a survey of which filters and visibility leave enough respondents. */
export function hasEnoughRespondents(joins: readonly Sql[], conditions: readonly Sql[], least: number): Sql {
  const where = conditions.length > 0 ? sql` WHERE ${allOf(conditions)}` : raw('');
  return sql`${surveyOf('t')} IN (SELECT ${surveyOf('t')} FROM ${joined(joins, '\n')}${where} GROUP BY ${surveyOf('t')} HAVING ${respondents('t')} >= ${integer(least)})`;
}

/** The lists of teams that enough respondents of a survey share, to be joined as st to the answer t and its person p. */
export function sharedTeams(context: SqlContext, named: NamedQueries, least: number): Sql {
  const everyone = persons(context, named, {}, undefined, new Set(['team_names']));
  const shared = sql`SELECT ${surveyOf('r')} AS survey, q.team_names FROM ${context.table(surveyResponses)} AS r JOIN (${everyone}) AS q ON q.merged_user_id = r.merged_user_id GROUP BY ${surveyOf('r')}, q.team_names HAVING ${respondents('r')} >= ${integer(least)}`;
  return sql`LEFT JOIN (${shared}) AS st ON st.survey = ${surveyOf('t')} AND st.team_names = p.team_names`;
}
