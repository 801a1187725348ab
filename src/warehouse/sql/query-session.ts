import type { AnswerRow, Lookup, MeasuredRows, Plan, Query, QuerySession } from '../../query/plan.ts';
import { renderLookup } from './lookup-sql.ts';
import {
  hasTexts,
  renderAnonymousSurveys,
  renderAnswer,
  renderAnswerWithin,
  renderCount,
  renderRowsRead,
  renderShortGroups,
  renderSuppressed,
} from './query-sql.ts';
import type { Sql } from './sql.ts';
import type { SqlContext } from './sql-context.ts';

/** How an engine reads one state of an organisation's tables. */
interface StateReader {
  /** The rows of an answer. */
  rows<R>(piece: Sql): Promise<R[]>;
  /** The rows with the number of their bytes, and without the rows where those are too many. */
  rowsWithin(piece: Sql, maxBytes: number): Promise<MeasuredRows>;
  /** Rows of an answer that the engine by itself ends when it gets longer; undefined where it did. */
  rowsIfShort?(piece: Sql, maxBytes: number): Promise<MeasuredRows | undefined>;
}

/** Groups by names fit into this. With a smaller share some would not, and all of them would be asked for again. */
const minShare = 512;

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
    // Escapes make texts longer than they are kept: what leaves the engine is counted once more.
    const ask = (piece: Sql) => this.#reader.rowsWithin(piece, maxBytes);
    if (!hasTexts(query)) return ask(renderAnswer(this.#context, query));
    return (await this.#shortRows(query, maxBytes, ask)) ?? ask(renderAnswerWithin(this.#context, query, maxBytes));
  }

  /** A few groups, each within its share of the bytes, as nearly all are: to add up what they take would cost a sixth. */
  async #shortRows(
    query: Query,
    maxBytes: number,
    ask: (piece: Sql) => Promise<MeasuredRows>,
  ): Promise<MeasuredRows | undefined> {
    if (this.#reader.rowsIfShort) return this.#reader.rowsIfShort(renderAnswer(this.#context, query), maxBytes);
    const share = Math.floor(maxBytes / (query.limit ?? Number.POSITIVE_INFINITY));
    const short = share < minShare ? undefined : renderShortGroups(this.#context, query, share);
    const found = short && (await ask(short));
    return found?.rows && found;
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
