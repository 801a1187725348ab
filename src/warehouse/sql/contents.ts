import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { Table } from '../../catalogue/table.ts';
import { carriedFields } from '../../catalogue/tables/pull-requests.ts';
import { carriedPullRequests } from './guard.ts';
import { isOfSeen } from './people.ts';
import { allOf, raw, type Sql, sql } from './sql.ts';
import type { SqlContext } from './sql-context.ts';

/**
 * The pull requests that each row brought along, as far as they are seen: how many, and the list of them. Only of rows
 * that are asked about, which `conditions` tell of the alias t.
 */
export function contentsOf(
  context: SqlContext,
  table: Table,
  conditions: readonly Sql[],
  seen: Sql | undefined,
  withList: boolean,
): Sql {
  const { dialect } = context;
  const carried = carriedPullRequests(context, table);
  if (!carried) throw new Error(`${table.name} brings no pull requests`);
  const key = raw(`t.${table.key[0]}`);
  const list = dialect.objectList(
    Object.entries(carriedFields).map(([field, columns]) => [field, carriedValue(field, columns)]),
    [raw('k.pr_merged_at'), raw('k.pr_id')],
  );
  const authors = sql` LEFT JOIN ${context.table(peopleCopy)} AS a ON a.merged_user_id = k.merged_user_id`;
  const where = [raw('true'), ...conditions, ...(seen ? [isOfSeen('k', seen)] : [])];
  return sql`SELECT ${key} AS id, count(*) AS number${withList ? sql`, ${list} AS list` : raw('')}
FROM ${context.table(table)} AS t JOIN ${carried.from} ON ${carried.isOf('t')}${withList ? authors : raw('')}
WHERE ${allOf(where)} GROUP BY ${key}`;
}

/** A field of a pull request, called k, whose author is called a. */
function carriedValue(field: string, columns: readonly string[]): Sql {
  const values = [...(field === 'author' ? ['a.name'] : []), ...columns.map((column) => `k.${column}`)];
  return raw(values.length === 1 ? String(values[0]) : `coalesce(${values.join(', ')})`);
}
