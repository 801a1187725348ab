import type { AnswerRow, QuerySession } from '../../query/plan.ts';
import { SqlQuerySession } from '../sql/query-session.ts';
import type { Sql } from '../sql/sql.ts';
import { type Moment, sqlContextOf } from './as-of.ts';
import { statementFor } from './statement.ts';
import type { Lines } from './table-reading.ts';

/** Answers questions from the tables at one moment. */
export const momentQuerySession = (lines: Lines, moment: Moment): QuerySession =>
  new SqlQuerySession(
    {
      rows: async <R>(piece: Sql) => (await lines(statementFor(piece))).map((line) => JSON.parse(line) as R),
      async rowsWithin(piece, bytesMost) {
        const found = await lines(statementFor(piece));
        const bytes = found.reduce((sum, line) => sum + line.length, 0);
        const rows = found.map((line) => JSON.parse(line) as AnswerRow | number);
        const measured = rows.filter((row) => typeof row === 'number');
        const most = Math.max(bytes, ...measured.slice(-1));
        const count = found.length;
        if (measured.length > 0 || most > bytesMost)
          return { rows: undefined, bytes: Math.max(most, bytesMost + 1), count };
        return { rows: rows as AnswerRow[], bytes, count };
      },
    },
    sqlContextOf(moment),
  );
