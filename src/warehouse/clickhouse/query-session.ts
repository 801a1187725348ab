import type { AnswerRow, Lookup, MeasuredRows, Plan, Query, QuerySession } from '../../query/plan.ts';
import { renderLookup } from '../sql/lookup-sql.ts';
import {
  hasTexts,
  renderAnswer,
  renderAnswerWithin,
  renderCount,
  renderRowsRead,
  renderSuppressed,
} from '../sql/query-sql.ts';
import type { Sql } from '../sql/sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { statementFor } from './statement.ts';
import type { Lines } from './table-reading.ts';

/** Answers questions from the tables at one moment. */
export class MomentQuerySession implements QuerySession {
  readonly #lines: Lines;
  readonly #context: SqlContext;

  constructor(lines: Lines, context: SqlContext) {
    this.#lines = lines;
    this.#context = context;
  }

  async rows(query: Query): Promise<AnswerRow[]> {
    return this.#parsed(renderAnswer(this.#context, query));
  }

  async rowsWithin(query: Query, bytesMost: number): Promise<MeasuredRows> {
    const isBounded = !hasTexts(query);
    const said = isBounded ? renderAnswer(this.#context, query) : renderAnswerWithin(this.#context, query, bytesMost);
    const lines = await this.#lines(statementFor(said));
    // Escapes make texts longer than they are kept: what leaves the engine is counted once more.
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    const rows = lines.map((line) => JSON.parse(line) as AnswerRow | number);
    const measured = rows.filter((row) => typeof row === 'number');
    const most = Math.max(bytes, ...measured.slice(-1));
    if (measured.length > 0 || most > bytesMost) return { rows: undefined, bytes: Math.max(most, bytesMost + 1) };
    return { rows: rows as AnswerRow[], bytes };
  }

  count(query: Query): Promise<number> {
    return this.#one(renderCount(this.#context, query));
  }

  rowsRead(plan: Plan): Promise<number> {
    return this.#one(renderRowsRead(this.#context, plan));
  }

  suppressed(plan: Plan): Promise<number> {
    return this.#one(renderSuppressed(this.#context, plan));
  }

  async found(lookup: Lookup): Promise<(string | number)[]> {
    const rows = await this.#parsed<[string | number]>(renderLookup(this.#context, lookup));
    return rows.map(([value]) => value);
  }

  async #one(piece: Sql): Promise<number> {
    const [row] = await this.#parsed<[number]>(piece);
    return row?.[0] ?? 0;
  }

  async #parsed<R>(piece: Sql): Promise<R[]> {
    const lines = await this.#lines(statementFor(piece));
    return lines.map((line) => JSON.parse(line) as R);
  }
}
