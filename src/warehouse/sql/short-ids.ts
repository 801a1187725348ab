import type { NumberColumns } from '../../catalogue/filters.ts';
import { placeOfFullId, placeOfShortId } from '../../catalogue/record-ids.ts';
import type { Dialect } from './dialect.ts';
import { anyOf, type Sql, sql, text, texts } from './sql.ts';

/** Those of some values that are short ids, `acme/web#7`. */
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
