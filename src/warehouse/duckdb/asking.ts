import type { AnswerRow, Asking, Lookup, MeasuredRows, Plan, Query } from '../../query/plan.ts';
import type { Ground } from '../sql/ground.ts';
import { sayLookup } from '../sql/lookup-sql.ts';
import { hasTexts, sayAnswer, sayAnswerWithin, sayCount, sayRowsRead, saySuppressed } from '../sql/query-sql.ts';
import { type Parameter, raw, type Sql, statementOf } from '../sql/sql.ts';
import { duckdbDialect } from './dialect.ts';
import { type Statement, tableIn } from './statement.ts';
import type { Task } from './task.ts';

/** The tables of one organisation, in words of this engine. */
export const groundOf = (schema: string): Ground => ({
  dialect: duckdbDialect,
  table: (table) => raw(tableIn(schema, table)),
});

/** A list is one JSON text, which the engine takes apart itself. */
function bound({ type, value }: Parameter): string | number | Date {
  if (type === 'timestamp') return new Date(value * 1_000);
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

export function statementFor(piece: Sql): Statement {
  const { text, parameters } = statementOf(piece, duckdbDialect.place);
  return { sql: text, values: parameters.map(bound) };
}

/** Answers questions from the one state that a task sees. */
export class TaskAsking implements Asking {
  readonly #task: Task;
  readonly #ground: Ground;

  constructor(task: Task, schema: string) {
    this.#task = task;
    this.#ground = groundOf(schema);
  }

  rows(query: Query): Promise<AnswerRow[]> {
    return this.#task.values(statementFor(sayAnswer(this.#ground, query)));
  }

  async rowsWithin(query: Query, bytesMost: number): Promise<MeasuredRows> {
    const isBounded = !hasTexts(query);
    const said = isBounded ? sayAnswer(this.#ground, query) : sayAnswerWithin(this.#ground, query, bytesMost);
    // Escapes make texts longer than they are kept: what leaves the engine is counted once more.
    const { lists, length } = await this.#task.listsWithin<AnswerRow>(statementFor(said), bytesMost);
    return { rows: length > bytesMost ? undefined : lists, bytes: length };
  }

  count(query: Query): Promise<number> {
    return this.#one(sayCount(this.#ground, query));
  }

  rowsRead(plan: Plan): Promise<number> {
    return this.#one(sayRowsRead(this.#ground, plan));
  }

  suppressed(plan: Plan): Promise<number> {
    return this.#one(saySuppressed(this.#ground, plan));
  }

  async found(lookup: Lookup): Promise<(string | number)[]> {
    const rows = await this.#task.values<[string | number]>(statementFor(sayLookup(this.#ground, lookup)));
    return rows.map(([value]) => value);
  }

  async #one(piece: Sql): Promise<number> {
    const [row] = await this.#task.values<[number]>(statementFor(piece));
    return row?.[0] ?? 0;
  }
}
