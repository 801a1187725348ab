import type { Visibility } from '../../access/principal.ts';
import {
  peopleCopy,
  personEmailsCopy,
  reportsOfCopy,
  squadMembersCopy,
  squadsBelowCopy,
  squadsCopy,
  teamsCopy,
} from '../../catalogue/directory-copies.ts';
import type { PeopleFilter } from '../../catalogue/filters.ts';
import type { Table } from '../../catalogue/table.ts';
import type { Lookup, LookupPlace } from '../../query/plan.ts';
import { keyOf } from '../../text-comparison.ts';
import { guarded } from './guard.ts';
import { isOfSeen, seenPeople } from './people-sql.ts';
import { listHasAnyId, shortIdsAmong, shortIdsOf } from './row-filter-predicates.ts';
import { allOf, anyOf, integers, type ListParameter, raw, type Sql, sql, text, texts } from './sql.ts';
import { columnOf, NamedQueries, type SqlContext } from './sql-context.ts';

/** A query of values that are there: exactly, in lower case, there without a source, or as the directory matches names. */
interface KnownValues {
  readonly values: Sql;
  readonly as: 'value' | 'lowerCased' | 'withoutSource' | 'key';
}

/** The values that exist, each as it was asked for. */
export function renderLookup(context: SqlContext, lookup: Lookup): Sql {
  const named = new NamedQueries();
  const { dialect } = context;
  const list = listOf(lookup.values);
  const known =
    'places' in lookup
      ? lookup.places.flatMap((place) => inRows(context, named, place, list))
      : inDirectory(context, named, lookup, list);
  const value = raw('v.value');
  const asked = {
    value,
    lowerCased: dialect.lowerCased(value),
    withoutSource: dialect.lowerCased(dialect.withoutSource(value)),
    key: raw('v.key'),
  };
  const isThere = known.map(({ values, as }) => sql`${asked[as]} IN (${values})`);
  const isKeyed = known.some(({ as }) => as === 'key');
  const each = isKeyed ? dialect.eachKeyed(list, texts(lookup.values.map(String).map(keyOf))) : dialect.each(list);
  const row = dialect.row([{ value, type: list.type === 'integers' ? 'integer' : 'text' }]);
  return named.before(sql`SELECT ${row}\nFROM (${each}) AS v\nWHERE ${anyOf(isThere)}`);
}

function listOf(values: readonly (string | number)[]): ListParameter {
  const numbers = values.filter((value): value is number => typeof value === 'number');
  return numbers.length === values.length ? integers(numbers) : texts(values.map(String));
}

/** Only rows with one of the values are looked at further: a table may have millions. */
function inRows(
  context: SqlContext,
  named: NamedQueries,
  { from, predicate }: LookupPlace,
  list: ListParameter,
): KnownValues[] {
  const { dialect } = context;
  const { from: table, conditions } = guarded(context, named, from, 't');
  const column = columnOf(context, 't', predicate.column);
  const distinct = (value: Sql, isAsked: Sql): Sql =>
    sql`SELECT DISTINCT ${value} FROM ${table} WHERE ${allOf([isAsked, ...conditions])}`;
  const lowerCasedIn = (value: Sql): KnownValues => ({
    values: distinct(dialect.lowerCased(value), dialect.isAmongLowerCased(value, list)),
    as: 'lowerCased',
  });
  switch (predicate.by) {
    case 'value':
      if (predicate.lowerCased) return [lowerCasedIn(column)];
      return [{ values: distinct(column, dialect.isAmong(column, list)), as: 'value' }];
    case 'repository':
      return [lowerCasedIn(column), lowerCasedIn(dialect.lastSegment(column))];
    case 'id': {
      const exact: KnownValues = { values: distinct(column, dialect.isAmong(column, list)), as: 'value' };
      const short = shortIdsAmong(list.value);
      if (short.length === 0) return [exact];
      const named = texts(short);
      const said = shortIdsOf(dialect, (name) => columnOf(context, 't', name), predicate);
      const known = said.map((one): KnownValues => {
        return { values: distinct(dialect.lowerCased(one), dialect.isAmongLowerCased(one, named)), as: 'lowerCased' };
      });
      return [exact, ...known];
    }
    case 'ids': {
      const isAsked = listHasAnyId(dialect, column, list.value.map(String));
      const items = dialect.listItems(column);
      return [
        { values: distinct(items, isAsked), as: 'value' },
        { values: distinct(dialect.lowerCased(dialect.withoutSource(items)), isAsked), as: 'lowerCased' },
        { values: distinct(dialect.lowerCased(items), isAsked), as: 'withoutSource' },
      ];
    }
    case 'list':
      return [{ values: distinct(dialect.listItems(column), dialect.listHasAny(column, list)), as: 'value' }];
  }
}

/**
 * Teams and their departments, and who is onboarded, is listed to anybody with a key. All else that the directory knows
 * is there for those who see the people it is about; a manager also for those who see a person below them, whose rows a
 * filter by that manager gives.
 */
function inDirectory(
  context: SqlContext,
  named: NamedQueries,
  { from: { visibility }, people: filter }: Extract<Lookup, { people: PeopleFilter }>,
  list: ListParameter,
): KnownValues[] {
  const { dialect } = context;
  const seen = seenPeople(context, named, visibility);
  const isSeen = seen ? isOfSeen('d', seen) : raw('true');
  const select = (value: Sql, table: Table, alias: string, where: Sql): Sql =>
    sql`SELECT ${value} FROM ${context.table(table)} AS ${raw(alias)} WHERE ${where}`;
  const exact = (values: Sql): KnownValues => ({ values, as: 'value' });
  const keys = (values: Sql): KnownValues => ({ values, as: 'key' });
  const ofPeople = (column: string): Sql => select(raw(`d.${column}`), peopleCopy, 'd', isSeen);

  const isManagerFilter = filter === 'manager_ids' || filter === 'manager_email';
  const isKnown =
    seen && isManagerFilter ? anyOf([isSeen, sql`d.merged_user_id IN (${managersOf(context, seen)})`]) : isSeen;
  const isListed = seen ? anyOf([raw('d.onboarded'), isKnown]) : raw('true');
  const isAddressListed = seen ? anyOf([isKnown, sql`d.onboarded AND e.email_key = d.main_email_key`]) : raw('true');
  const addresses = keys(
    sql`SELECT e.email_key FROM ${context.table(personEmailsCopy)} AS e JOIN ${context.table(peopleCopy)} AS d ON d.merged_user_id = e.merged_user_id WHERE ${isAddressListed}`,
  );
  const isSquadKnown = seen ? sql`s.squad_id IN (${knownSquads(context, visibility, seen)})` : raw('true');

  switch (filter) {
    case 'member':
    case 'manager_ids':
      return [
        exact(select(raw('d.merged_user_id'), peopleCopy, 'd', isListed)),
        keys(select(raw('d.name_key'), peopleCopy, 'd', isListed)),
        addresses,
      ];
    case 'manager_email':
      return [addresses, keys(select(raw('d.manager_email_key'), peopleCopy, 'd', isKnown))];
    case 'team':
      return [
        exact(select(raw('x.team_id'), teamsCopy, 'x', raw('true'))),
        keys(select(raw('x.team_name_key'), teamsCopy, 'x', raw('true'))),
      ];
    case 'departments':
      return [exact(select(raw('x.department'), teamsCopy, 'x', raw('true')))];
    case 'squad_ids':
      return [
        exact(select(raw('s.squad_id'), squadsCopy, 's', isSquadKnown)),
        keys(select(raw('s.squad_name_key'), squadsCopy, 's', isSquadKnown)),
      ];
    case 'squad_levels':
      return [exact(select(raw('s.squad_level'), squadsCopy, 's', isSquadKnown))];
    case 'locations':
      return [exact(ofPeople('location'))];
    case 'levels':
      return [exact(ofPeople('level'))];
    case 'source_types': {
      const isAsked = dialect.listHasAny(raw('d.sources'), list);
      const items = dialect.listItems(raw('d.sources'));
      return [exact(select(items, peopleCopy, 'd', allOf([isAsked, isSeen])))];
    }
  }
}

/** Managers at any depth of people whom the caller sees. */
const managersOf = (context: SqlContext, seen: Sql): Sql =>
  sql`SELECT r.manager_id FROM ${context.table(reportsOfCopy)} AS r WHERE ${isOfSeen('r', seen)}`;

/** Squads of people whom the caller sees, those above them, and those that the caller leads. */
function knownSquads(context: SqlContext, visibility: Visibility, seen: Sql): Sql {
  const isLed =
    visibility !== 'organisation' && visibility.leadsSquads ? sql`s.lead_id = ${text(visibility.self)}` : raw('false');
  const own = sql`SELECT m.squad_id FROM ${context.table(squadMembersCopy)} AS m WHERE ${isOfSeen('m', seen)}
UNION SELECT s.squad_id FROM ${context.table(squadsCopy)} AS s WHERE ${isLed}`;
  return sql`SELECT b.squad_id FROM ${context.table(squadsBelowCopy)} AS b WHERE b.below_squad_id IN (${own})`;
}
