import type { ScopedTable } from '../../access/scope.ts';
import { answerColumnNames, reportedAnswers, surveys } from '../../catalogue/derivation-state.ts';
import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { PeopleChoice } from '../../catalogue/filters.ts';
import { storedNames, type Table } from '../../catalogue/table.ts';
import { surveyRecipients } from '../../catalogue/tables/surveys.ts';
import type { Plan, Span } from '../../query/plan.ts';
import { hasChoice, persons, seenPeople } from './people-sql.ts';
import { allOf, joined, listed, raw, type Sql, sql } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

/** The people whose answers are meant, by filters of people and visibility. */
interface PeopleSelection {
  readonly scoped: ScopedTable;
  readonly people: PeopleChoice;
}

/** Records that name no survey are those of one. */
const surveyOf = (alias: string, column: string): Sql => raw(`coalesce(${alias}.${column}, '')`);

/** Whether the survey of a row is anonymous. One that nothing is known of yet is what the organisation says now. */
function isOfAnonymous(context: SqlContext, { areAnswersAnonymous }: ScopedTable, survey: Sql): Sql {
  const those = (privacy: string) =>
    sql`SELECT w.survey_id FROM ${context.table(surveys)} AS w WHERE w.survey_privacy = ${raw(`'${privacy}'`)}`;
  return areAnswersAnonymous ? sql`${survey} NOT IN (${those('role')})` : sql`${survey} IN (${those('anonymous')})`;
}

/** The recipients of surveys, of anonymous ones with days in place of times. */
export function recipientsShown(context: SqlContext, scoped: ScopedTable): Sql {
  const { table } = scoped;
  const { daysWhereAnonymous } = table;
  if (!daysWhereAnonymous) throw new Error(`${table.name} shows no days in place of times`);
  const { dialect } = context;
  const isAnonymous = isOfAnonymous(context, scoped, surveyOf('s', daysWhereAnonymous.survey));
  const columns = storedNames(table).map((name) => {
    const own = columnOf(context, 's', name);
    if (!daysWhereAnonymous.times.includes(name)) return own;
    return sql`CASE WHEN ${isAnonymous} THEN ${dialect.midnight(own)} ELSE ${own} END AS ${dialect.identifier(name)}`;
  });
  return sql`(SELECT ${listed(columns)} FROM ${context.table(table)} AS s)`;
}

/**
 * The answers that may be shown: of surveys that are gated by role as they are, and of anonymous ones those of whole
 * reporting groups, as they were when the survey was divided. Where rows of people who do not count are looked for, those
 * of anonymous surveys are not among them.
 */
export function answersShown(
  context: SqlContext,
  named: NamedQueries,
  { scoped, people, leftOut, span }: PeopleSelection & Pick<Plan, 'leftOut'> & { readonly span?: Span | undefined },
): Sql {
  const { table } = scoped;
  const { dialect } = context;
  const own = answerColumnNames.map((name) => columnOf(context, 's', name));
  const none = ['report_group', 'report_team_names'].map(
    (name) => sql`CAST(NULL AS VARCHAR) AS ${dialect.identifier(name)}`,
  );
  const isAnonymous = isOfAnonymous(context, scoped, surveyOf('s', surveyColumn(table)));
  const byRole = sql`SELECT ${listed([...own, ...none])} FROM ${context.table(table, span)} AS s WHERE NOT (${isAnonymous})`;
  if (leftOut !== undefined) return sql`(${byRole})`;
  return sql`(${byRole} UNION ALL ${reported(context, named, { scoped, people }, 'selected')})`;
}

/**
 * Answers to anonymous surveys that are left out: those of groups that are selected in part, and all of a survey that are in
 * no group, because it is not divided yet or they came or changed afterwards. They, too, are taken together: how many are
 * left out tells no more of a part of them.
 */
export function answersLeftOut(context: SqlContext, named: NamedQueries, selection: PeopleSelection): Sql {
  const pieces = [ungrouped(context, named, selection)];
  if (chosen(context, named, selection)) pieces.unshift(reported(context, named, selection, 'in part'));
  return sql`(${joined(pieces, ' UNION ALL ')})`;
}

const surveyColumn = ({ name, anonymous }: Table): string => {
  if (!anonymous) throw new Error(`${name} holds no anonymous answers`);
  return anonymous.survey;
};

/** The people that count, are seen and are chosen. Undefined where that is everybody who answered, known or not. */
function chosen(context: SqlContext, named: NamedQueries, { scoped, people }: PeopleSelection): Sql | undefined {
  const seen = seenPeople(context, named, scoped.visibility);
  return hasChoice(people) || seen ? persons(context, named, people, seen, new Set()) : undefined;
}

const reportedColumns = (context: SqlContext): Sql[] =>
  [...answerColumnNames, 'report_group', 'report_team_names'].map((name) =>
    // The record's own identifier stays where it is compared with others.
    name === 'survey_response_id'
      ? sql`CAST(NULL AS VARCHAR) AS ${context.dialect.identifier(name)}`
      : columnOf(context, 'r', name),
  );

/** Reported answers: of groups that are selected, or of those that are selected in part. */
function reported(
  context: SqlContext,
  named: NamedQueries,
  selection: PeopleSelection,
  which: 'selected' | 'in part',
): Sql {
  const those = chosen(context, named, selection);
  const rows = sql`SELECT ${listed(reportedColumns(context))} FROM ${context.table(reportedAnswers)} AS r`;
  if (!those) return rows;
  // Somebody who has left does not stand in the way of those who stayed: the group is the same as before.
  // Named, since both tables have that column: ClickHouse then takes `c.merged_user_id` for the whole name.
  const members = sql`SELECT DISTINCT r.report_group, r.survey_recipient_id, c.merged_user_id AS merged_user_id, coalesce(c.is_bot, false) AS is_bot
FROM ${context.table(reportedAnswers)} AS r
LEFT JOIN ${context.table(surveyRecipients)} AS c ON c.survey_recipient_id = r.survey_recipient_id`;
  const gone = sql`SELECT d.merged_user_id FROM ${context.table(peopleCopy)} AS d WHERE NOT d.onboarded`;
  const others = raw('sum(CASE WHEN w.merged_user_id IS NULL AND z.merged_user_id IS NULL THEN 1 ELSE 0 END)');
  const groups = sql`SELECT m.report_group FROM (${members}) AS m
LEFT JOIN (${those}) AS w ON w.merged_user_id = m.merged_user_id AND w.onboarded_by_name >= m.is_bot
LEFT JOIN (${gone}) AS z ON z.merged_user_id = m.merged_user_id
GROUP BY m.report_group HAVING count(w.merged_user_id) > 0 AND ${others} ${raw(which === 'selected' ? '= 0' : '> 0')}`;
  return sql`${rows} WHERE r.report_group IN (${groups})`;
}

/** Answers to anonymous surveys that are in no group, of surveys of which somebody is selected who gave one. */
function ungrouped(context: SqlContext, named: NamedQueries, selection: PeopleSelection): Sql {
  const { scoped } = selection;
  const { table } = scoped;
  const { dialect } = context;
  const { answeredAt = [], leftOut = [] } = table.anonymous ?? {};
  const rows = context.table(table);
  const isUngrouped = (alias: string): Sql =>
    allOf([
      isOfAnonymous(context, scoped, surveyOf(alias, surveyColumn(table))),
      sql`${raw(`${alias}.survey_response_id`)} NOT IN (${same(context, table)})`,
    ]);
  const columns = answerColumnNames.map((name) => {
    const own = columnOf(context, 's', name);
    // They wait under the day that the survey's answers are shown under, or would be now.
    if (answeredAt.includes(name))
      return sql`CASE WHEN ${own} IS NOT NULL THEN coalesce(v.answered_on, y.day) END AS ${dialect.identifier(name)}`;
    const isHidden = leftOut.includes(name) || name === 'merged_user_id';
    // Named, since the joined table of surveys has some of them, too: ClickHouse then takes `s.survey_id` for the whole name.
    return sql`${isHidden ? sql`CASE WHEN false THEN ${own} END` : own} AS ${dialect.identifier(name)}`;
  });
  const none = ['report_group', 'report_team_names'].map(
    (name) => sql`CAST(NULL AS VARCHAR) AS ${dialect.identifier(name)}`,
  );
  const submitted = raw(`coalesce(${answeredAt.map((name) => `m.${name}`).join(', ')})`);
  const [own, survey] = [surveyOf('s', surveyColumn(table)), surveyOf('m', surveyColumn(table))];
  const days = sql`SELECT ${survey} AS survey, ${dialect.lowerMedianDay(submitted)} AS day FROM ${rows} AS m GROUP BY ${survey}`;
  const conditions = [isUngrouped('s')];
  const those = chosen(context, named, selection);
  if (those) {
    const ofChosen = sql`SELECT ${surveyOf('b', surveyColumn(table))} FROM ${rows} AS b JOIN (${those}) AS w ON w.merged_user_id = b.merged_user_id AND w.onboarded_by_name >= coalesce(b.is_bot, false) WHERE ${isUngrouped('b')}`;
    conditions.push(sql`${own} IN (${ofChosen})`);
  }
  return sql`SELECT ${listed([...columns, ...none])} FROM ${rows} AS s
LEFT JOIN (${days}) AS y ON y.survey = ${own}
LEFT JOIN ${context.table(surveys)} AS v ON v.survey_id = ${own}
WHERE ${allOf(conditions)}`;
}

/** Answers that are stored as they were reported. */
const same = (context: SqlContext, table: Table): Sql =>
  sql`SELECT e.survey_response_id FROM ${context.table(reportedAnswers)} AS e JOIN ${context.table(table)} AS n ON n.survey_response_id = e.survey_response_id AND n.answer_digest = e.answer_digest`;
