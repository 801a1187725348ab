import type { QuerySession } from '../../../src/query/plan.ts';
import type { QuestionPort } from '../../../src/query/question-port.ts';
import type { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { newestLayout } from '../../../src/warehouse/clickhouse/row-ends.ts';
import type { BoundStatement } from '../../../src/warehouse/clickhouse/statement.ts';
import { type Lines, momentQuerySession } from '../../../src/warehouse/clickhouse/table-reading.ts';
import { storedTables } from '../../../src/warehouse/schema.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';

interface WaitingStatement extends BoundStatement {
  answer(lines: string[]): void;
  fail(error: unknown): void;
}

/** So long after the last statement nobody else has one: all of them wait for their answers. */
const togetherMs = 100;
/** More in one statement take longer than in two. */
const maxStatements = 24;
const maxSeconds = 120;

/** As if rows had ended in every table. */
const layout = {
  version: newestLayout.version,
  ends: Object.fromEntries(storedTables.map(({ name }) => [name, 0])),
};

/**
 * Questions that are asked at the same time, sent as one statement: an engine that is emulated takes about a second for
 * each, whatever it says. What each of them says, and its answer, is as ever.
 */
export function batchedQuestions(warehouse: Warehouse, engine: ClickHouseEngine): QuestionPort {
  let waiting: WaitingStatement[] = [];
  let timer: NodeJS.Timeout | undefined;
  const lines: Lines = (statement) =>
    new Promise((answer, fail) => {
      waiting.push({ ...statement, answer, fail });
      clearTimeout(timer);
      timer = setTimeout(() => {
        const all = waiting;
        waiting = [];
        void sendAll(engine, all);
      }, togetherMs);
    });
  return {
    ask: <T>(organisationId: string, work: (session: QuerySession) => Promise<T>) => {
      const moment = { organisationId, change: warehouse.versionOf(organisationId) ?? 0, dead: [], layout };
      return work(momentQuerySession({ lines }, moment));
    },
    answers: (...asked) => warehouse.answers(...asked),
    lines: (...asked) => warehouse.lines(...asked),
    explainSql: (...asked) => warehouse.explainSql(...asked),
    versionOf: (organisationId) => warehouse.versionOf(organisationId),
    changedAt: (organisationId) => warehouse.changedAt(organisationId),
  };
}

async function sendAll(engine: ClickHouseEngine, all: readonly WaitingStatement[]): Promise<void> {
  for (let at = 0; at < all.length; at += maxStatements) {
    const some = all.slice(at, at + maxStatements);
    try {
      const answers = await engine.lines(unitedStatement(some), { seconds: maxSeconds });
      const found = new Map(answers.map((line) => JSON.parse(line) as [number, string[]]));
      for (const [i, { answer }] of some.entries()) answer(found.get(i) ?? []);
    } catch (error) {
      for (const { fail } of some) fail(error);
    }
  }
}

/** Every statement answers with texts in one column. Their order stays, because one thread reads them. */
function unitedStatement(some: readonly BoundStatement[]): BoundStatement {
  const each = some.map(({ sql }, i) => {
    const named = sql.replace(/\{p(\d+):/g, `{s${i}_p$1:`);
    return `SELECT toJSONString(tuple(${i}, groupArray(assumeNotNull(line)))) FROM (SELECT * FROM (${named}) AS all_of_it) AS s (line)`;
  });
  const values = some.flatMap((statement, i) =>
    Object.entries(statement.values).map(([name, value]) => [`s${i}_${name}`, value] as const),
  );
  return { sql: `${each.join('\nUNION ALL\n')}\nSETTINGS max_threads = 1`, values: Object.fromEntries(values) };
}
