import type { AnswerRow, Lookup, MeasuredRows, Plan, Query, QuerySession } from '../../query/plan.ts';
import { renderLookup } from './lookup-sql.ts';
import {
  hasTexts,
  renderAnonymousSurveys,
  renderAnswer,
  renderAnswerWithin,
  renderCount,
  renderRowsRead,
  renderSuppressed,
} from './query-sql.ts';
import type { Sql } from './sql.ts';
import type { SqlContext } from './sql-context.ts';

/** How an engine reads one state of an organisation's tables. */
interface StateReader {
  /** The rows of an answer. */
  rows<R>(piece: Sql): Promise<R[]>;
  /** The same with how many bytes they have, and without the rows where those are too many. */
  rowsWithin(piece: Sql, maxBytes: number): Promise<MeasuredRows>;
  /** Rows of an answer that the engine by itself ends when it gets longer; undefined where it did. */
  rowsIfShort?(piece: Sql, maxBytes: number): Promise<MeasuredRows | undefined>;
}

/** Answers questions from one state of an organisation's tables, in the words of an engine. */
export class SqlQuerySession implements QuerySession {
  readonly #reader: StateReader;
  readonly #context: SqlContext;

  constructor(reader: StateReader, context: SqlContext) {
    this.#reader = reader;
    this.#context = context;
  }

  rows(query: Query): Promise<AnswerRow[]> {
    return this.#reader.rows(renderAnswer(this.#context, query));
  }

  async rowsWithin(query: Query, maxBytes: number): Promise<MeasuredRows> {
    const isBounded = !hasTexts(query);
    const short = isBounded
      ? undefined
      : await this.#reader.rowsIfShort?.(renderAnswer(this.#context, query), maxBytes);
    if (short) return short;
    const said = isBounded ? renderAnswer(this.#context, query) : renderAnswerWithin(this.#context, query, maxBytes);
    // Escapes make texts longer than they are kept: what leaves the engine is counted once more.
    return this.#reader.rowsWithin(said, maxBytes);
  }

  count(query: Query): Promise<number> {
    return this.#one(renderCount(this.#context, query));
  }

  rowsRead(plan: Plan): Promise<number> {
    return this.#one(renderRowsRead(this.#context, plan));
  }

  async suppressed(plan: Plan): Promise<number> {
    // Organisations that never had an anonymous survey need not look through all answers for some.
    const isAsked = plan.from.areAnswersAnonymous || (await this.#one(renderAnonymousSurveys(this.#context))) > 0;
    if (!isAsked) return 0;
    return this.#one(renderSuppressed(this.#context, plan));
  }

  async found(lookup: Lookup): Promise<(string | number)[]> {
    const rows = await this.#reader.rows<[string | number]>(renderLookup(this.#context, lookup));
    return rows.map(([value]) => value);
  }

  async #one(piece: Sql): Promise<number> {
    const [row] = await this.#reader.rows<[number]>(piece);
    return row?.[0] ?? 0;
  }
}
