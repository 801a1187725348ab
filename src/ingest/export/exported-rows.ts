import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { peopleCopy } from '../../catalogue/directory-copies.ts';
import { isDirectoryTable } from '../../catalogue/record-tables.ts';
import { type Row, storedColumns, type Table, type Value } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import { carriedFields, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { recordWriter } from '../../formats/record-text.ts';
import { addToList } from '../../lists-by-key.ts';
import type { Store } from '../../store/store.ts';
import { compareTexts } from '../../text-comparison.ts';
import type { IntakePort, TableReader } from '../../warehouse/intake-port.ts';
import type { Ingest } from '../ingest.ts';
import { directoryRows, peopleRows, withTeamNames } from './directory-rows.ts';
import { type ExportColumn, type ExportTable, exportColumns } from './export-columns.ts';

interface ExportParts {
  readonly store: Store;
  /**
   * The tables of what happened, and the ingest that brings them up to the directory. Not called where only the
   * directory is read.
   */
  readonly tables: () => { readonly warehouse: IntakePort; readonly ingest: Pick<Ingest, 'bringUp'> };
}

interface ExportRequest {
  readonly organisationId: string;
  readonly table: ExportTable;
  /** Only columns that records bring, in the form in which they can be imported again. */
  readonly records: boolean;
}

/**
 * All rows of a table as NDJSON, in its order, all of one state. Memory holds a bounded number of rows, however
 * slowly they are taken. Ends with an error when it cannot be complete.
 */
export function exportedRows(parts: ExportParts, request: ExportRequest): Readable {
  const columns = exportColumns(request.table, request.records);
  const out = new PassThrough({ highWaterMark: 1024 * 1024 });
  const write = (batches: AsyncIterable<readonly Row[]>) => pipeline(Readable.from(texts(columns, batches)), out);
  run(parts, request, columns, write).catch((error: unknown) => {
    out.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return out;
}

async function run(
  { store, tables }: ExportParts,
  { organisationId, table, records }: ExportRequest,
  columns: readonly ExportColumn[],
  write: (batches: AsyncIterable<readonly Row[]>) => Promise<void>,
): Promise<void> {
  if (isDirectoryTable(table)) return write(single(await directoryRows(store, organisationId, table)));
  const { warehouse, ingest } = tables();
  await ingest.bringUp(organisationId);
  if (table === 'user_metrics') return write(single(await warehouse.read(organisationId, peopleRows)));
  const rows = factRows(warehouse, organisationId, table, columns, records);
  return write(records ? rows : await filled(warehouse, organisationId, table, rows));
}

async function* single(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

async function* texts(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer> {
  const write = recordWriter(columns);
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) {
      text += write(row);
      // A few rows can hold many megabytes.
      if (text.length > maxTextLength) {
        yield Buffer.from(text);
        text = '';
      }
    }
    if (text !== '') yield Buffer.from(text);
  }
}

const maxTextLength = 256 * 1024;

/** The columns that are needed of a row beside those that are shown. */
const neededOf = ({ key, carriesPullRequests, anonymous, recorded }: Table): readonly string[] => [
  ...(carriesPullRequests ? key : []),
  ...(anonymous ? ['merged_user_id'] : []),
  ...(recorded ? [recorded.column] : []),
];

async function* factRows(
  warehouse: IntakePort,
  organisationId: string,
  name: FactTable,
  columns: readonly ExportColumn[],
  records: boolean,
): AsyncGenerator<readonly Row[]> {
  const table: Table = factTables[name];
  const kept = storedColumns(table);
  const { recorded } = table;
  const wanted = [...columns.map((column) => column.kept), ...neededOf(table)];
  const names = new Set(wanted.filter((one) => kept.has(one)));
  for await (const rows of warehouse.stream(organisationId, table, [...names] as never[])) {
    // Inferred rows, such as deployments of releases, runs and merges, were never brought by a record.
    yield records && recorded ? (rows as Row[]).filter((row) => row[recorded.column] === recorded.value) : rows;
  }
}

/** Adds the columns that are computed when rows are read, batch by batch. */
async function filled(
  warehouse: IntakePort,
  organisationId: string,
  name: FactTable,
  batches: AsyncIterable<readonly Row[]>,
): Promise<AsyncIterable<readonly Row[]>> {
  const read = <T>(work: (session: TableReader) => Promise<T>) =>
    warehouse.read(organisationId, work, { lane: 'heavy' });
  const table: Table = factTables[name];
  if (table.carriesPullRequests) {
    const names = await read(namesOfPeople);
    return each(batches, (rows) => read((session) => withCarriedPullRequests(session, table, rows, names)));
  }
  if (!table.anonymous) return batches;
  const fill = await read(withTeamNames);
  return each(batches, async (rows) => fill(rows));
}

async function* each<T>(items: AsyncIterable<T>, work: (item: T) => Promise<T>): AsyncGenerator<T> {
  for await (const item of items) yield await work(item);
}

/** Names of people, for the authors of what was carried. */
export async function namesOfPeople(session: TableReader): Promise<ReadonlyMap<string, string | null>> {
  const people = await session.select(peopleCopy, ['merged_user_id', 'name']);
  return new Map(people.map(({ merged_user_id, name }) => [merged_user_id ?? '', name]));
}

/** Rows with the pull requests that each of them brought along, as they are shown with them. */
async function withCarriedPullRequests(
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
