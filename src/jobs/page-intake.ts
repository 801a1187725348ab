import { isDirectoryTable, type RecordTable } from '../catalogue/record-tables.ts';
import { orderColumn } from '../catalogue/table.ts';
import { factTables, isFactTable } from '../catalogue/tables/all-tables.ts';
import type { ChangedRows } from '../directory/changed-rows.ts';
import type { Directory } from '../directory/directory.ts';
import { putRecords, type RecordLine, type RecordsOutcome } from '../directory/put-records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { TableRecords } from '../ingest/read/record-changes.ts';
import { joinNotSeen } from '../sources/not-seen.ts';
import type { HostDirectory, Page, ReportedTeams, SourceRecords } from '../sources/source.ts';
import { GroupedWrites } from '../store/grouped-writes.ts';

interface PageIntakeParts {
  readonly organisationId: string;
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'put'>;
  /** Members and teams of a code host become people and teams. */
  readonly takeHostDirectory: (directory: HostDirectory | ReportedTeams) => Promise<ChangedRows>;
  /** Called with how many rows of a table are new or different. */
  readonly count?: (table: RecordTable, rows: { readonly added: number; readonly changed: number }) => void;
}

/**
 * The way of pages into the tables. Pages of several streams are written together, so that a repository is attributed once
 * for all of them.
 */
export class PageIntake {
  readonly #parts: PageIntakeParts;
  readonly #facts = new GroupedWrites((pages: readonly (readonly TableRecords[])[]) => this.#put(pages));

  constructor(parts: PageIntakeParts) {
    this.#parts = parts;
  }

  /** Resolves once everything of the page is durable, with what was wrong with some of its records. */
  async take(page: Page): Promise<readonly string[]> {
    const { organisationId, directory, takeHostDirectory } = this.#parts;
    const outcomes: RecordsOutcome[] = [];
    const count = (rows: ChangedRows) => this.#count(rows);
    for (const { table, records } of page.records) {
      if (records.length === 0 || !isDirectoryTable(table)) continue;
      const context = { organisationId, actor: { via: 'records' } } as const;
      outcomes.push(await putRecords(directory, context, table, linesOf(records), { count }));
    }
    if (page.directory) count(await takeHostDirectory(page.directory));
    const facts = page.records.flatMap(factsOf);
    if (facts.length > 0) outcomes.push(...(await this.#facts.add(facts)));
    return outcomes.flatMap(({ rejected }) => rejected.map(({ detail }) => detail));
  }

  #count(rows: ChangedRows): void {
    for (const [table, counts] of Object.entries(rows)) this.#parts.count?.(table as keyof ChangedRows, counts);
  }

  /** The pages as one change, and what came of the records of each. */
  async #put(pages: readonly (readonly TableRecords[])[]): Promise<readonly (readonly RecordsOutcome[])[]> {
    const { ingest, organisationId, count } = this.#parts;
    const outcomes = await ingest.put(organisationId, pages.flat(), count ? { count } : {});
    return pages.map((records) => outcomes.splice(0, records.length));
  }
}

function factsOf({ table, records, wholeSetsOf }: SourceRecords): TableRecords[] {
  if (!isFactTable(table) || (records.length === 0 && !wholeSetsOf?.length)) return [];
  return [{ table, lines: linesOf(records), ...(wholeSetsOf ? { wholeSetsOf } : {}) }];
}

const linesOf = (records: SourceRecords['records']): RecordLine[] => records.map((value, line) => ({ line, value }));

/** Pages that are stored together, as one. */
export function joinPages(pages: readonly Page[]): Page {
  const [first, ...others] = pages;
  if (!first) throw new Error('nothing was read');
  return others.reduce(
    (all, page) => ({
      ...page,
      records: [...all.records, ...page.records],
      count: all.count + page.count,
      problems: [...(all.problems ?? []), ...(page.problems ?? [])],
      notSeen: joinNotSeen(all.notSeen ?? [], page.notSeen ?? []),
    }),
    first,
  );
}

/** Whether a page holds things and none of them could be converted: its shape is not the one that is known. */
export const isUnreadable = ({ problems = [], records, directory }: Page): boolean =>
  problems.length > 0 && directory === undefined && records.every((some) => some.records.length === 0);

/** The latest of the times that the rows of a table are kept in the order of. */
export function newestRecordAt(page: Page, before: number | undefined): number | undefined {
  let newest = before ?? Number.NEGATIVE_INFINITY;
  for (const { table, records } of page.records) {
    const column = isFactTable(table) ? orderColumn(factTables[table]) : undefined;
    if (column === undefined) continue;
    for (const record of records) {
      const ms = Date.parse(String(record[column]));
      if (ms > newest) newest = ms;
    }
  }
  return newest === Number.NEGATIVE_INFINITY ? undefined : newest;
}
