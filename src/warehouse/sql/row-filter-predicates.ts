import { type ScopedTable, scopeAlike } from '../../access/scope.ts';
import type { FilterPredicate, NumberColumns, ParentTexts } from '../../catalogue/filters.ts';
import { placeOfFullId, placeOfShortId } from '../../catalogue/record-ids.ts';
import type { RowChoice } from '../../query/plan.ts';
import type { Dialect } from './dialect.ts';
import { guarded } from './guard.ts';
import { allOf, anyOf, integers, raw, type Sql, sql, text, texts } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

/** The condition of a filter on the rows of an alias. Another table is looked into, never joined. */
export function renderRowFilter(
  context: SqlContext,
  named: NamedQueries,
  from: ScopedTable,
  alias: string,
  { predicate, values }: RowChoice,
): Sql {
  const { dialect } = context;
  const column = (name: string): Sql => columnOf(context, alias, name);
  const other = (parent: ParentTexts, conditions: readonly Sql[]): Sql => {
    const { from: table, conditions: guards } = guarded(context, named, scopeAlike(from, parent.table), 'o');
    const found = sql`SELECT ${columnOf(context, 'o', parent.theirs)} FROM ${table} WHERE ${allOf([...guards, ...conditions])}`;
    return sql`${column(parent.own)} IN (${found})`;
  };
  switch (predicate.by) {
    case 'value':
      return among(context, column(predicate.column), values, predicate.lowerCased ?? false);
    case 'id': {
      const isNamed = dialect.isAmong(column(predicate.column), texts(values.map(String)));
      const short = shortIdsAmong(values);
      if (short.length === 0) return isNamed;
      const said = shortIdsOf(dialect, column, predicate);
      return anyOf([isNamed, ...said.map((one) => dialect.isAmongLowerCased(one, texts(short)))]);
    }
    case 'ids':
      return listHasAnyId(dialect, column(predicate.column), values.map(String));
    case 'list':
      return dialect.listHasAny(column(predicate.column), texts(values.map(String)));
    case 'repository': {
      const name = column(predicate.column);
      const list = texts(values.map(String));
      return anyOf([dialect.isAmongLowerCased(name, list), dialect.isAmongLowerCased(dialect.lastSegment(name), list)]);
    }
    case 'words':
      return allOf([raw('true'), ...values.map((word) => renderWord(context, predicate, String(word), column, other))]);
  }
}

function among({ dialect }: SqlContext, value: Sql, values: RowChoice['values'], ignoresCase: boolean): Sql {
  const numbers = values.filter((one) => typeof one === 'number');
  if (numbers.length === values.length) return dialect.isAmong(value, integers(numbers));
  const list = texts(values.map(String));
  return ignoresCase ? dialect.isAmongLowerCased(value, list) : dialect.isAmong(value, list);
}

function renderWord(
  context: SqlContext,
  predicate: Extract<FilterPredicate, { by: 'words' }>,
  word: string,
  column: (name: string) => Sql,
  other: (parent: ParentTexts, conditions: readonly Sql[]) => Sql,
): Sql {
  const { dialect } = context;
  // Of a text that is missing the engine says neither yes nor no. Rows that get no yes from any column are not taken.
  const isIn = (value: Sql): Sql => dialect.contains(dialect.lowerCased(value), dialect.lowerCased(sql`${text(word)}`));
  const { ofParent } = predicate;
  const inParent = ofParent
    ? [other(ofParent, [anyOf(ofParent.columns.map((name) => isIn(columnOf(context, 'o', name))))])]
    : [];
  return anyOf([...predicate.columns.map((name) => isIn(column(name))), ...inParent]);
}

/** The values that are short ids, `acme/web#7`. */
export const shortIdsAmong = (values: readonly (string | number)[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' && placeOfShortId(value) ? [value] : []));

/** The short ids that a row of pull requests or issues has: by its id, and by its repository and number. */
export function shortIdsOf(
  dialect: Dialect,
  column: (name: string) => Sql,
  { column: id, numbered }: { readonly column: string; readonly numbered: NumberColumns },
): Sql[] {
  const said =
    'key' in numbered ? column(numbered.key) : dialect.numbered(column(numbered.repository), column(numbered.number));
  return [dialect.withoutSource(column(id)), said];
}

/**
 * Whether a kept list of ids, which is JSON text, has one of some ids. A short one is also there with any source, and one
 * with a source is also there in short. Only where ids of either form are asked for are texts compared.
 */
export function listHasAnyId(dialect: Dialect, list: Sql, ids: readonly string[]): Sql {
  const lowerCased = dialect.lowerCased(list);
  const has = (end: string): Sql => dialect.contains(lowerCased, dialect.lowerCased(sql`${text(end)}`));
  const quoted = (id: string): string => JSON.stringify(id);
  const also = ids.flatMap((id) => {
    if (placeOfShortId(id)) return [has(quoted(id)), has(`:${quoted(id).slice(1)}`)];
    const full = placeOfFullId(id);
    return full ? [has(quoted(id.slice(id.indexOf(':') + 1)))] : [];
  });
  return anyOf([dialect.listHasAny(list, texts(ids)), ...also]);
}
