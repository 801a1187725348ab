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
import { type Parameter, raw, type Sql, statementOf } from '../sql/sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { duckdbDialect } from './dialect.ts';
import { type EngineStatement, tableIn } from './statement.ts';
import type { Task } from './task.ts';

/** The tables of one organisation, in words of this engine. */
export const sqlContextOf = (schema: string): SqlContext => ({
  dialect: duckdbDialect,
  table: (table) => raw(tableIn(schema, table)),
});

/** A list is one JSON text, which the engine takes apart itself. */
function bound({ type, value }: Parameter): string | number | Date {
  if (type === 'timestamp') return new Date(value * 1_000);
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/** A statement with all of its values bound, as it is shown. */
export function boundStatement(piece: Sql): EngineStatement {
  const { text, parameters } = statementOf(piece, duckdbDialect.place);
  return { sql: text, values: parameters.map(bound) };
}

/**
 * The same statement as it is run: numbers and times are written into it. Without anything to bind, the engine plans a
 * statement once instead of twice, and one thread less has to be waited for, which is a third of a light question. Texts
 * are always bound, whoever they are from.
 */
export function statementFor(piece: Sql): EngineStatement {
  const { text, parameters } = statementOf(piece, duckdbDialect.place, writtenOut);
  return { sql: text, values: parameters.map(bound) };
}

/** What a date of JavaScript can hold. */
const lastSecond = 8_640_000_000_000;

function writtenOut({ type, value }: Parameter): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  if (type === 'timestamp')
    return Math.abs(value) <= lastSecond && Number.isInteger(value) ? `make_timestamp(${value}000000)` : undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? `CAST(${value} AS BIGINT)` : undefined;
  // As text, because the engine reads digits with a point as a decimal, and rounds once more.
  return type === 'number' ? `CAST('${value}' AS DOUBLE)` : undefined;
}

/** Answers questions from the one state that a task sees. */
export class TaskQuerySession implements QuerySession {
  readonly #task: Task;
  readonly #context: SqlContext;

  constructor(task: Task, context: SqlContext) {
    this.#task = task;
    this.#context = context;
  }

  rows(query: Query): Promise<AnswerRow[]> {
    return this.#task.values(statementFor(renderAnswer(this.#context, query)));
  }

  async rowsWithin(query: Query, bytesMost: number): Promise<MeasuredRows> {
    const isBounded = !hasTexts(query);
    const said = isBounded ? renderAnswer(this.#context, query) : renderAnswerWithin(this.#context, query, bytesMost);
    // Escapes make texts longer than they are kept: what leaves the engine is counted once more.
    const { lists, length } = await this.#task.listsWithin<AnswerRow>(statementFor(said), bytesMost);
    return { rows: length > bytesMost ? undefined : lists, bytes: length };
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
    const rows = await this.#task.values<[string | number]>(statementFor(renderLookup(this.#context, lookup)));
    return rows.map(([value]) => value);
  }

  async #one(piece: Sql): Promise<number> {
    const [row] = await this.#task.values<[number]>(statementFor(piece));
    return row?.[0] ?? 0;
  }
}
