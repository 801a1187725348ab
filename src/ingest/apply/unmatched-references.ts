import type { Table } from '../../catalogue/table.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { type FactTable, factTables } from '../../catalogue/tables/tables.ts';
import type { References } from '../../directory/unmatched-references.ts';
import { keysOfPullRequest, keysOfReference, meantBy } from '../attribute/short-references.ts';
import type { RecordChange } from '../read/record-changes.ts';
import { type Batch, tableOf } from './batch.ts';

/** The fields of a table whose references are looked up: the parent, and the pull requests that a row names. */
const checkedFields = ({ parent, references = [] }: Table): readonly string[] => [
  ...(parent?.key ?? []),
  ...references.filter((field) => field !== 'parent_issue_id'),
];

/**
 * References of records, by field and as they were sent, to rows that are not stored. `written` are the same records with
 * their ids written out. Reads no more than the rows that are named.
 */
export async function unmatchedReferences(
  batch: Batch,
  table: Table,
  sent: readonly RecordChange[],
  written: readonly RecordChange[],
): Promise<References> {
  const unmatched: Record<string, readonly string[]> = {};
  for (const field of checkedFields(table)) {
    const named = new Map<string, string>();
    for (const [i, { key, fields, isDeleted }] of written.entries()) {
      if (isDeleted) continue;
      const asSent = listOf(sent[i]?.key[field] ?? sent[i]?.fields[field]);
      for (const [place, id] of listOf(key[field] ?? fields[field]).entries()) named.set(id, asSent[place] ?? id);
    }
    if (named.size === 0) continue;
    const isThere =
      field === table.parent?.key[0] ? await storedParents(batch, table, named) : await meant(batch, named);
    const missing = [...named].flatMap(([id, asSent]) => (isThere(id) ? [] : [asSent]));
    if (missing.length > 0) unmatched[field] = [...new Set(missing)];
  }
  return unmatched;
}

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : typeof value === 'string' ? [value] : [];

type IsThere = (id: string) => boolean;

async function storedParents(batch: Batch, { parent }: Table, ids: ReadonlyMap<string, string>): Promise<IsThere> {
  const name = parent?.table as FactTable;
  const [key = ''] = factTables[name].key;
  const rows = await batch.session.select(factTables[name] as Table, [key as never], {
    column: key,
    in: [...ids.keys()],
  });
  const stored = new Set(rows.map((row) => (row as Readonly<Record<string, unknown>>)[key]));
  const { entries } = tableOf(batch, name);
  return (id) => stored.has(id) || entries.get(id)?.after !== undefined;
}

async function meant({ session, earlierNames }: Batch, ids: ReadonlyMap<string, string>): Promise<IsThere> {
  const keys = new Map([...ids.keys()].map((id) => [id, keysOfReference(id, earlierNames)]));
  const where = meantBy([...keys.values()].flat());
  const rows = await session.select(pullRequests, ['pr_id', 'repository_key', 'pr_number'], where);
  const there = new Set(rows.flatMap(keysOfPullRequest));
  return (id) => (keys.get(id) ?? []).some((key) => there.has(key));
}
