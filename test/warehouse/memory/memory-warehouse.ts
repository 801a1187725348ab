import { orderColumn, type Row, type Table } from '../../../src/catalogue/table.ts';
import type { AnswerRow, Query, QuerySession } from '../../../src/query/plan.ts';
import type { ExplainedSql, QuestionOptions } from '../../../src/query/question-port.ts';
import { MemoryWriterTurns, type WriterTurns } from '../../../src/store/writer-turns.ts';
import type { ChangeOptions, StreamOptions, TableReader, TableWriter } from '../../../src/warehouse/intake-port.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { answerOf, MemoryQuerySession } from './memory-query-session.ts';
import { emptyState, MemorySession, type MemoryState, rowsIn } from './memory-session.ts';
import { cellOf, compare } from './row-conditions.ts';

interface Published {
  readonly state: MemoryState;
  readonly version: number;
  readonly at: Date;
}

/**
 * Tables in memory, without files and without SQL: a state is a value, a reader keeps the one that it began with, and a
 * change is published by naming another one. Questions are answered by the reference evaluator.
 */
export class MemoryWarehouse implements Warehouse {
  readonly #published = new Map<string, Published>();
  /** The versions at which organisations were removed. */
  readonly #removed = new Map<string, number>();
  readonly #turns: WriterTurns;

  constructor(turns: WriterTurns = new MemoryWriterTurns()) {
    this.#turns = turns;
  }

  read<T>(organisationId: string, work: (reader: TableReader) => Promise<T>): Promise<T> {
    return work(new MemorySession(this.#stateOf(organisationId)).writer);
  }

  change<T>(
    organisationId: string,
    work: (writer: TableWriter) => Promise<T>,
    { ticket, isFirst }: ChangeOptions = {},
  ): Promise<T> {
    const writer = { ticket, isFirst, isUndone: true };
    return this.#turns.inTurn(
      organisationId,
      async ({ change, publish }) => {
        const before = this.#stateOf(organisationId);
        const session = new MemorySession(before);
        const result = await work(session.writer);
        if (session.state === before && this.holds(organisationId)) return result;
        await publish();
        this.#published.set(organisationId, { state: session.state, version: change, at: new Date() });
        return result;
      },
      writer,
    );
  }

  async *stream(
    organisationId: string,
    table: Table,
    columns: readonly string[],
    { batchRows = 5_000 }: StreamOptions = {},
  ): AsyncGenerator<never[]> {
    const order = [orderColumn(table) ?? [], ...table.key].flat();
    const differing = (a: Row, b: Row) =>
      order.map((column) => compare(cellOf(table, a, column), cellOf(table, b, column))).find((one) => one !== 0) ?? 0;
    const rows = rowsIn(this.#stateOf(organisationId), table).toSorted(differing);
    for (let at = 0; at < rows.length; at += batchRows) {
      const batch = rows.slice(at, at + batchRows);
      yield batch.map((row) => Object.fromEntries(columns.map((name) => [name, cellOf(table, row, name)]))) as never[];
    }
  }

  async organisations(): Promise<string[]> {
    return [...this.#published.keys()].sort();
  }

  holds(organisationId: string): boolean {
    return this.#published.has(organisationId);
  }

  async remove(organisationId: string): Promise<void> {
    await this.change(organisationId, (writer) => writer.setDirectoryVersion(0));
    this.#removed.set(organisationId, this.versionOf(organisationId));
    this.#published.delete(organisationId);
  }

  async ask<T>(
    organisationId: string,
    work: (session: QuerySession) => Promise<T>,
    { ticket }: QuestionOptions = {},
  ): Promise<T> {
    ticket?.signal?.throwIfAborted();
    return work(new MemoryQuerySession(this.#stateOf(organisationId)));
  }

  async *answers(organisationId: string, query: Query, { ticket }: QuestionOptions = {}): AsyncGenerator<AnswerRow[]> {
    for (const row of answerOf(this.#stateOf(organisationId), query)) {
      ticket?.signal?.throwIfAborted();
      yield [row];
    }
  }

  lines(): undefined {
    return undefined;
  }

  explainSql(): ExplainedSql {
    return { sql: '', parameters: [] };
  }

  versionOf(organisationId: string): number {
    return this.#published.get(organisationId)?.version ?? this.#removed.get(organisationId) ?? 0;
  }

  async changedAt(organisationId: string): Promise<Date | undefined> {
    return this.#published.get(organisationId)?.at;
  }

  async close(): Promise<void> {
    this.#published.clear();
  }

  #stateOf(organisationId: string): MemoryState {
    return this.#published.get(organisationId)?.state ?? emptyState;
  }
}
