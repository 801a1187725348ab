import {
  peopleCopy,
  personEmailsCopy,
  reportsOfCopy,
  squadsBelowCopy,
} from '../../catalogue/directory-copies/directory-copies.ts';
import type { PeopleChoice, PeopleFilter, PeopleFilterAbout } from '../../catalogue/filters.ts';
import { keyOf } from '../../name-key.ts';
import { chosen, peoplePlaces, squadPlaces, teamPlaces } from './directory-names.ts';
import { anyOf, integers, raw, type Sql, sql, texts } from './sql.ts';
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

/** These squads and all below them. */
export const squadsBelow = (context: SqlContext, squads: Sql): Sql =>
  sql`SELECT b.below_squad_id FROM ${context.table(squadsBelowCopy)} AS b WHERE b.squad_id IN (${squads})`;

/** What those of some filters ask for that are set. */
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
