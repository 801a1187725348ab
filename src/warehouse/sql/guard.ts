import type { ScopedTable } from '../../access/scope.ts';
import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { Table } from '../../catalogue/table.ts';
import { carriedFields, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Plan } from '../../query/plan.ts';
import { isOfSeen, seenPeople } from './people-sql.ts';
import { allOf, anyOf, joined, raw, type Sql, sql } from './sql.ts';
import type { NamedQueries, SqlContext } from './sql-context.ts';
import { answersShown, recipientsShown } from './survey-answers.ts';

/** A table where it becomes FROM, and the condition that keeps away what its reader may not see. */
export interface Guarded {
  readonly from: Sql;
  readonly conditions: readonly Sql[];
  /** The people whose rows are visible; undefined where everyone's are. */
  readonly seen: Sql | undefined;
}

/** The parts of a plan that decide which answers to surveys are shown. */
type AskedRows = Partial<Pick<Plan, 'span' | 'people' | 'leftOut'>>;

/** The only way from a table to FROM. Where a span is said, rows outside of it may be missing. */
export function guarded(
  context: SqlContext,
  named: NamedQueries,
  scoped: ScopedTable,
  alias: string,
  asked: AskedRows = {},
): Guarded {
  const seen = seenPeople(context, named, scoped.visibility);
  const own = seen && isVisible(context, scoped.table, alias, seen);
  // Reported answers are nobody's: whole groups of them were selected where the table became FROM.
  const visible = own && scoped.table.anonymous ? anyOf([raw(`${alias}.report_group IS NOT NULL`), own]) : own;
  return {
    from: sql`${rowsOf(context, named, scoped, asked)} AS ${raw(alias)}`,
    seen,
    conditions: visible ? [visible] : [],
  };
}

function rowsOf(context: SqlContext, named: NamedQueries, scoped: ScopedTable, asked: AskedRows): Sql {
  const { table } = scoped;
  const { people = {}, leftOut, span } = asked;
  if (table.anonymous) return answersShown(context, named, { scoped, people, leftOut, span });
  // Days are asked about, not the times that are stored.
  if (table.daysWhereAnonymous) return recipientsShown(context, scoped);
  return context.table(table, span);
}

/** Deployments and releases are also visible to the authors of the pull requests that they contain. */
function isVisible(context: SqlContext, table: Table, alias: string, seen: Sql): Sql {
  const own = isOfSeen(alias, seen);
  const carried = carriedPullRequests(context, table);
  if (!carried) return own;
  const { key } = table;
  const name = raw(String(key[0]));
  const bringing = sql`SELECT g.${name} FROM ${context.table(table)} AS g JOIN ${carried.from} ON ${carried.isOf('g')} WHERE ${isOfSeen('k', seen)}`;
  return anyOf([own, sql`${raw(alias)}.${name} IN (${bringing})`]);
}

/** Pull requests, called k, and how they belong to the rows of a table that brings pull requests along. */
interface CarriedPullRequestsSql {
  readonly from: Sql;
  readonly isOf: (alias: string) => Sql;
}

export function carriedPullRequests(
  context: SqlContext,
  { carriesPullRequests, key }: Table,
): CarriedPullRequestsSql | undefined {
  if (!carriesPullRequests) return undefined;
  const all = context.table(pullRequests);
  const [by, ...others] = carriesPullRequests.by;
  if (others.length === 0) return { from: sql`${all} AS k`, isOf: (alias) => raw(`k.${by} = ${alias}.${key[0]}`) };
  // Engines join on one equality, not on either of two.
  const either = carriesPullRequests.by.map((column) => sql`SELECT *, ${raw(column)} AS brought_by FROM ${all}`);
  return {
    from: sql`(${joined(either, ' UNION ALL ')}) AS k`,
    isOf: (alias) => raw(`k.brought_by = ${alias}.${key[0]}`),
  };
}

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
