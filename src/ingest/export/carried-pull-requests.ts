import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { Row, Table, Value } from '../../catalogue/table.ts';
import { carriedFields, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { addToList } from '../../lists-by-key.ts';
import { compareTexts } from '../../text-order.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';

/** Names of people, for the authors of what was carried. */
export async function namesOfPeople(session: TableReader): Promise<ReadonlyMap<string, string | null>> {
  const people = await session.select(peopleCopy, ['merged_user_id', 'name']);
  return new Map(people.map(({ merged_user_id, name }) => [merged_user_id ?? '', name]));
}

/** Rows with the pull requests that each of them brought along, as they are shown with them. */
export async function withCarriedPullRequests(
  session: TableReader,
  { carriesPullRequests, key }: Table,
  rows: readonly Row[],
  names: ReadonlyMap<string, string | null>,
): Promise<readonly Row[]> {
  if (!carriesPullRequests) return rows;
  const { by, list } = carriesPullRequests;
  const idOf = (row: Row) => row[key[0] ?? ''] ?? null;
  const carried = await carriedBy(session, by, rows.map(idOf));
  return rows.map((row) => ({ ...row, [list]: shown(carried.get(idOf(row)) ?? [], names) }));
}

const columns = ['merged_user_id', 'pr_merged_at', ...Object.values(carriedFields).flat()];

/** The pull requests that name rows by these columns, for each of the rows, in the order of their merges. */
async function carriedBy(
  session: TableReader,
  by: readonly string[],
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, readonly Row[]>> {
  const where = { any: by.map((column) => ({ column, in: ids })) };
  const found = (await session.select(pullRequests, [...columns, ...by] as never[], where)) as unknown as Row[];
  const carried = new Map<Value, Row[]>();
  for (const pr of found.sort(compareMerges)) {
    for (const column of by) addToList(carried, pr[column] ?? null, pr);
  }
  return carried;
}

const compareMerges = (a: Row, b: Row): number =>
  Number(a.pr_merged_at ?? 0) - Number(b.pr_merged_at ?? 0) || compareTexts(String(a.pr_id), String(b.pr_id));

function shown(carried: readonly Row[], names: ReadonlyMap<string, string | null>): string | null {
  if (carried.length === 0) return null;
  return JSON.stringify(carried.map((pr) => shownPullRequest(pr, names.get(String(pr.merged_user_id ?? '')))));
}

const fields = Object.entries<readonly string[]>(carriedFields);

function shownPullRequest(pr: Row, author: string | null | undefined): Row {
  const one: Record<string, Value> = {};
  for (const [field, some] of fields) {
    const given = some.map((column) => pr[column]).find((value) => value != null) ?? null;
    one[field] = field === 'author' ? (author ?? given) : given;
  }
  return one;
}
