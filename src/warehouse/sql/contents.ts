import { peopleCopy } from '../../catalogue/directory-copies/directory-copies.ts';
import type { Table } from '../../catalogue/table.ts';
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
    [
      ['id', raw('k.pr_id')],
      ['title', raw('k.pr_title')],
      ['author', raw('coalesce(a.name, k.person_name, k.person_login)')],
      ['url', raw('k.pr_url')],
      ['number', raw('k.pr_number')],
      ['summary', raw('k.pr_summary')],
      ['additions', raw('k.additions')],
      ['deletions', raw('k.deletions')],
    ],
    [raw('k.pr_merged_at'), raw('k.pr_id')],
  );
  const authors = sql` LEFT JOIN ${context.table(peopleCopy)} AS a ON a.merged_user_id = k.merged_user_id`;
  const where = [raw('true'), ...conditions, ...(seen ? [isOfSeen('k', seen)] : [])];
  return sql`SELECT ${key} AS id, count(*) AS number${withList ? sql`, ${list} AS list` : raw('')}
FROM ${context.table(table)} AS t JOIN ${carried.from} ON ${carried.isOf('t')}${withList ? authors : raw('')}
WHERE ${allOf(where)} GROUP BY ${key}`;
}
