import { storedNames, type Table } from '../../catalogue/table.ts';
import { persons } from './people.ts';
import { allOf, integer, joined, listed, raw, type Sql, sql } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

function anonymityOf({ name, anonymous }: Table): NonNullable<Table['anonymous']> {
  if (!anonymous) throw new Error(`${name} holds no anonymous answers`);
  return anonymous;
}

/** Answers that name no survey are those of one. */
const surveyOf = (table: Table, alias: string): Sql => raw(`coalesce(${alias}.${anonymityOf(table).survey}, '')`);

/** Somebody who was invited from outside is known by nothing but the invitation. */
const respondents = (table: Table, alias: string): Sql =>
  raw(`count(DISTINCT coalesce(${alias}.actor, ${alias}.${anonymityOf(table).recipient}))`);

/**
 * Answers without what tells whose they are: in the place of their times stands midnight (UTC) of the day on which the
 * lower median answer of their survey was submitted, and when the survey was sent to the recipient is left out.
 */
export function anonymousAnswers(context: SqlContext, table: Table): Sql {
  const { dialect } = context;
  const { answeredAt, leftOut } = anonymityOf(table);
  const rows = context.table(table);
  const columns = storedNames(table).map((name) => {
    const own = columnOf(context, 's', name);
    if (answeredAt.includes(name))
      return sql`CASE WHEN ${own} IS NOT NULL THEN y.day END AS ${dialect.identifier(name)}`;
    if (leftOut.includes(name)) return sql`CASE WHEN false THEN ${own} END AS ${dialect.identifier(name)}`;
    return own;
  });
  const submitted = raw(`coalesce(${answeredAt.map((name) => `m.${name}`).join(', ')})`);
  const survey = surveyOf(table, 'm');
  const days = sql`SELECT ${survey} AS survey, ${dialect.lowerMedianDay(submitted)} AS day FROM ${rows} AS m GROUP BY ${survey}`;
  return sql`(SELECT ${listed(columns)} FROM ${rows} AS s LEFT JOIN (${days}) AS y ON y.survey = ${surveyOf(table, 's')})`;
}

/** Whether an answer, called t, is of a survey of which filters and visibility leave enough respondents. */
export function hasEnoughRespondents(
  table: Table,
  joins: readonly Sql[],
  conditions: readonly Sql[],
  least: number,
): Sql {
  const where = conditions.length > 0 ? sql` WHERE ${allOf(conditions)}` : raw('');
  const survey = surveyOf(table, 't');
  return sql`${survey} IN (SELECT ${survey} FROM ${joined(joins, '\n')}${where} GROUP BY ${survey} HAVING ${respondents(table, 't')} >= ${integer(least)})`;
}

/** The lists of teams that enough respondents of a survey share, to be joined as st to the answer t and its person p. */
export function sharedTeams(context: SqlContext, named: NamedQueries, table: Table, least: number): Sql {
  const everyone = persons(context, named, {}, undefined, new Set(['team_names']));
  const survey = surveyOf(table, 'r');
  const shared = sql`SELECT ${survey} AS survey, q.team_names FROM ${context.table(table)} AS r JOIN (${everyone}) AS q ON q.merged_user_id = r.merged_user_id GROUP BY ${survey}, q.team_names HAVING ${respondents(table, 'r')} >= ${integer(least)}`;
  return sql`LEFT JOIN (${shared}) AS st ON st.survey = ${surveyOf(table, 't')} AND st.team_names = p.team_names`;
}
