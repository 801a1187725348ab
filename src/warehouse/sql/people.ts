import type { Visibility } from '../../access/visibility.ts';
import { lastActivity } from '../../catalogue/derivation-state/derivation-state.ts';
import {
  peopleCopy,
  personEmailsCopy,
  reportsOfCopy,
  squadMembersCopy,
  squadsBelowCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../catalogue/directory-copies/directory-copies.ts';
import type { GroupColumn } from '../../catalogue/group-columns.ts';
import { keyOf } from '../../name-key.ts';
import type { PeopleChoice } from '../../query/plan.ts';
import { chosen, peoplePlaces, squadPlaces, teamPlaces } from './directory-names.ts';
import { allOf, anyOf, integers, joined, listed, raw, type Sql, sql, text, texts } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

/** Everyone whose rows someone may see. Undefined where that is everyone. */
export function seenPeople(context: SqlContext, named: NamedQueries, visibility: Visibility): Sql | undefined {
  if (visibility === 'organisation') return undefined;
  const { self, teamIds, hasReports, leadsSquads } = visibility;
  const { dialect } = context;
  const ways: Sql[] = [sql`SELECT ${text(self)} AS merged_user_id`];
  if (teamIds.length > 0) {
    ways.push(
      sql`SELECT m.merged_user_id FROM ${context.table(teamMembersCopy)} AS m WHERE ${dialect.isAmong(raw('m.team_id'), texts(teamIds))}`,
    );
  }
  if (hasReports) {
    ways.push(
      sql`SELECT r.merged_user_id FROM ${context.table(reportsOfCopy)} AS r WHERE r.manager_id = ${text(self)}`,
    );
  }
  if (leadsSquads) {
    const led = sql`SELECT s.squad_id FROM ${context.table(squadsCopy)} AS s WHERE s.lead_id = ${text(self)}`;
    ways.push(
      sql`SELECT m.merged_user_id FROM ${context.table(squadMembersCopy)} AS m WHERE m.squad_id IN (${squadsBelow(context, led)})`,
    );
  }
  return named.add('seen', joined(ways, '\nUNION '));
}

/** Whether a row is of somebody seen. */
export const isOfSeen = (alias: string, seen: Sql): Sql =>
  sql`${raw(alias)}.merged_user_id IN (SELECT merged_user_id FROM ${seen})`;

/** Everyone who reports to one of these managers, at any depth. */
const reportsOf = (context: SqlContext, managers: Sql): Sql =>
  sql`SELECT r.merged_user_id FROM ${context.table(reportsOfCopy)} AS r WHERE r.manager_id IN (${managers})`;

/** These squads and all below them. */
const squadsBelow = (context: SqlContext, squads: Sql): Sql =>
  sql`SELECT b.below_squad_id FROM ${context.table(squadsBelowCopy)} AS b WHERE b.squad_id IN (${squads})`;

export const hasChoice = (choice: PeopleChoice): boolean => Object.keys(choice).length > 0;

/**
 * The people that count, chosen as the filters say, each once, with the columns that are asked for and with what decides
 * whether rows of their bot accounts are theirs.
 */
export function persons(
  context: SqlContext,
  named: NamedQueries,
  choice: PeopleChoice,
  seen: Sql | undefined,
  columns: ReadonlySet<string>,
  areOnboarded = true,
): Sql {
  const people = context.table(peopleCopy);
  const memberships = sql`${context.table(teamMembersCopy)} AS m JOIN ${context.table(teamsCopy)} AS x ON x.team_id = m.team_id`;
  const { dialect } = context;
  const selected: Sql[] = [raw('d.merged_user_id'), raw('d.onboarded_by_name')];
  const joins: Sql[] = [];
  for (const name of columns) {
    if (name === 'merged_user_id') continue;
    if (name === 'manager_name') {
      selected.push(raw('b.name AS manager_name'));
      joins.push(sql`LEFT JOIN ${people} AS b ON b.merged_user_id = d.manager_id`);
    } else if (name === 'team_names' || name === 'departments') {
      const [alias, value] = name === 'team_names' ? ['tn', 'x.team_name'] : ['td', 'x.department'];
      const lists = sql`SELECT m.merged_user_id, ${dialect.sortedList(raw(value))} AS list FROM ${memberships} WHERE ${raw(value)} IS NOT NULL GROUP BY m.merged_user_id`;
      selected.push(raw(`coalesce(${alias}.list, '[]') AS ${name}`));
      joins.push(sql`LEFT JOIN (${lists}) AS ${raw(alias)} ON ${raw(alias)}.merged_user_id = d.merged_user_id`);
    } else if (name === 'last_active_at') {
      selected.push(raw('l.last_active_at'));
      joins.push(sql`LEFT JOIN ${context.table(lastActivity)} AS l ON l.merged_user_id = d.merged_user_id`);
    } else {
      selected.push(columnOf(context, 'd', name));
    }
  }
  const conditions = [
    raw(areOnboarded ? 'd.onboarded' : 'NOT d.onboarded'),
    ...(seen ? [isOfSeen('d', seen)] : []),
    ...choiceConditions(context, named, choice),
  ];
  const from = joined([sql`${people} AS d`, ...joins], '\n');
  return sql`SELECT ${listed(selected)} FROM ${from} WHERE ${allOf(conditions)}`;
}

function choiceConditions(context: SqlContext, named: NamedQueries, choice: PeopleChoice): Sql[] {
  const { dialect } = context;
  const among = (column: string, values: readonly string[] | undefined): Sql[] =>
    values ? [dialect.isAmong(raw(column), texts(values))] : [];
  const isIn = (query: Sql): Sql => sql`d.merged_user_id IN (${query})`;
  const conditions: Sql[] = [
    ...(choice.members ? [isIn(chosenPeople(context, named, 'chosen_members', choice.members))] : []),
    ...among('d.location', choice.locations),
    ...among('d.level', choice.levels),
    ...(choice.sources ? [dialect.listHasAny(raw('d.sources'), texts(choice.sources))] : []),
  ];
  if (choice.teams || choice.departments) conditions.push(isIn(teamMemberships(context, named, choice, [])));
  if (choice.squads || choice.squadLevels) conditions.push(isIn(squadMemberships(context, named, choice, [])));
  if (choice.managers) {
    const managers = chosenPeople(context, named, 'chosen_managers', choice.managers);
    conditions.push(isIn(reportsOf(context, managers)));
  }
  if (choice.managerEmails) {
    const emails = texts(choice.managerEmails.map(keyOf));
    const byAddress = sql`SELECT e.merged_user_id FROM ${context.table(personEmailsCopy)} AS e WHERE ${dialect.isAmong(raw('e.email_key'), emails)}`;
    // The manager may be nobody known: then only the address that a person gave says who it is.
    const isDirect = anyOf([sql`f.manager_id IN (${byAddress})`, dialect.isAmong(raw('f.manager_email_key'), emails)]);
    const direct = named.add(
      'direct_reports',
      sql`SELECT f.merged_user_id FROM ${context.table(peopleCopy)} AS f WHERE ${isDirect}`,
    );
    const everyone = sql`SELECT merged_user_id FROM ${direct}`;
    conditions.push(isIn(sql`${everyone} UNION ${reportsOf(context, everyone)}`));
  }
  return conditions;
}

const chosenPeople = (context: SqlContext, named: NamedQueries, as: string, values: readonly string[]): Sql =>
  chosen(context, named, as, peoplePlaces, values);

/**
 * Memberships of teams that match the filters, each combination of the columns once for a person; only of some people,
 * where it is said which.
 */
export function teamMemberships(
  context: SqlContext,
  named: NamedQueries,
  choice: PeopleChoice,
  columns: readonly GroupColumn[],
  among?: Sql,
): Sql {
  const { dialect } = context;
  const selected = [...membersOf(among), ...columns.map(({ name }) => memberColumn(context, name))];
  const conditions = [
    ...(choice.teams ? [sql`x.team_id IN (${chosen(context, named, 'chosen_teams', teamPlaces, choice.teams)})`] : []),
    ...(choice.departments ? [dialect.isAmong(raw('x.department'), texts(choice.departments))] : []),
  ];
  const where = conditions.length > 0 ? sql` WHERE ${allOf(conditions)}` : raw('');
  return sql`SELECT ${eachOnce(columns, ['team_id', 'team_name'])}${listed(selected)} FROM ${context.table(teamMembersCopy)} AS m JOIN ${context.table(teamsCopy)} AS x ON x.team_id = m.team_id${onlyOf(among)}${where}`;
}

/** The same for squads. */
export function squadMemberships(
  context: SqlContext,
  named: NamedQueries,
  choice: PeopleChoice,
  columns: readonly GroupColumn[],
  among?: Sql,
): Sql {
  const { dialect } = context;
  const selected = [...membersOf(among), ...columns.map(({ name }) => memberColumn(context, name))];
  const conditions: Sql[] = [];
  if (choice.squads) {
    const first = chosen(context, named, 'chosen_squads', squadPlaces, choice.squads);
    conditions.push(sql`x.squad_id IN (${squadsBelow(context, first)})`);
  }
  if (choice.squadLevels) conditions.push(dialect.isAmong(raw('x.squad_level'), integers(choice.squadLevels)));
  const where = conditions.length > 0 ? sql` WHERE ${allOf(conditions)}` : raw('');
  return sql`SELECT ${eachOnce(columns, ['squad_name'])}${listed(selected)} FROM ${context.table(squadMembersCopy)} AS m JOIN ${context.table(squadsCopy)} AS x ON x.squad_id = m.squad_id${onlyOf(among)}${where}`;
}

/**
 * Several memberships of a person may say the same in some columns. Names of teams and squads are taken once, so where one
 * is among the columns there is nothing to look for, which is a quarter of what a question by team takes.
 */
const eachOnce = (columns: readonly GroupColumn[], names: readonly string[]): Sql =>
  raw(columns.some(({ name }) => names.includes(name)) ? '' : 'DISTINCT ');

/** Both sides of the join may have the column: only with a name of its own is it found by that name everywhere. */
const memberColumn = (context: SqlContext, name: string): Sql =>
  sql`${columnOf(context, 'x', name)} AS ${context.dialect.identifier(name)}`;

const membersOf = (among: Sql | undefined): Sql[] => [
  raw('m.merged_user_id AS merged_user_id'),
  ...(among ? [raw('o.onboarded_by_name AS onboarded_by_name')] : []),
];

const onlyOf = (among: Sql | undefined): Sql =>
  among ? sql` JOIN (${among}) AS o ON o.merged_user_id = m.merged_user_id` : raw('');
