import type { Visibility } from '../../access/principal.ts';
import { lastActivity } from '../../catalogue/derivation-state.ts';
import {
  peopleCopy,
  reportsOfCopy,
  squadMembersCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../catalogue/directory-copies.ts';
import type { PeopleChoice } from '../../catalogue/filters.ts';
import type { GroupColumn } from '../../catalogue/group-columns.ts';
import {
  conditionsOf,
  managerFilters,
  personFilters,
  squadFilters,
  squadsBelow,
  teamFilters,
} from './people-filter-predicates.ts';
import { allOf, joined, listed, raw, type Sql, sql, text, texts } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

/** Everyone whose rows a caller may see. Undefined where that is everyone. */
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

/** Whether the caller sees the person of a row. */
export const isOfSeen = (alias: string, seen: Sql): Sql =>
  sql`${raw(alias)}.merged_user_id IN (SELECT merged_user_id FROM ${seen})`;

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
  // Each is named: where other joined tables have a column, too, ClickHouse takes `d.merged_user_id` for its whole name.
  const ofPerson = (name: string): Sql => sql`${columnOf(context, 'd', name)} AS ${dialect.identifier(name)}`;
  const selected: Sql[] = ['merged_user_id', 'onboarded_by_name'].map(ofPerson);
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
      selected.push(raw('l.last_active_at AS last_active_at'));
      joins.push(sql`LEFT JOIN ${context.table(lastActivity)} AS l ON l.merged_user_id = d.merged_user_id`);
    } else {
      selected.push(ofPerson(name));
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

/** Filters about a team have to hold for one membership together, and so do those about a squad. */
function choiceConditions(context: SqlContext, named: NamedQueries, choice: PeopleChoice): Sql[] {
  const isIn = (query: Sql): Sql => sql`d.merged_user_id IN (${query})`;
  const asks = (filters: object): boolean => Object.keys(filters).some((name) => name in choice);
  return [
    ...conditionsOf(personFilters, context, named, choice),
    ...(asks(teamFilters) ? [isIn(teamMemberships(context, named, choice, []))] : []),
    ...(asks(squadFilters) ? [isIn(squadMemberships(context, named, choice, []))] : []),
    ...conditionsOf(managerFilters, context, named, choice),
  ];
}

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
  const selected = [...membersOf(among), ...columns.map(({ name }) => memberColumn(context, name))];
  const conditions = conditionsOf(teamFilters, context, named, choice);
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
  const selected = [...membersOf(among), ...columns.map(({ name }) => memberColumn(context, name))];
  const conditions = conditionsOf(squadFilters, context, named, choice);
  const where = conditions.length > 0 ? sql` WHERE ${allOf(conditions)}` : raw('');
  return sql`SELECT ${eachOnce(columns, ['squad_name'])}${listed(selected)} FROM ${context.table(squadMembersCopy)} AS m JOIN ${context.table(squadsCopy)} AS x ON x.squad_id = m.squad_id${onlyOf(among)}${where}`;
}

/**
 * Several memberships of a person may say the same in some columns. Names of teams and squads are taken once, so where one
 * is among the columns there is nothing to look for, which is a quarter of what a question by team takes.
 */
const eachOnce = (columns: readonly GroupColumn[], names: readonly string[]): Sql =>
  raw(columns.some(({ name }) => names.includes(name)) ? '' : 'DISTINCT ');

/** Both sides of the join may have the column: only a name of its own finds it everywhere. */
const memberColumn = (context: SqlContext, name: string): Sql =>
  sql`${columnOf(context, 'x', name)} AS ${context.dialect.identifier(name)}`;

const membersOf = (among: Sql | undefined): Sql[] => [
  raw('m.merged_user_id AS merged_user_id'),
  ...(among ? [raw('o.onboarded_by_name AS onboarded_by_name')] : []),
];

const onlyOf = (among: Sql | undefined): Sql =>
  among ? sql` JOIN (${among}) AS o ON o.merged_user_id = m.merged_user_id` : raw('');
