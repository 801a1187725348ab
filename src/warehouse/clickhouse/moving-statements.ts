import type { Table } from '../../catalogue/table.ts';
import {
  type MovingOptions,
  type MovingPort,
  noRows,
  type RowsDigest,
  type RowsPortion,
  together,
} from '../moving-port.ts';
import type { Moment } from './as-of.ts';
import { type ClickHouseEngine, maxSeconds } from './engine.ts';
import { digestRange, rangesOf, selectRange } from './moved-rows.ts';
import type { ChangeWriter } from './table-changing.ts';
import type { Lines } from './table-reading.ts';

interface MovingParts {
  readonly engine: ClickHouseEngine;
  readonly momentNow: (organisationId: string, signal?: AbortSignal) => Promise<Moment>;
  readonly change: (organisationId: string, work: (writer: ChangeWriter) => Promise<void>) => Promise<void>;
}

/**
 * Whole tables out of ClickHouse, and into it. Nobody writes while everything is moved, so a moment stays the last one
 * however long its statements take: no row of it is cleaned away.
 */
export class MovingStatements implements MovingPort {
  readonly #parts: MovingParts;

  constructor(parts: MovingParts) {
    this.#parts = parts;
  }

  async digest(organisationId: string, table: Table, { signal, portion }: MovingOptions = {}): Promise<RowsDigest> {
    const moment = await this.#parts.momentNow(organisationId, signal);
    const lines = this.#lines(signal);
    let sum = noRows;
    for (const range of await rangesOf(lines, table, moment, portion)) {
      sum = together(sum, await digestRange(lines, table, range, moment));
    }
    return sum;
  }

  async *rowsOut(
    organisationId: string,
    table: Table,
    { signal, portion }: MovingOptions = {},
  ): AsyncGenerator<RowsPortion> {
    const moment = await this.#parts.momentNow(organisationId, signal);
    const lines = this.#lines(signal);
    for (const range of await rangesOf(lines, table, moment, portion)) {
      const digest = await digestRange(lines, table, range, moment);
      const terms = { seconds: maxSeconds, signal };
      yield { ...digest, parquet: await this.#parts.engine.parquet(selectRange(table, range, moment), terms) };
    }
  }

  rowsIn(organisationId: string, table: Table, portions: AsyncIterable<RowsPortion>): Promise<void> {
    return this.#parts.change(organisationId, async (writer) => {
      for await (const { parquet } of portions) await writer.addParquet(table, parquet);
    });
  }

  #lines(signal: AbortSignal | undefined): Lines {
    return (statement) => this.#parts.engine.lines(statement, { seconds: maxSeconds, signal });
  }
}
