import {
  peopleCopy,
  personEmailsCopy,
  reportsOfCopy,
  squadsBelowCopy,
  squadsCopy,
  teamsCopy,
} from '../../catalogue/directory-copies.ts';
import type { PeopleChoice, PeopleFilter, PeopleFilterAbout } from '../../catalogue/filters.ts';
import type { Table } from '../../catalogue/table.ts';
import { keyOf } from '../../text-comparison.ts';
import { anyOf, integers, joined, raw, type Sql, sql, texts } from './sql.ts';
import type { NamedQueries, SqlContext } from './sql-context.ts';

type Values<F extends PeopleFilter> = NonNullable<PeopleChoice[F]>;
/** How filters are rendered. A filter that is declared and not rendered does not compile. */
type Rendered<F extends PeopleFilter> = {
  readonly [N in F]: (context: SqlContext, named: NamedQueries, values: Values<N>) => Sql;
};

/** Conditions on a person under the alias `d`. */
export const personFilters: Rendered<PeopleFilterAbout<'person'>> = {
  member: (context, named, values) =>
    sql`d.merged_user_id IN (${chosen(context, named, 'chosen_members', peoplePlaces, values)})`,
  locations: ({ dialect }, _, values) => dialect.isAmong(raw('d.location'), texts(values)),
  levels: ({ dialect }, _, values) => dialect.isAmong(raw('d.level'), texts(values)),
  source_types: ({ dialect }, _, values) => dialect.listHasAny(raw('d.sources'), texts(values)),
};

/** Conditions on a team under the alias `x`. */
export const teamFilters: Rendered<PeopleFilterAbout<'team'>> = {
  team: (context, named, values) => sql`x.team_id IN (${chosen(context, named, 'chosen_teams', teamPlaces, values)})`,
  departments: ({ dialect }, _, values) => dialect.isAmong(raw('x.department'), texts(values)),
};

/** Conditions on a squad under the alias `x`. */
export const squadFilters: Rendered<PeopleFilterAbout<'squad'>> = {
  squad_ids: (context, named, values) => {
    const squads = chosen(context, named, 'chosen_squads', squadPlaces, values);
    return sql`x.squad_id IN (${squadsBelow(context, squads)})`;
  },
  squad_levels: ({ dialect }, _, values) => dialect.isAmong(raw('x.squad_level'), integers(values)),
};

/** Conditions on a person under the alias `d`, by those whom they report to at any depth. */
export const managerFilters: Rendered<PeopleFilterAbout<'manager'>> = {
  manager_ids: (context, named, values) => {
    const managers = chosen(context, named, 'chosen_managers', peoplePlaces, values);
    return sql`d.merged_user_id IN (${reportsOf(context, managers)})`;
  },
  manager_email: (context, named, values) => {
    const { dialect } = context;
    const emails = texts(values.map(keyOf));
    const byAddress = sql`SELECT e.merged_user_id FROM ${context.table(personEmailsCopy)} AS e WHERE ${dialect.isAmong(raw('e.email_key'), emails)}`;
    // The directory may not know the manager: then only the address that a person gave says who it is.
    const isDirect = anyOf([sql`f.manager_id IN (${byAddress})`, dialect.isAmong(raw('f.manager_email_key'), emails)]);
    const direct = named.add(
      'direct_reports',
      sql`SELECT f.merged_user_id FROM ${context.table(peopleCopy)} AS f WHERE ${isDirect}`,
    );
    const everyone = sql`SELECT merged_user_id FROM ${direct}`;
    return sql`d.merged_user_id IN (${everyone} UNION ${reportsOf(context, everyone)})`;
  },
};

/** Everyone who reports to one of these managers, at any depth. */
const reportsOf = (context: SqlContext, managers: Sql): Sql =>
  sql`SELECT r.merged_user_id FROM ${context.table(reportsOfCopy)} AS r WHERE r.manager_id IN (${managers})`;

/** The given squads and all squads below them. */
export const squadsBelow = (context: SqlContext, squads: Sql): Sql =>
  sql`SELECT b.below_squad_id FROM ${context.table(squadsBelowCopy)} AS b WHERE b.squad_id IN (${squads})`;

/** The conditions of the filters that are set. */
export function conditionsOf<F extends PeopleFilter>(
  rendered: Rendered<F>,
  context: SqlContext,
  named: NamedQueries,
  choice: PeopleChoice,
): Sql[] {
  const names = Object.keys(rendered) as F[];
  return names.flatMap((name) => {
    const values = choice[name];
    return values ? [rendered[name](context, named, values as Values<F>)] : [];
  });
}

/** Where something of the directory is found by its identifier, and by other names. */
interface NamePlaces {
  readonly id: string;
  readonly table: Table;
  /** Columns with names as they are matched, each in a table that also has the identifier. */
  readonly names: readonly (readonly [table: Table, column: string])[];
}

const peoplePlaces: NamePlaces = {
  id: 'merged_user_id',
  table: peopleCopy,
  names: [
    [peopleCopy, 'name_key'],
    [personEmailsCopy, 'email_key'],
  ],
};
const teamPlaces: NamePlaces = { id: 'team_id', table: teamsCopy, names: [[teamsCopy, 'team_name_key']] };
const squadPlaces: NamePlaces = { id: 'squad_id', table: squadsCopy, names: [[squadsCopy, 'squad_name_key']] };

/**
 * Everything that some values mean: an identifier, or a name where no identifier is the same. Names are matched as the
 * directory matches them. A name that several share means all of them.
 */
export function chosen(
  context: SqlContext,
  named: NamedQueries,
  as: string,
  { id, table, names }: NamePlaces,
  values: readonly string[],
): Sql {
  const { dialect } = context;
  const list = texts(values);
  const no = sql`SELECT n.${raw(id)} FROM ${context.table(table)} AS n`;
  const keyed = dialect.eachKeyed(list, texts(values.map(keyOf)));
  const others = sql`SELECT v.key FROM (${keyed}) AS v WHERE v.value NOT IN (${no})`;
  const ways = names.map(
    ([place, column]) =>
      sql`SELECT n.${raw(id)} FROM ${context.table(place)} AS n WHERE n.${raw(column)} IN (${others})`,
  );
  const byId = sql`${no} WHERE ${dialect.isAmong(raw(`n.${id}`), list)}`;
  return sql`SELECT ${raw(id)} FROM ${named.add(as, joined([byId, ...ways], '\nUNION '))}`;
}
