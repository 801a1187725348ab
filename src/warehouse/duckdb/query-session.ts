import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { AnswerRow, QuerySession } from '../../query/plan.ts';
import { SqlQuerySession } from '../sql/query-session.ts';
import { type Parameter, raw, type Sql, statementOf } from '../sql/sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { duckdbDialect } from './dialect.ts';
import type { CommitsSeen } from './organisation-lock.ts';
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
 * The same statement as it is run: numbers, times, days and short texts are written into it. Without anything to bind, the
 * engine plans a statement once instead of twice, and one thread less has to be waited for, which is a third of a light
 * question.
 */
export function statementFor(piece: Sql): EngineStatement {
  const { text, parameters } = statementOf(piece, duckdbDialect.place, writtenOut);
  return { sql: text, values: parameters.map(bound) };
}

/** The range of a date of JavaScript. */
const lastSecond = 8_640_000_000_000;

/** Longer texts than this are bound: from some thousand characters on, their digits take longer than planning twice. */
const maxWrittenText = 256;

/** A text that anyone may have sent, as the digits of its bytes: whatever it says, digits can be no SQL. */
const inDigits = (text: string): string | undefined =>
  text.length > maxWrittenText ? undefined : `decode(unhex('${Buffer.from(text).toString('hex')}'))`;

const day = /^\d{4}-\d\d-\d\d$/;

function writtenOut(parameter: Parameter): string | undefined {
  const { type, value } = parameter;
  if (type === 'text') return parameter.isOurs ? `'${value.replaceAll("'", "''")}'` : inDigits(value);
  if (type === 'date') return day.test(value) ? `CAST('${value}' AS DATE)` : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  if (type === 'timestamp')
    return Math.abs(value) <= lastSecond && Number.isInteger(value) ? `make_timestamp(${value}000000)` : undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? `CAST(${value} AS BIGINT)` : undefined;
  // As text, because the engine reads digits with a point as a decimal, and rounds once more.
  return type === 'number' ? `CAST('${value}' AS DOUBLE)` : undefined;
}

/** Answers questions from the one state that a task sees. */
export const taskQuerySession = (task: Task, context: SqlContext): QuerySession =>
  new SqlQuerySession(
    {
      rows: (piece) => task.values(statementFor(piece)),
      async rowsWithin(piece, maxBytes) {
        const { lists, length, count } = await task.listsWithin<AnswerRow>(statementFor(piece), maxBytes);
        return { rows: length > maxBytes ? undefined : lists, bytes: length, count };
      },
    },
    context,
  );

/**
 * Remembers whether an organisation has people who are known and not onboarded. Rows of such people count nowhere, and
 * looking for them takes a third of a small question; where there are none, there is nothing to look for.
 */
export class LeftOutPeople {
  readonly #known = new Map<string, { readonly directoryCommits: number; readonly isAnyone: boolean }>();

  async isAnyone(
    organisationId: string,
    { directoryCommits }: CommitsSeen,
    task: Task,
    schema: string,
  ): Promise<boolean> {
    const known = this.#known.get(organisationId);
    if (known?.directoryCommits === directoryCommits) return known.isAnyone;
    const sql = `SELECT json_array(1) FROM ${tableIn(schema, peopleCopy)} WHERE NOT onboarded LIMIT 1`;
    const isAnyone = (await task.values({ sql, values: [] })).length > 0;
    this.#known.set(organisationId, { directoryCommits, isAnyone });
    return isAnyone;
  }
}
