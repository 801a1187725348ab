import { isDirectoryTable } from '../catalogue/record-tables.ts';
import { isFactTable } from '../catalogue/tables/tables.ts';
import type { Directory } from '../directory/directory.ts';
import { type Line, type Outcome, putRecords } from '../directory/records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { TableRecords } from '../ingest/read/record-changes.ts';
import type { HostDirectory, Page, SourceRecords } from '../sources/source.ts';

export interface IntakeParts {
  readonly organisationId: string;
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'put'>;
  /** Members and teams of a code host become people and teams. */
  readonly takeHostDirectory: (directory: HostDirectory) => Promise<void>;
}

interface WaitingRecords {
  readonly records: readonly TableRecords[];
  readonly done: (outcomes: readonly Outcome[]) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The way of pages into the tables. Pages that arrive while others are being written are written together in the next
 * change: a change costs more than a page of it, and attributes each repository once.
 */
export class PageIntake {
  readonly #parts: IntakeParts;
  #waiting: WaitingRecords[] = [];
  #isWriting = false;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Resolves once everything of the page is durable, with what was wrong with some of its records. */
  async take(page: Page): Promise<readonly string[]> {
    const { organisationId, directory, takeHostDirectory } = this.#parts;
    const outcomes: Outcome[] = [];
    for (const { table, records } of page.records) {
      if (records.length === 0 || !isDirectoryTable(table)) continue;
      const context = { organisationId, actor: { via: 'records' } } as const;
      outcomes.push(await putRecords(directory, context, table, linesOf(records)));
    }
    if (page.directory) await takeHostDirectory(page.directory);
    const facts = page.records.flatMap(factsOf);
    if (facts.length > 0) outcomes.push(...(await this.#written(facts)));
    return outcomes.flatMap(({ rejected }) => rejected.map(({ detail }) => detail));
  }

  #written(records: readonly TableRecords[]): Promise<readonly Outcome[]> {
    return new Promise((done, failed) => {
      this.#waiting.push({ records, done, failed });
      void this.#write();
    });
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const together = this.#waiting;
      this.#waiting = [];
      try {
        const batch = together.flatMap(({ records }) => records);
        const outcomes = await this.#parts.ingest.put(this.#parts.organisationId, batch);
        let first = 0;
        for (const { records, done } of together) {
          done(outcomes.slice(first, first + records.length));
          first += records.length;
        }
      } catch (error) {
        for (const { failed } of together) failed(error);
      }
    }
    this.#isWriting = false;
  }
}

function factsOf({ table, records, wholeSetsOf }: SourceRecords): TableRecords[] {
  if (!isFactTable(table) || (records.length === 0 && !wholeSetsOf?.length)) return [];
  return [{ table, lines: linesOf(records), ...(wholeSetsOf ? { wholeSetsOf } : {}) }];
}

const linesOf = (records: SourceRecords['records']): Line[] => records.map((value, line) => ({ line, value }));
